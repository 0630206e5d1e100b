package io.tidemark.server.ha;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's one thread: the event loop of its streams. Runs tasks in order, and a tick in between.
 * What a stream brings is run where it arrives, without another thread in between: on the way of a
 * commit each one costs more than what is done there.
 *
 * <p>The queue is bounded; what fills it is a defect or a machine that stands still, and the
 * process ends then, since a lost task would leave the node in a state that nothing describes.
 */
final class NodeLoop implements Executor {
  private static final Logger LOG = LoggerFactory.getLogger(NodeLoop.class);
  private static final int CAPACITY = 1 << 16;
  private static final long TICK_MS = 5;
  private static final long LONG_TASK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long STOP_MS = 2_000;

  /** Tasks that run before the streams get their turn. */
  private static final int TASKS_A_TURN = 256;

  private final BlockingQueue<Runnable> tasks = new ArrayBlockingQueue<>(CAPACITY);
  private final AtomicBoolean turnComes = new AtomicBoolean();
  private final Context context;
  private final Runnable tick;
  private final Consumer<Throwable> broken;
  private volatile Thread thread;
  private volatile boolean stopping;
  private volatile long longestNanos;
  private volatile long longTasks;

  /** The loop's own. */
  private boolean running;

  /**
   * A loop that does not run yet.
   *
   * @param vertx has one event loop
   * @param broken told, on any thread, what no task may throw; the loop does nothing more then
   */
  NodeLoop(Vertx vertx, Runnable tick, Consumer<Throwable> broken) {
    this.context = vertx.getOrCreateContext();
    this.tick = tick;
    this.broken = broken;
  }

  void start() {
    context.runOnContext(
        nothing -> {
          thread = Thread.currentThread();
          thread.setName("node");
          context
              .owner()
              .setPeriodic(
                  TICK_MS,
                  timer -> {
                    if (stopping) {
                      context.owner().cancelTimer(timer);
                    } else {
                      timed(tick);
                    }
                  });
          turn();
        });
  }

  /**
   * Runs a task: at once, if a stream's event gives it on the loop's thread; else it is queued.
   * Once the loop has stopped it is dropped. Never waits.
   */
  @Override
  public void execute(Runnable task) {
    if (stopping) {
      return;
    }
    if (Thread.currentThread() == thread && !running) {
      timed(task);
    } else if (!tasks.offer(task)) {
      stopping = true;
      broken.accept(new RejectedExecutionException(CAPACITY + " tasks wait for the node's loop"));
    } else if (thread != null) {
      wake();
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
    if (thread != null && Thread.currentThread() != thread) {
      CountDownLatch idle = new CountDownLatch(1);
      context.runOnContext(nothing -> idle.countDown());
      try {
        if (!idle.await(STOP_MS, TimeUnit.MILLISECONDS)) {
          LOG.warn("event=node_loop_busy detail=\"a task still runs after {} ms\"", STOP_MS);
        }
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

  private void wake() {
    if (turnComes.compareAndSet(false, true)) {
      context.runOnContext(nothing -> turn());
    }
  }

  private void turn() {
    turnComes.set(false);
    Runnable task = tasks.poll();
    for (int i = 1; task != null && !stopping; i++) {
      timed(task);
      task = i < TASKS_A_TURN ? tasks.poll() : null;
    }
    if (!tasks.isEmpty() && !stopping) {
      wake();
    }
  }

  private void timed(Runnable task) {
    long begin = System.nanoTime();
    running = true;
    try {
      task.run();
    } catch (RuntimeException | Error unexpected) {
      stopping = true;
      LOG.error("event=node_loop_broken", unexpected);
      broken.accept(unexpected);
    } finally {
      running = false;
    }
    long took = System.nanoTime() - begin;
    longestNanos = Math.max(longestNanos, took);
    if (took > LONG_TASK_NANOS) {
      longTasks = longTasks + 1;
      LOG.warn("event=node_loop_slow ms={}", TimeUnit.NANOSECONDS.toMillis(took));
    }
  }
}
