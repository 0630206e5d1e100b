package io.tidemark.server.metrics;

import io.tidemark.core.MasterView;
import io.tidemark.oplog.LogTimes;
import io.tidemark.server.ha.MemberControl;
import io.tidemark.wire.ProfileRegistry;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where the page takes its values from.
 *
 * @param releases what is known of the clients' releases
 * @param displayVersion version of this program
 * @param serviceVersion version that clients compare
 * @param fileCapacityBytes capacity of the shared file system, 0 without one
 * @param logTimes how long the log takes
 * @param member present in a cluster of masters
 */
public record MetricSources(
    MasterView view,
    RequestMetrics requests,
    ServerMetrics server,
    Supplier<ProfileRegistry.Stats> releases,
    String displayVersion,
    String serviceVersion,
    long fileCapacityBytes,
    SnapshotFigures snapshots,
    LogTimes logTimes,
    Optional<MemberControl> member) {

  /** A single master without snapshots. */
  public MetricSources(
      MasterView view,
      RequestMetrics requests,
      ServerMetrics server,
      Supplier<ProfileRegistry.Stats> releases,
      String displayVersion,
      String serviceVersion,
      long fileCapacityBytes) {
    this(
        view,
        requests,
        server,
        releases,
        displayVersion,
        serviceVersion,
        fileCapacityBytes,
        new SnapshotFigures(),
        new LogTimes(),
        Optional.empty());
  }
}
