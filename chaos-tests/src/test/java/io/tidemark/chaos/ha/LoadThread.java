package io.tidemark.chaos.ha;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One client of the load: makes steps until it is told to stop, and keeps why it ended early. */
abstract class LoadThread implements Runnable {
  private final String name;
  private final FollowingCaller master;
  private final SplittableRandom random;
  private final int pauseMicros;
  private volatile boolean stop;
  private volatile Throwable failure;

  /**
   * Does not run yet.
   *
   * @param pauseMicros about how long it does nothing between two steps
   */
  LoadThread(String name, FollowingCaller master, SplittableRandom random, int pauseMicros) {
    this.name = name;
    this.master = master;
    this.random = random;
    this.pauseMicros = pauseMicros;
  }

  abstract void step() throws IOException;

  @Override
  public final void run() {
    try {
      while (!stop) {
        step();
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(1 + random.nextInt(2 * pauseMicros)));
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    } finally {
      master.close();
    }
  }

  FollowingCaller master() {
    return master;
  }

  SplittableRandom random() {
    return random;
  }

  void stop() {
    stop = true;
  }

  /** Fails if it ended before it was told to. */
  void requireSound() {
    if (failure != null) {
      throw new AssertionError(name + " gave up", failure);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
