/**
 * Elections on virtual time: real engines and a real store in memory, where the test decides how time passes, when the
 * store answers and when a process stands still. Nothing waits in real time, and the same test runs the same each time.
 *
 * <pre>{@code
 * try (VirtualWorld world = VirtualWorld.create()) {
 *     VirtualTenure a = world.process("a");
 *     VirtualTenure b = world.process("b");
 *     LeaderElector first = a.stand("billing");
 *     LeaderElector second = b.stand("billing");
 *     world.advance(Duration.ofSeconds(1));
 *     a.crash();
 *     world.advance(Duration.ofSeconds(30));
 *     assert second.isLeader();
 *     world.checker().verify();
 * }
 * }</pre>
 */
@NullMarked
package dev.tenure.test.virtual;

import org.jspecify.annotations.NullMarked;
