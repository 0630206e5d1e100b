package io.tidemark.core;

import io.tidemark.api.event.Event;
import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.event.EventCodec;
import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.LogPosition;
import io.tidemark.core.metrics.CoreMetrics;
import io.tidemark.core.segment.AllocatorKind;

/**
 * Rebuilds a state from log entries; used at a start and by forensic tools alike.
 *
 * <p>Behind a damaged snapshot, objects may be missing that the log speaks of. An event that
 * changes or removes such an object is left out. That is sound because nothing else depends on it:
 * where the object was, the state has free memory, and whatever the log placed there later finds it
 * free. One kind of event is not: a removal that puts ranges into quarantine, since their numbers
 * on the discard list count on. There the replay ends with a refusal.
 */
public final class Replayer {
  private final MasterState state;
  private final Applier applier;
  private long entries;
  private long events;
  private long lastIndex;
  private long eventsLeftOut;
  private final int leftOut;

  /** A replayer with an empty state. */
  public Replayer(AllocatorKind allocatorKind) {
    this(new MasterState(allocatorKind, new CoreMetrics()));
  }

  /** A replayer that goes on behind a restored snapshot. */
  public Replayer(StateImporter.Restored restored) {
    state = restored.state();
    applier = restored.leftOut() == 0 ? new Applier(state) : new Applier(state, this::leaveOut);
    lastIndex = restored.position().index();
    leftOut = restored.leftOut();
  }

  private Replayer(MasterState state) {
    this.state = state;
    this.applier = new Applier(state);
    this.leftOut = 0;
  }

  private boolean leaveOut(Event.ObjectEvent event) {
    if (event instanceof Event.ReplicasDropped dropped && dropped.quarantineUntilMs() != 0) {
      throw new IllegalStateException(
          "log entry "
              + (lastIndex + 1)
              + " puts ranges of object "
              + event.key()
              + " into quarantine, which is among the objects that the damaged snapshot lacks; the"
              + " entries behind it can't be replayed on that snapshot");
    }
    eventsLeftOut++;
    return true;
  }

  /**
   * Applies all events of the next entry.
   *
   * @throws IllegalStateException if the entry does not follow its predecessor or does not fit the
   *     state
   */
  public void entry(LogEntry entry) {
    if (entry.header().index() != lastIndex + 1) {
      throw new IllegalStateException(
          "log entry "
              + entry.header().index()
              + " follows entry "
              + lastIndex
              + "; entries are missing");
    }
    EventBuffer in = EventBuffer.reading(entry.payload(), 0, entry.payload().length);
    while (in.hasRemaining()) {
      applier.apply(EventCodec.read(in), entry.header());
      events++;
    }
    lastIndex = entry.header().index();
    entries++;
  }

  /** Last entry that the state holds. */
  public long lastIndex() {
    return lastIndex;
  }

  public MasterState state() {
    return state;
  }

  /**
   * Fixes the state as it is, for a snapshot; entries may be applied at once again. Called by
   * whoever applies; one capture at a time.
   *
   * @param at the position of {@link #lastIndex()}, which is the end of a batch and committed
   * @param maxPreservedBytes bound of the memory that changing records may take until it is over
   */
  public ReplayCapture capture(LogPosition at, long maxPreservedBytes) {
    if (at.index() != lastIndex) {
      throw new IllegalArgumentException("the state stands at entry " + lastIndex + ", not " + at);
    }
    return new ReplayCapture(state, StateCapture.cut(state, at, maxPreservedBytes));
  }

  /** Digest of the state reached. */
  public long digest() {
    return Digest.of(state);
  }

  /** What {@link #digest} has to be, by a scan of all objects; for tests of just that. */
  public long recomputedDigest() {
    return Digest.recomputed(state);
  }

  public long entries() {
    return entries;
  }

  /** Objects that a damaged snapshot lacks. */
  int leftOut() {
    return leftOut;
  }

  /** Events about objects that a damaged snapshot lacks. */
  public long eventsLeftOut() {
    return eventsLeftOut;
  }

  public long events() {
    return events;
  }
}
