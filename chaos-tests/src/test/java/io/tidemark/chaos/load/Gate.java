package io.tidemark.chaos.load;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Holds writers back while the master is down and while the test looks at what it kept. */
final class Gate {
  private volatile CountDownLatch closed = new CountDownLatch(0);

  void close() {
    closed = new CountDownLatch(1);
  }

  void open() {
    closed.countDown();
  }

  /** Waits until the gate is open; fails after a limit. */
  void pass(Duration limit) throws InterruptedException {
    if (!closed.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("the gate stayed closed for " + limit);
    }
  }
}
