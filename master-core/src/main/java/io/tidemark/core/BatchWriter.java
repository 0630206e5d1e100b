package io.tidemark.core;

import io.tidemark.api.Uuid;
import io.tidemark.api.event.Event;
import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.event.EventCodec;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.log.OperationLog;
import io.tidemark.api.port.WallClock;
import io.tidemark.core.metrics.CoreMetric;
import io.tidemark.core.metrics.CoreMetrics;

/**
 * Turns the events of one command into log entries: each event gets its index, is applied, and is
 * encoded; the entries are appended when the command is through. A batch that outgrows an entry is
 * sliced; its last entry carries the end mark.
 *
 * <p>Called by the holder of the core role.
 */
final class BatchWriter implements EventSink {
  /** Where an entry is cut; with the largest event on top it stays under the limit of 1 MiB. */
  private static final int SLICE_BYTES = 256 * 1024;

  private static final int INITIAL_BYTES = 4096;
  private static final int KEPT_BYTES = 4 * 1024 * 1024;

  private final OperationLog log;
  private final Applier applier;
  private final WallClock wall;
  private final CoreMetrics metrics;
  private EventBuffer buffer = new EventBuffer(INITIAL_BYTES);
  private EntryHeader header;
  private long nextIndex;
  private int eventsInBatch;

  BatchWriter(OperationLog log, Applier applier, WallClock wall, CoreMetrics metrics) {
    this.log = log;
    this.applier = applier;
    this.wall = wall;
    this.metrics = metrics;
    this.nextIndex = log.end().index() + 1;
  }

  /** Starts the batch of one command. */
  void begin(long epoch, long logTimeMs, int causeCode, Uuid actor) {
    eventsInBatch = 0;
    beginEntry(epoch, logTimeMs, causeCode, actor);
  }

  private void beginEntry(long epoch, long logTimeMs, int causeCode, Uuid actor) {
    buffer.truncate(0);
    header = new EntryHeader(nextIndex, epoch, logTimeMs, 0, causeCode, actor, false);
  }

  @Override
  public void add(Event event) {
    if (buffer.position() >= SLICE_BYTES) {
      append(false);
    }
    eventsInBatch++;
    applier.apply(event, header);
    EventCodec.write(event, buffer);
  }

  /** Events of the present batch so far. */
  int eventsInBatch() {
    return eventsInBatch;
  }

  /** Appends what is left of the batch; returns whether it had any events. */
  boolean finish() {
    if (eventsInBatch == 0) {
      return false;
    }
    append(true);
    metrics.applied(CoreMetric.BATCHES_APPENDED, 1);
    return true;
  }

  /** Index of the last appended entry. */
  long lastIndex() {
    return nextIndex - 1;
  }

  private void append(boolean batchEnd) {
    EntryHeader stamped =
        new EntryHeader(
            header.index(),
            header.epoch(),
            header.logTimeMs(),
            wall.millis(),
            header.causeCode(),
            header.actor(),
            batchEnd);
    log.append(stamped, buffer.array(), 0, buffer.position());
    nextIndex++;
    if (!batchEnd) {
      beginEntry(header.epoch(), header.logTimeMs(), header.causeCode(), header.actor());
    }
    buffer.truncate(0);
    if (buffer.array().length > KEPT_BYTES) {
      buffer = new EventBuffer(INITIAL_BYTES);
    }
  }
}
