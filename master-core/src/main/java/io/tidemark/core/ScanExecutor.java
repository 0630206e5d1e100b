package io.tidemark.core;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * One thread for scans of the whole table, with a bounded queue; a scan never runs on an I/O
 * thread.
 */
public final class ScanExecutor implements Executor {
  private static final int QUEUE_CAPACITY = 256;

  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(QUEUE_CAPACITY),
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
    thread.execute(task);
  }

  /** Lets the running scan end and drops the others. */
  public void stop() {
    thread.shutdownNow();
  }
}
