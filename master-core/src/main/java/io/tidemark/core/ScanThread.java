package io.tidemark.core;

import java.util.concurrent.Executor;

/**
 * Where scans of the whole table and other work that nobody waits for run; never an I/O thread.
 *
 * <p>{@link ScanExecutor} in production. What is given as a plain {@code Runnable::run} works
 * everything off at once, without rests.
 */
@FunctionalInterface
public interface ScanThread extends Executor {

  /**
   * Runs {@code task} after a while; never refused. For work that has begun and goes on in steps.
   *
   * @param delayNanos how long others may have the processor first
   */
  default void later(long delayNanos, Runnable task) {
    execute(task);
  }

  /** Lets others have the processor for a while: the caller's thread sleeps. */
  default void rest(long nanos) {}
}
