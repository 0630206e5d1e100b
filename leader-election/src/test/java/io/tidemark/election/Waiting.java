package io.tidemark.election;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Waits for real processes: for a condition, never for a time alone. */
final class Waiting {
  private static final long PAUSE_MS = 10;

  private Waiting() {}

  static void until(String what, long limitMs, BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMs);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + limitMs + " ms: " + what);
      }
      pause();
    }
  }

  /** Between two looks. */
  static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The value of a call; fails if it takes longer than any call may. */
  static <T> T value(CompletableFuture<T> call) {
    try {
      return call.get(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (ExecutionException e) {
      throw new AssertionError("a call ended exceptionally", e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("a call did not end", e);
    }
  }
}
