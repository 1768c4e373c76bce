/**
 * What tests of stores and of applications need.
 */
@NullMarked
package dev.tenure.test;

import org.jspecify.annotations.NullMarked;
