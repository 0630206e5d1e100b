package io.tidemark.chaos.process;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/** Waits for a condition by asking again and again, never longer than a limit. */
public final class Await {
  private static final Duration PAUSE = Duration.ofMillis(25);

  private Await() {}

  /**
   * Asks until the answer is yes.
   *
   * @param what names the condition in the failure
   */
  public static void until(String what, Duration limit, Callable<Boolean> condition) {
    until(what, limit, condition, Boolean::booleanValue);
  }

  /**
   * Asks until the answer is good and gives that answer.
   *
   * @param what names the condition in the failure, which also shows the last answer
   */
  public static <T> T until(String what, Duration limit, Callable<T> probe, Predicate<T> good) {
    long end = System.nanoTime() + limit.toNanos();
    while (true) {
      T answer = ask(what, probe);
      if (good.test(answer)) {
        return answer;
      }
      if (System.nanoTime() - end >= 0) {
        throw new AssertionError(
            "not within " + limit.toMillis() + " ms: " + what + "; last seen: " + answer);
      }
      pause(what);
    }
  }

  private static <T> T ask(String what, Callable<T> probe) {
    try {
      return probe.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError("while waiting for: " + what, e);
    }
  }

  private static void pause(String what) {
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for: " + what, e);
    }
  }
}
