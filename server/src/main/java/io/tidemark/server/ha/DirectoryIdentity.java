package io.tidemark.server.ha;

import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import io.tidemark.oplog.LogIdentity;
import io.tidemark.oplog.MemberFacts;
import io.tidemark.oplog.MemberFile;
import io.tidemark.oplog.OpenedLog;
import io.tidemark.server.node.ForcedStart;
import io.tidemark.server.node.NodeIdentity;
import java.util.Optional;
import java.util.UUID;

/**
 * Who the node is, in its log directory: node and incarnation as the log has them, the rest in
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
    return file.facts().cluster().or(() -> ownCluster);
  }

  @Override
  public void adopt(UUID cluster) {
    if (cluster().isPresent()) {
      throw new IllegalStateException("the directory belongs to cluster " + cluster().get());
    }
    file.write(MemberFacts.NONE.ofCluster(cluster));
  }

  @Override
  public long recordRevision() {
    return file.facts().recordRevision();
  }

  @Override
  public long forcedEpoch() {
    return file.facts().forcedEpoch();
  }

  @Override
  public void noteRecord(MembershipRecord record) {
    boolean forcedSince = record.forcedEpoch() > forcedEpoch();
    if (forcedSince || record.modRevision() > recordRevision()) {
      write(file.facts().withRecord(record.modRevision(), record.forcedEpoch()));
    }
  }

  @Override
  public long viewVersion() {
    return file.facts().viewVersion();
  }

  @Override
  public void noteView(long version) {
    if (version > viewVersion() && cluster().isPresent()) {
      write(file.facts().withView(version));
    }
  }

  @Override
  public void forgetViews() {
    write(file.facts().withView(0));
  }

  @Override
  public Optional<ForcedStart> ordered() {
    MemberFacts facts = file.facts();
    return facts.orderedEpoch() == 0
        ? Optional.empty()
        : Optional.of(new ForcedStart(facts.orderedEpoch(), facts.keepsMemory()));
  }

  @Override
  public void order(ForcedStart order) {
    write(file.facts().withOrder(order.epoch(), order.keepsMemory()));
  }

  @Override
  public void orderIsOver() {
    if (ordered().isPresent()) {
      write(file.facts().withOrder(0, false));
    }
  }

  private void write(MemberFacts facts) {
    file.write(facts.ofCluster(cluster().orElseThrow()));
  }
}
