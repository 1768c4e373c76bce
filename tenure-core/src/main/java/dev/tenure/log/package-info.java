/**
 * The lines of the log: each is an event with a stable id and its data in pairs. For Tenure's own modules.
 */
@org.jspecify.annotations.NullMarked
package dev.tenure.log;
