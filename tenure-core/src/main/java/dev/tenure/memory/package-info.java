/**
 * Stores without a driver.
 */
package dev.tenure.memory;
