// expect: format violations
package dev.tenure.canary;

final class Unformatted {
  private Unformatted( ) { }
}
