package io.tidemark.server.ha;

import io.tidemark.core.Master;
import io.tidemark.oplog.ChronicleLog;
import io.tidemark.oplog.replication.LeaderReplication;
import io.tidemark.server.node.Node;
import io.tidemark.server.snapshot.MasterSource;
import java.util.Optional;

/**
 * A leader's state and log as what snapshots are taken of. While it has a standby in sync that
 * takes snapshots it takes few itself; its log keeps what others still need.
 */
final class LeaderSource extends MasterSource {
  /** How much longer a leader's log grows than a standby's before it takes a snapshot itself. */
  private static final int PATIENCE = 4;

  /**
   * A standby that catches up holds the log back up to so many times what brings a snapshot; then
   * it is sent one.
   */
  private static final int HELD_BACK_FACTOR = 4;

  private static final long LOOP_TIMEOUT_MS = 10_000;

  private final Node node;
  private final NodeLoop loop;
  private final StatusBoard board;
  private final long snapshotLogBytes;

  LeaderSource(
      Master master,
      Node node,
      NodeLoop loop,
      ChronicleLog log,
      StatusBoard board,
      long snapshotLogBytes) {
    super(master, log);
    this.node = node;
    this.loop = loop;
    this.board = board;
    this.snapshotLogBytes = snapshotLogBytes;
  }

  @Override
  public int patience() {
    boolean relieved = board.get().standbys().stream().anyMatch(NodeStatus.Standby::inSync);
    return relieved ? PATIENCE : 1;
  }

  /** On the loop, which knows what others need, and ships from the log. */
  @Override
  public int removeBefore(long index) {
    return loop.ask(() -> super.removeBefore(atMostNeeded(index)), LOOP_TIMEOUT_MS).orElse(0);
  }

  private long atMostNeeded(long index) {
    Optional<LeaderReplication> replication = node.replication();
    if (replication.isEmpty()) {
      return 0;
    }
    long needed = replication.get().neededFrom(true);
    boolean tooMuch = logBytesFrom(needed) > snapshotLogBytes * HELD_BACK_FACTOR;
    return Math.min(index, tooMuch ? replication.get().neededFrom(false) : needed);
  }
}
