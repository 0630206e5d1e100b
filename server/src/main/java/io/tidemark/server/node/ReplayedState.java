package io.tidemark.server.node;

import io.tidemark.api.event.Event;
import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.event.EventCodec;
import io.tidemark.api.event.UnknownEventException;
import io.tidemark.api.log.Cause;
import io.tidemark.api.log.LogEntry;
import io.tidemark.core.Replayer;
import io.tidemark.oplog.replication.DigestMismatchException;
import io.tidemark.oplog.replication.StandbyState;

/** A standby's state: applies entries, and holds its digest against the leader's (COR-28). */
final class ReplayedState implements StandbyState {
  private final Replayer replayer;

  ReplayedState(Replayer replayer) {
    this.replayer = replayer;
  }

  Replayer replayer() {
    return replayer;
  }

  /** The entry's digest is that of the state after everything before the event. */
  @Override
  public void apply(LogEntry entry) {
    try {
      replayer.entry(entry);
    } catch (IllegalStateException | UnknownEventException broken) {
      // People have to know where to look (HA-REQ-039).
      throw new IllegalStateException(
          "entry " + entry.header().index() + ": " + broken.getMessage(), broken);
    }
    boolean digest = entry.header().causeCode() == Cause.of(Cause.Trigger.DIGEST);
    if (digest && replayer.eventsLeftOut() == 0 && entry.payload().length > 0) {
      EventBuffer in = EventBuffer.reading(entry.payload(), 0, entry.payload().length);
      if (EventCodec.read(in) instanceof Event.StateDigest leaders
          && leaders.digest() != replayer.digest()) {
        throw new DigestMismatchException(
            entry.header().index(), replayer.digest(), leaders.digest());
      }
    }
  }
}
