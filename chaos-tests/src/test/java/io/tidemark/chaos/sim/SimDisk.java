package io.tidemark.chaos.sim;

import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import io.tidemark.server.node.ForcedStart;
import io.tidemark.server.node.NodeIdentity;
import io.tidemark.testkit.log.SimulatedLog;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;

/** What of a host outlives its process: the log directory, and the snapshots. */
final class SimDisk implements NodeIdentity {
  private final SimulatedLog.Mode mode;
  private final SplittableRandom random;
  private final UUID node;
  private UUID incarnation;
  private int installed;
  private int tailsLost;
  private boolean noRoom;
  private UUID cluster;
  private long recordRevision;
  private long forcedEpoch;
  private long viewVersion;
  private Optional<ForcedStart> ordered = Optional.empty();
  private SimulatedLog log;
  private final NavigableMap<Long, SimSnapshot> snapshots = new TreeMap<>();

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

  /** Snapshots by index; forced before they count. */
  NavigableMap<Long, SimSnapshot> snapshots() {
    return snapshots;
  }

  /** Whether there is no room for snapshots that arrive. */
  boolean keepsNoSnapshots() {
    return noRoom;
  }

  void keepNoSnapshots(boolean value) {
    noRoom = value;
  }

  /** How many snapshots of leaders were installed. */
  int installed() {
    return installed;
  }

  /** How often the log went on behind a snapshot because it had lost its tail. */
  int tailsLost() {
    return tailsLost;
  }

  void countInstalled() {
    installed++;
  }

  /** The log lost entries: the member is another one (COR-16). */
  void renewIncarnation() {
    tailsLost++;
    incarnation = id();
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
    snapshots.clear();
    incarnation = id();
    cluster = null;
    recordRevision = 0;
    forcedEpoch = 0;
    viewVersion = 0;
    ordered = Optional.empty();
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
  public long forcedEpoch() {
    return forcedEpoch;
  }

  @Override
  public void noteRecord(MembershipRecord record) {
    if (record.forcedEpoch() > forcedEpoch || record.modRevision() > recordRevision) {
      forcedEpoch = record.forcedEpoch();
      recordRevision = record.modRevision();
    }
  }

  @Override
  public long viewVersion() {
    return viewVersion;
  }

  @Override
  public void noteView(long version) {
    viewVersion = Math.max(viewVersion, version);
  }

  @Override
  public void forgetViews() {
    viewVersion = 0;
  }

  @Override
  public Optional<ForcedStart> ordered() {
    return ordered;
  }

  @Override
  public void order(ForcedStart order) {
    ordered = Optional.of(order);
  }

  @Override
  public void orderIsOver() {
    ordered = Optional.empty();
  }
}
