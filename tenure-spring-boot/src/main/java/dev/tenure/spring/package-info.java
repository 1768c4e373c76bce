/**
 * Elections in a Spring Boot application: annotations, events, and the auto-configuration behind them.
 */
@NullMarked
package dev.tenure.spring;

import org.jspecify.annotations.NullMarked;
