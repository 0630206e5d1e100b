package io.tidemark.tools;

import io.tidemark.api.log.LogEntry;
import io.tidemark.oplog.EntryPlace;
import io.tidemark.oplog.LogReader;
import java.util.ArrayList;
import java.util.List;

/**
 * Hands on entries once their batch has its end: what a start would keep. Entries of a batch
 * without an end, which a running master may be at, are held back.
 */
final class WholeBatches implements LogReader.EntryVisitor {
  private record Held(LogEntry entry, EntryPlace place) {}

  private final LogReader.EntryVisitor next;
  private final List<Held> open = new ArrayList<>();
  private long batches;

  WholeBatches(LogReader.EntryVisitor next) {
    this.next = next;
  }

  /** Batches handed on. */
  long batches() {
    return batches;
  }

  /** Entries that were held back at the end. */
  int openEntries() {
    return open.size();
  }

  @Override
  public boolean entry(LogEntry entry, EntryPlace place) {
    open.add(new Held(entry, place));
    if (!entry.header().batchEnd()) {
      return true;
    }
    batches++;
    boolean goOn = true;
    for (Held held : open) {
      goOn = goOn && next.entry(held.entry(), held.place());
    }
    open.clear();
    return goOn;
  }
}
