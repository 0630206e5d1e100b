package io.tidemark.chaos.sim;

import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.state.StateRecord;
import io.tidemark.api.state.StateRecordCodec;
import io.tidemark.api.state.StateSink;
import io.tidemark.core.StateImporter;
import io.tidemark.core.segment.AllocatorKind;
import java.util.Arrays;

/** A snapshot in memory: the digest, and the records in their stored form. */
record SimSnapshot(LogPosition position, byte[] bytes) {

  /** Writes one. */
  static final class Writer implements StateSink {
    private final EventBuffer out = new EventBuffer(1024);
    private final EventBuffer record = new EventBuffer(256);
    private LogPosition position;
    private SimSnapshot written;

    SimSnapshot written() {
      return written;
    }

    @Override
    public void begin(LogPosition at) {
      position = at;
      out.putLong(0);
    }

    @Override
    public void record(StateRecord next) {
      StateRecordCodec.write(next, out);
    }

    @Override
    public void end(long digest, long objects) {
      byte[] bytes = Arrays.copyOf(out.array(), out.position());
      record.putLong(digest);
      System.arraycopy(record.array(), 0, bytes, 0, Long.BYTES);
      written = new SimSnapshot(position, bytes);
    }
  }

  /** The state in it; a digest that does not agree is a violation. */
  StateImporter.Restored restore() {
    EventBuffer in = EventBuffer.reading(bytes, 0, bytes.length);
    long digest = in.getLong();
    StateImporter importer = new StateImporter(AllocatorKind.OFFSET);
    while (in.hasRemaining()) {
      importer.record(StateRecordCodec.read(in));
    }
    StateImporter.Restored restored = importer.finish(position);
    Violation.check(
        restored.digest() == digest,
        "the snapshot of %s gives digest %016x, it was written with %016x",
        position,
        restored.digest(),
        digest);
    return restored;
  }
}
