package io.tidemark.core;

import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.event.EventCodec;
import io.tidemark.api.log.LogEntry;
import io.tidemark.core.metrics.CoreMetrics;
import io.tidemark.core.segment.AllocatorKind;

/** Rebuilds a state from log entries; used at a start and by forensic tools alike. */
public final class Replayer {
  private final MasterState state;
  private final Applier applier;
  private long entries;
  private long events;
  private long lastIndex;

  /** A replayer with an empty state. */
  public Replayer(AllocatorKind allocatorKind) {
    this(new MasterState(allocatorKind, new CoreMetrics()));
  }

  /** A replayer that goes on behind a restored snapshot. */
  public Replayer(StateImporter.Restored restored) {
    this(restored.state());
    lastIndex = restored.position().index();
  }

  private Replayer(MasterState state) {
    this.state = state;
    this.applier = new Applier(state);
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

  public MasterState state() {
    return state;
  }

  /** Digest of the state reached. */
  public long digest() {
    return Digest.of(state);
  }

  public long entries() {
    return entries;
  }

  public long events() {
    return events;
  }
}
