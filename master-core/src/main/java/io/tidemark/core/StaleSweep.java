package io.tidemark.core;

import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.SegmentStatus;
import io.tidemark.core.segment.MountedSegment;
import io.tidemark.core.table.ObjectCursor;
import io.tidemark.core.table.ScopedKey;
import java.util.ArrayList;
import java.util.List;

/**
 * Drops what departed segments held, in two passes (REQ-013): collect keys in slices on the scan
 * thread, then hand them to the core in slices. When all objects were seen, the mounts that were
 * departing at the start are forgotten.
 */
final class StaleSweep {

  /** Whether there is a departed segment to sweep for. */
  boolean isDue(MasterState state) {
    return state.segments().snapshot().stream().anyMatch(segment -> !segment.isValid());
  }

  /** One whole sweep, on the scan thread. */
  void run(Contexts contexts, Core core) {
    MasterState state = contexts.state();
    int[] departing =
        state.segments().snapshot().stream()
            .filter(segment -> segment.status() == SegmentStatus.UNMOUNTING)
            .mapToInt(MountedSegment::number)
            .toArray();
    List<ScopedKey> stale = new ArrayList<>();
    state
        .objects()
        .scan(
            CommandExecutor.SLICE,
            object -> {
              if (holdsStale(contexts, object)) {
                stale.add(object.key());
              }
            });
    for (int from = 0; from < stale.size(); from += CommandExecutor.SLICE) {
      int to = Math.min(stale.size(), from + CommandExecutor.SLICE);
      core.submit(new Command.Sweep(stale.subList(from, to), new int[0]), StaleSweep::ignore);
    }
    core.submit(new Command.Sweep(List.of(), departing), StaleSweep::ignore);
  }

  private static boolean holdsStale(Contexts contexts, ObjectCursor object) {
    for (int i = 0; i < object.replicaCount(); i++) {
      if (!contexts.rules().isValid(object, i)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Nobody waits for a sweep; if the core refuses a slice the mount stays and the next sweep finds
   * it again.
   */
  private static void ignore(Reply reply) {}
}
