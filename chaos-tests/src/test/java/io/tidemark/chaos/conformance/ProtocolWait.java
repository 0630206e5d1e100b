package io.tidemark.chaos.conformance;

/**
 * The one place where these tests let time pass: leases, write timeouts and client TTLs are part of
 * the protocol, and nothing tells from outside that one has run out.
 */
final class ProtocolWait {
  private ProtocolWait() {}

  /** Milliseconds of a clock that only goes forward. */
  static long nowMs() {
    return System.nanoTime() / 1_000_000;
  }

  /** Lets time pass until {@link #nowMs} has reached {@code ms}. */
  static void until(long ms) {
    try {
      for (long left = ms - nowMs(); left > 0; left = ms - nowMs()) {
        Thread.sleep(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted during a wait that the protocol needs", e);
    }
  }
}
