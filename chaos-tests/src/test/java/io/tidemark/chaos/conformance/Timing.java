package io.tidemark.chaos.conformance;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import java.util.List;
import java.util.Set;

/** Which deadlines a call begins. */
final class Timing {
  /** Upstream sweeps what a departed segment held on a thread of its own. */
  private static final long SWEEP_MS = 250;

  private static final Set<Rpc> LEASING =
      Set.of(
          Rpc.EXIST_KEY,
          Rpc.BATCH_EXIST_KEY,
          Rpc.GET_REPLICA_LIST,
          Rpc.BATCH_GET_REPLICA_LIST,
          Rpc.GET_REPLICA_LIST_BY_REGEX,
          Rpc.BATCH_PROBE_KEY);

  private static final Set<Rpc> STARTS =
      Set.of(Rpc.PUT_START, Rpc.BATCH_PUT_START, Rpc.UPSERT_START, Rpc.BATCH_UPSERT_START);

  private final Setting setting;
  private final Deadlines deadlines;
  private long firstReleaseMs = Long.MAX_VALUE;

  Timing(Setting setting, Deadlines deadlines) {
    this.setting = setting;
    this.deadlines = deadlines;
  }

  /**
   * Notes the deadlines of a call.
   *
   * @param beginMs before the first master was asked
   * @param endMs after the second answered
   */
  void note(Request request, long beginMs, long endMs) {
    if (LEASING.contains(request.rpc())) {
      expect(beginMs, endMs, setting.leaseMs(), 0);
    } else if (STARTS.contains(request.rpc())) {
      expect(beginMs, endMs, setting.discardMs(), 0);
      expect(beginMs, endMs, setting.releaseMs(), Setting.RELEASE_LAG_MS);
      firstReleaseMs = Math.min(firstReleaseMs, beginMs + setting.releaseMs());
    } else if (request instanceof Request.UnmountSegment) {
      expect(beginMs, endMs, 0, SWEEP_MS);
    } else if (request instanceof Request.Ping ping) {
      heard(ping.clientId(), beginMs, endMs);
    } else if (request instanceof Request.MountSegment mount) {
      heard(mount.clientId(), beginMs, endMs);
    } else if (request instanceof Request.ReMountSegment remount) {
      heard(remount.clientId(), beginMs, endMs);
    }
  }

  private void expect(long beginMs, long endMs, long afterMs, long lagMs) {
    deadlines.expect(beginMs + afterMs, endMs + afterMs + lagMs);
  }

  /** A later sign of life moves the earlier one's deadlines. */
  private void heard(Uuid client, long beginMs, long endMs) {
    long suspectedMs = setting.activeMs();
    long offlineMs = suspectedMs + setting.suspicionMs();
    deadlines.replace(
        client.toString(),
        beginMs,
        List.of(
            new long[] {beginMs + suspectedMs, endMs + suspectedMs + Setting.LIVENESS_LAG_MS},
            new long[] {beginMs + offlineMs, endMs + offlineMs + Setting.LIVENESS_LAG_MS}));
  }

  /** Whether an unfinished write may have been given up by now, so that memory came back. */
  boolean hasReleased() {
    return firstReleaseMs <= ProtocolWait.nowMs();
  }
}
