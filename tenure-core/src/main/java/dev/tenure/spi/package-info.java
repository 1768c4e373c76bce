/**
 * What a store provides, and what measures. Applications need none of it.
 */
@NullMarked
package dev.tenure.spi;

import org.jspecify.annotations.NullMarked;
