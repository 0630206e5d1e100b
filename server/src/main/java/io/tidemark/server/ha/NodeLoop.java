package io.tidemark.server.ha;

import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's one thread: runs tasks in order, and a tick in between. Its queue is bounded; what
 * fills it is a defect or a machine that stands still, and the process ends then, since a lost task
 * would leave the node in a state that nothing describes.
 */
final class NodeLoop implements Executor {
  private static final Logger LOG = LoggerFactory.getLogger(NodeLoop.class);
  private static final int CAPACITY = 1 << 16;
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LONG_TASK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long JOIN_MS = 2_000;

  private final BlockingQueue<Runnable> tasks = new ArrayBlockingQueue<>(CAPACITY);
  private final Thread thread = new Thread(this::run, "node");
  private final Runnable tick;
  private final Consumer<Throwable> broken;
  private volatile boolean stopping;
  private volatile long longestNanos;
  private volatile long longTasks;

  /**
   * A loop that does not run yet.
   *
   * @param broken told, on any thread, what no task may throw; the loop does nothing more then
   */
  NodeLoop(Runnable tick, Consumer<Throwable> broken) {
    this.tick = tick;
    this.broken = broken;
  }

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  /** Queues a task; once the loop has stopped it is dropped. Never waits. */
  @Override
  public void execute(Runnable task) {
    if (!stopping && !tasks.offer(task)) {
      stopping = true;
      broken.accept(new RejectedExecutionException(CAPACITY + " tasks wait for the node's loop"));
    }
  }

  /** Whether tasks are still run. */
  boolean isRunning() {
    return !stopping;
  }

  /**
   * Runs something on the loop and gives what it returned; empty if that took too long or the loop
   * has stopped.
   */
  <T> Optional<T> ask(Supplier<T> question, long timeoutMs) {
    if (stopping) {
      return Optional.empty();
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    execute(() -> answer.complete(question.get()));
    try {
      return Optional.ofNullable(answer.get(timeoutMs, TimeUnit.MILLISECONDS));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (ExecutionException | TimeoutException late) {
      return Optional.empty();
    }
  }

  /** Ends after the running task; returns then, or after two seconds. */
  void stop() {
    stopping = true;
    if (Thread.currentThread() != thread) {
      try {
        thread.join(JOIN_MS);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Tasks that wait. */
  int waiting() {
    return tasks.size();
  }

  /** Longest that a task took, ns. */
  long longestNanos() {
    return longestNanos;
  }

  /** Tasks that took longer than 200 ms. */
  long longTasks() {
    return longTasks;
  }

  private void run() {
    long nextTick = System.nanoTime();
    try {
      while (!stopping) {
        long now = System.nanoTime();
        if (now - nextTick >= 0) {
          nextTick = now + TICK_NANOS;
          timed(tick, now);
        }
        Runnable task = tasks.poll(Math.max(0, nextTick - System.nanoTime()), TimeUnit.NANOSECONDS);
        if (task != null && !stopping) {
          timed(task, System.nanoTime());
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error unexpected) {
      stopping = true;
      LOG.error("event=node_loop_broken", unexpected);
      broken.accept(unexpected);
    }
  }

  private void timed(Runnable task, long begin) {
    task.run();
    long took = System.nanoTime() - begin;
    longestNanos = Math.max(longestNanos, took);
    if (took > LONG_TASK_NANOS) {
      longTasks = longTasks + 1;
      LOG.warn("event=node_loop_slow ms={}", TimeUnit.NANOSECONDS.toMillis(took));
    }
  }
}
