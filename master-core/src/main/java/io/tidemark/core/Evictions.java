package io.tidemark.core;

import io.tidemark.api.event.Reason;
import io.tidemark.api.rpc.Reply;
import io.tidemark.core.metrics.CoreMetric;
import io.tidemark.core.metrics.CoreMetrics;
import io.tidemark.core.object.ObjectCommands;
import io.tidemark.core.object.ObjectContext;
import io.tidemark.core.segment.MountedSegment;
import io.tidemark.core.table.ScopedKey;
import java.util.List;
import java.util.function.Consumer;

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

  private final MasterConfig config;
  private final CoreMetrics metrics;
  private volatile boolean needed;
  private volatile long backOffMs;
  private volatile long notBeforeMs;
  private volatile ObjectCommands.Evicted lastSlice = ObjectCommands.Evicted.NOTHING;

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

  /**
   * Share of memory in use; 0 without memory. Of owners heard in this term: what those hold that
   * have not come back must not cost objects of those that have (COR-23, HA-REQ-046).
   */
  private static double usedRatio(MasterState state) {
    long capacity = 0;
    long used = 0;
    for (MountedSegment segment : state.segments().snapshot()) {
      if (segment.isValid() && segment.isOwnerHeard()) {
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

  /**
   * One run: census, first pass, second pass. Begins on the scan thread; {@code done} is told at
   * the end, on any thread.
   */
  void run(Contexts contexts, Core core, Pacing pacing, Runnable done) {
    ObjectContext context = contexts.now();
    double over = usedRatio(context.state()) - config.highWatermarkRatio();
    double target = Math.min(1, Math.max(config.evictionRatio(), over + config.evictionRatio()));
    double lower = Math.min(target, Math.max(target / 2, over));
    Reason reason = over > 0 ? Reason.EVICTED_WATERMARK : Reason.EVICTED_ALLOCATION;
    pacing.hurry(needed || over > (1 - config.highWatermarkRatio()) / 2);
    EvictionCensus census = new EvictionCensus(context, pacing);
    if (census.base() == 0) {
      needed = false;
      putOff(context.nowMs());
      done.run();
      return;
    }
    long ideal = (long) Math.ceil(census.base() * target);
    long least = (long) Math.ceil(census.base() * lower);
    Run run = new Run(core, pacing, reason, total -> end(contexts, total, done));
    List<ScopedKey> first = census.oldest(ideal, false);
    boolean wereAll = first.size() >= census.unpinned();
    run.evict(
        first,
        ideal,
        false,
        () -> {
          long missing = least - run.total.keys();
          if (missing > 0 && wereAll && config.allowEvictSoftPinned()) {
            run.evict(census.oldest(missing, true), missing, true, run::end);
          } else {
            run.end();
          }
        });
  }

  private void end(Contexts contexts, ObjectCommands.Evicted total, Runnable done) {
    settle(contexts.term().nowMs(), total);
    done.run();
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

  /** The slices of one run, one after the other; each is committed before the next. */
  private final class Run {
    private final Core core;
    private final Pacing pacing;
    private final Reason reason;
    private final Consumer<ObjectCommands.Evicted> whenDone;
    private ObjectCommands.Evicted total = ObjectCommands.Evicted.NOTHING;

    Run(Core core, Pacing pacing, Reason reason, Consumer<ObjectCommands.Evicted> whenDone) {
      this.core = core;
      this.pacing = pacing;
      this.reason = reason;
      this.whenDone = whenDone;
    }

    /** Evicts from the list until {@code wanted} are gone, then goes on with {@code next}. */
    void evict(List<ScopedKey> keys, long wanted, boolean softToo, Runnable next) {
      evictFrom(keys, 0, total.keys() + wanted, softToo, next);
    }

    private void evictFrom(
        List<ScopedKey> keys, int from, long until, boolean softToo, Runnable next) {
      if (from >= keys.size() || total.keys() >= until) {
        next.run();
        return;
      }
      long slice = Math.min(CommandExecutor.WRITE_SLICE, until - total.keys());
      int to = (int) Math.min(keys.size(), from + slice);
      Command.Evict command = new Command.Evict(keys.subList(from, to), softToo, reason);
      core.submit(
          command,
          reply -> {
            if (reply.equals(Reply.OK)) {
              total = total.plus(lastSlice);
              pacing.goOn(() -> evictFrom(keys, to, until, softToo, next));
            } else {
              end(); // the term is over, or the inbox is full: the next run begins anew
            }
          });
    }

    void end() {
      whenDone.accept(total);
    }
  }
}
