package io.tidemark.core;

import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.SegmentStatus;
import io.tidemark.core.segment.MountedSegment;
import io.tidemark.core.table.ObjectCursor;
import io.tidemark.core.table.ObjectTable;
import io.tidemark.core.table.ScopedKey;
import java.util.ArrayList;
import java.util.List;

/**
 * Drops what departed segments held, in two passes (REQ-013): collect keys in slices on the scan
 * thread, then hand them to the core in slices, part by part of the table. When all objects were
 * seen, the mounts that were departing at the start are forgotten.
 */
final class StaleSweep {

  /** Whether there is a departed segment to sweep for. */
  boolean isDue(MasterState state) {
    return state.segments().snapshot().stream().anyMatch(segment -> !segment.isValid());
  }

  /** One whole sweep. Begins on the scan thread; {@code done} is told at the end, on any thread. */
  void run(Contexts contexts, Core core, Pacing pacing, Runnable done) {
    new Run(contexts, core, pacing, done).scanFrom(0);
  }

  private static final class Run {
    private final Contexts contexts;
    private final Core core;
    private final Pacing pacing;
    private final Runnable done;
    private final int[] departing;

    Run(Contexts contexts, Core core, Pacing pacing, Runnable done) {
      this.contexts = contexts;
      this.core = core;
      this.pacing = pacing;
      this.done = done;
      this.departing =
          contexts.state().segments().snapshot().stream()
              .filter(segment -> segment.status() == SegmentStatus.UNMOUNTING)
              .mapToInt(MountedSegment::number)
              .toArray();
    }

    /** Looks at stripes until one has something to sweep, sweeps it, and goes on behind it. */
    void scanFrom(int firstStripe) {
      ObjectTable objects = contexts.state().objects();
      List<ScopedKey> stale = new ArrayList<>();
      int stripe = firstStripe;
      while (stripe < objects.stripeCount() && stale.isEmpty()) {
        objects.scanStripe(
            stripe++,
            CommandExecutor.SLICE,
            object -> {
              if (holdsStale(contexts, object)) {
                stale.add(object.key());
              }
            },
            pacing::afterSlice);
      }
      if (stale.isEmpty()) {
        core.submit(new Command.Sweep(List.of(), departing), reply -> done.run());
      } else {
        sweepFrom(stale, 0, stripe);
      }
    }

    /**
     * Nobody waits for a sweep; if the core refuses a slice the mounts stay and the next sweep
     * finds them again.
     */
    private void sweepFrom(List<ScopedKey> stale, int from, int nextStripe) {
      int to = Math.min(stale.size(), from + CommandExecutor.WRITE_SLICE);
      core.submit(
          new Command.Sweep(stale.subList(from, to), new int[0]),
          reply -> {
            if (!reply.equals(Reply.OK)) {
              done.run();
            } else if (to < stale.size()) {
              pacing.goOn(() -> sweepFrom(stale, to, nextStripe));
            } else {
              pacing.goOn(() -> scanFrom(nextStripe));
            }
          });
    }

    private static boolean holdsStale(Contexts contexts, ObjectCursor object) {
      for (int i = 0; i < object.replicaCount(); i++) {
        if (!contexts.rules().isValid(object, i)) {
          return true;
        }
      }
      return false;
    }
  }
}
