package io.tidemark.core;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * One thread for scans of the whole table. New work is refused while {@value #QUEUE_CAPACITY}
 * pieces wait; steps of work that has begun are not, there is one for each at most.
 */
public final class ScanExecutor implements ScanThread {
  private static final int QUEUE_CAPACITY = 256;

  private final AtomicInteger waiting = new AtomicInteger();
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread worker = new Thread(task, "tidemark-scan");
            worker.setDaemon(true);
            return worker;
          });

  /**
   * Queues a scan.
   *
   * @throws RejectedExecutionException if too many are waiting
   */
  @Override
  public void execute(Runnable task) {
    if (waiting.incrementAndGet() > QUEUE_CAPACITY) {
      waiting.decrementAndGet();
      throw new RejectedExecutionException(QUEUE_CAPACITY + " scans are waiting");
    }
    thread.execute(
        () -> {
          waiting.decrementAndGet();
          task.run();
        });
  }

  /** As the interface says; once stopped, the task is dropped. */
  @Override
  public void later(long delayNanos, Runnable task) {
    try {
      thread.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException stopped) {
      return;
    }
  }

  @Override
  public void rest(long nanos) {
    LockSupport.parkNanos(nanos);
  }

  /**
   * Lets the running step end and drops the others.
   *
   * @return whether it ended within {@code timeoutMs}
   */
  public boolean stop(long timeoutMs) throws InterruptedException {
    thread.shutdownNow();
    return thread.awaitTermination(timeoutMs, TimeUnit.MILLISECONDS);
  }
}
