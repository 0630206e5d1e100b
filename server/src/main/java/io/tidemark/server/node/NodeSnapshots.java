package io.tidemark.server.node;

import io.tidemark.api.log.LogPosition;
import io.tidemark.core.StateImporter;
import io.tidemark.oplog.replication.SnapshotShelf;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A node's snapshots: what its state is built from, and what standbys are sent. Called by the
 * node's loop; what takes long is done elsewhere, and callbacks come on the loop, later.
 */
public interface NodeSnapshots extends SnapshotShelf {

  /** Chooses a state to go on from: that of the newest snapshot that fits the log, or an empty. */
  void restore(Consumer<Choice> then);

  /**
   * Makes a snapshot that arrived whole one of this node's.
   *
   * @param then told what went wrong, nothing if it is there and sound
   */
  void publish(Incoming whole, Consumer<Optional<String>> then);

  /**
   * Lets the log go on behind a snapshot that is above its end: it has lost its tail, so the member
   * is another one from now on (COR-16, COR-26).
   */
  void goOnBehind(LogPosition position);

  /** Sets aside snapshots above {@code keep}, behind which the log is about to be cut (COR-26). */
  void setAsideAbove(LogPosition keep);

  /**
   * What a node goes on from.
   *
   * @param state empty if there is nothing to go on from
   * @param beyondLog whether the state is that of a snapshot above the log's end
   * @param why a sentence for people
   */
  record Choice(Optional<StateImporter.Restored> state, boolean beyondLog, String why) {}
}
