package io.tidemark.chaos.sim;

import io.tidemark.api.ha.Member;
import io.tidemark.server.node.NodeIdentity;
import io.tidemark.testkit.log.SimulatedLog;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;

/** What of a host outlives its process: the log directory. */
final class SimDisk implements NodeIdentity {
  private final SimulatedLog.Mode mode;
  private final SplittableRandom random;
  private final UUID node;
  private UUID incarnation;
  private UUID cluster;
  private long recordRevision;
  private SimulatedLog log;

  SimDisk(SimulatedLog.Mode mode, SplittableRandom random) {
    this.mode = mode;
    this.random = random;
    node = id();
    incarnation = id();
    log = new SimulatedLog(mode);
  }

  private UUID id() {
    return new UUID(random.nextLong(), random.nextLong());
  }

  SimulatedLog log() {
    return log;
  }

  /** The process died; the page cache stays. */
  void processDied() {
    log = log.crash();
  }

  /**
   * The host lost power. With {@code persist=page} acknowledged entries may be gone, so the member
   * is another one from now on (COR-16); with {@code persist=disk} none can be.
   */
  void hostDied() {
    log = log.powerLossKeeping(random.nextInt(20));
    if (mode == SimulatedLog.Mode.PAGE) {
      incarnation = id();
    }
  }

  /** The volume was replaced by an empty one; the node kept its name. */
  void wiped() {
    log.crash();
    log = new SimulatedLog(mode);
    incarnation = id();
    cluster = null;
    recordRevision = 0;
  }

  @Override
  public Member self() {
    return new Member(node, incarnation);
  }

  @Override
  public Optional<UUID> cluster() {
    return Optional.ofNullable(cluster);
  }

  @Override
  public void adopt(UUID adopted) {
    cluster = adopted;
  }

  @Override
  public long recordRevision() {
    return recordRevision;
  }

  @Override
  public void noteRecordRevision(long revision) {
    recordRevision = Math.max(recordRevision, revision);
  }
}
