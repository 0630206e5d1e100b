package io.tidemark.server.admin;

import io.tidemark.core.MasterService;
import io.tidemark.server.ha.MemberControl;
import io.tidemark.server.metrics.MetricsPage;
import io.tidemark.server.metrics.SummaryText;
import io.tidemark.server.snapshot.SnapshotRequests;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What the pages draw from.
 *
 * @param displayVersion version of this program
 * @param serviceVersion version that clients compare
 * @param member present in a cluster of masters
 */
public record AdminContext(
    MasterService master,
    MetricsPage metrics,
    SummaryText summary,
    String displayVersion,
    String serviceVersion,
    SnapshotRequests snapshots,
    Optional<MemberControl> member) {

  /** A single master without snapshots. */
  public AdminContext(
      MasterService master,
      MetricsPage metrics,
      SummaryText summary,
      String displayVersion,
      String serviceVersion) {
    this(
        master,
        metrics,
        summary,
        displayVersion,
        serviceVersion,
        () -> CompletableFuture.failedFuture(new IllegalStateException("no snapshots here")),
        Optional.empty());
  }
}
