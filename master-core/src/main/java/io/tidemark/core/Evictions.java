package io.tidemark.core;

import io.tidemark.api.event.Reason;
import io.tidemark.api.rpc.Reply;
import io.tidemark.core.metrics.CoreMetric;
import io.tidemark.core.metrics.CoreMetrics;
import io.tidemark.core.object.ObjectCommands;
import io.tidemark.core.object.ObjectContext;
import io.tidemark.core.segment.MountedSegment;
import io.tidemark.core.table.ObjectCursor;
import io.tidemark.core.table.ScopedKey;
import io.tidemark.core.table.Stripe;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Memory eviction (objects specification, section 19; segments specification, section 9): when to
 * run, whom to choose. The census runs on the scan thread; the core judges each victim again.
 *
 * <p>Two passes: the least recently leased unpinned objects up to the target; then, if the lower
 * bound was not reached, what is left of them and soft-pinned ones. One undecided batch at a time,
 * so that slow commits don't make it evict twice (REQ-019); if nothing could be evicted the next
 * try is put off, doubling from 10 ms to 1 s (BUG-16).
 */
final class Evictions {
  private static final long MIN_BACK_OFF_MS = 10;
  private static final long MAX_BACK_OFF_MS = 1000;
  private static final long SLICE_TIMEOUT_S = 30;

  private record Candidate(ScopedKey key, long leaseUntilMs, long order) {}

  private final MasterConfig config;
  private final CoreMetrics metrics;
  private volatile boolean needed;
  private long backOffMs;
  private long notBeforeMs;
  private ObjectCommands.Evicted lastSlice = ObjectCommands.Evicted.NOTHING;

  Evictions(MasterConfig config, CoreMetrics metrics) {
    this.config = config;
    this.metrics = metrics;
  }

  /** An allocation failed although there are enough segments. */
  void allocationFailed() {
    needed = true;
  }

  /** What the last command evicted; told by the executor under the core role. */
  void evicted(ObjectCommands.Evicted total) {
    lastSlice = total;
  }

  /** Share of memory in use; 0 without memory. */
  private static double usedRatio(MasterState state) {
    long capacity = 0;
    long used = 0;
    for (MountedSegment segment : state.segments().snapshot()) {
      if (segment.isValid()) {
        capacity += segment.info().sizeBytes();
        used += segment.requestedBytes();
      }
    }
    return capacity == 0 ? 0 : (double) used / capacity;
  }

  /** Whether a run is due at log time {@code nowMs}. */
  boolean isDue(MasterState state, long nowMs) {
    if (nowMs < notBeforeMs) {
      return false;
    }
    return usedRatio(state) > config.highWatermarkRatio() || needed && config.evictionRatio() > 0;
  }

  /** One run: census, first pass, second pass. On the scan thread. */
  void run(Contexts contexts, Core core) {
    ObjectContext context = contexts.now();
    double over = usedRatio(context.state()) - config.highWatermarkRatio();
    double target = Math.min(1, Math.max(config.evictionRatio(), over + config.evictionRatio()));
    double lower = Math.min(target, Math.max(target / 2, over));
    Reason reason = over > 0 ? Reason.EVICTED_WATERMARK : Reason.EVICTED_ALLOCATION;
    Census census = new Census(context);
    if (census.base == 0) {
      needed = false;
      putOff(context.nowMs());
      return;
    }
    long ideal = (long) Math.ceil(census.base * target);
    int[] next = {0};
    ObjectCommands.Evicted total = evict(core, census.unpinned, next, ideal, false, reason);
    long missing = (long) Math.ceil(census.base * lower) - total.keys();
    if (missing > 0) {
      total = total.plus(secondPass(core, census, next, missing, reason));
    }
    settle(context.nowMs(), total);
  }

  private ObjectCommands.Evicted secondPass(
      Core core, Census census, int[] next, long missing, Reason reason) {
    ObjectCommands.Evicted first = evict(core, census.unpinned, next, missing, false, reason);
    if (first.keys() >= missing || !config.allowEvictSoftPinned()) {
      return first;
    }
    return first.plus(
        evict(core, census.softPinned, new int[] {0}, missing - first.keys(), true, reason));
  }

  private void settle(long nowMs, ObjectCommands.Evicted total) {
    metrics.add(CoreMetric.ATTEMPTED_EVICTIONS, 1);
    if (total.keys() == 0) {
      putOff(nowMs);
      return;
    }
    metrics.add(CoreMetric.SUCCESSFUL_EVICTIONS, 1);
    metrics.add(CoreMetric.EVICTED_KEYS, total.keys());
    metrics.add(CoreMetric.EVICTED_BYTES, total.bytes());
    needed = false;
    backOffMs = 0;
    notBeforeMs = 0;
  }

  private void putOff(long nowMs) {
    backOffMs = Math.min(MAX_BACK_OFF_MS, Math.max(MIN_BACK_OFF_MS, backOffMs * 2));
    notBeforeMs = nowMs + backOffMs;
  }

  /**
   * Evicts candidates in order until {@code wanted} objects are gone or none is left; {@code next}
   * is the position.
   */
  private ObjectCommands.Evicted evict(
      Core core,
      List<Candidate> candidates,
      int[] next,
      long wanted,
      boolean softToo,
      Reason reason) {
    ObjectCommands.Evicted total = ObjectCommands.Evicted.NOTHING;
    while (total.keys() < wanted && next[0] < candidates.size()) {
      long slice = Math.min(CommandExecutor.SLICE, wanted - total.keys());
      int to = (int) Math.min(candidates.size(), next[0] + slice);
      List<ScopedKey> keys = candidates.subList(next[0], to).stream().map(Candidate::key).toList();
      next[0] = to;
      if (!await(core, new Command.Evict(keys, softToo, reason))) {
        break;
      }
      total = total.plus(lastSlice);
    }
    return total;
  }

  /** Runs a slice and waits for its commit; false if the term is over or the log is stuck. */
  private boolean await(Core core, Command.Evict command) {
    lastSlice = ObjectCommands.Evicted.NOTHING;
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    core.submit(command, reply -> done.complete(reply.equals(Reply.OK)));
    try {
      return done.get(SLICE_TIMEOUT_S, TimeUnit.SECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException stuck) {
      return false;
    }
  }

  /** All candidates at one moment, oldest lease first; ties in the order of their last change. */
  private static final class Census {
    final List<Candidate> unpinned = new ArrayList<>();
    final List<Candidate> softPinned = new ArrayList<>();
    long base;

    /** Stripes are seen whole, so that none is seen twice for having grown in between. */
    private static final int WHOLE_STRIPE = Integer.MAX_VALUE;

    Census(ObjectContext context) {
      Stripe.RecordVisitor visitor = object -> look(context, object);
      context.state().objects().scan(WHOLE_STRIPE, visitor);
      Comparator<Candidate> oldestFirst =
          Comparator.comparingLong(Candidate::leaseUntilMs).thenComparingLong(Candidate::order);
      unpinned.sort(oldestFirst);
      softPinned.sort(oldestFirst);
    }

    private void look(ObjectContext context, ObjectCursor object) {
      if (object.isHardPinned() || !context.rules().hasEvictable(object)) {
        return;
      }
      base++;
      if (!context.isLeased(object)) {
        boolean soft = context.isSoftPinned(object);
        Candidate candidate =
            new Candidate(object.key(), object.leaseUntilMs(), object.lastIndex());
        (soft ? softPinned : unpinned).add(candidate);
      }
    }
  }
}
