package io.tidemark.server;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting for a condition. */
public final class Await {

  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(20);

  private Await() {}

  /** Returns once the condition holds; fails after 20 s. */
  public static void until(String what, BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - begin > TIMEOUT_NANOS) {
        throw new AssertionError("never: " + what);
      }
      LockSupport.parkNanos(100_000);
    }
  }
}
