package io.tidemark.server.ha;

import io.tidemark.api.ha.Member;
import io.tidemark.oplog.LogIdentity;
import io.tidemark.oplog.MemberFile;
import io.tidemark.oplog.OpenedLog;
import io.tidemark.server.node.NodeIdentity;
import java.util.Optional;
import java.util.UUID;

/**
 * Who the node is, in its log directory: node and incarnation as the log has them, the cluster in
 * {@link MemberFile}. The log of a single master is of the cluster that it made for itself, so that
 * no other cluster takes it for a new member's.
 */
final class DirectoryIdentity implements NodeIdentity {
  private Member self;
  private final MemberFile file;
  private final Optional<UUID> ownCluster;

  DirectoryIdentity(OpenedLog opened, MemberFile file) {
    self = new Member(opened.identity().node(), opened.identity().incarnation());
    this.file = file;
    boolean blank = opened.report().end().index() == 0;
    ownCluster = blank ? Optional.empty() : Optional.of(opened.identity().cluster());
  }

  /** The log directory has another incarnation from now on (COR-16). */
  void renewed(LogIdentity now) {
    self = new Member(now.node(), now.incarnation());
  }

  @Override
  public Member self() {
    return self;
  }

  @Override
  public Optional<UUID> cluster() {
    return file.cluster().or(() -> ownCluster);
  }

  @Override
  public void adopt(UUID cluster) {
    if (cluster().isPresent()) {
      throw new IllegalStateException("the directory belongs to cluster " + cluster().get());
    }
    file.write(cluster, 0);
  }

  @Override
  public long recordRevision() {
    return file.recordRevision();
  }

  @Override
  public void noteRecordRevision(long revision) {
    if (revision > file.recordRevision()) {
      file.write(cluster().orElseThrow(), revision);
    }
  }
}
