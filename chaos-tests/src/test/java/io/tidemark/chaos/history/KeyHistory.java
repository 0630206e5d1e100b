package io.tidemark.chaos.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The calls about one key. It has one writer, which makes one change after the other and goes on
 * only when it knows how the last one ended; anybody reads it. Thread-safe.
 */
public final class KeyHistory {
  private final String key;
  private final LongSupplier nanos;
  private final List<Change> changes = new ArrayList<>(List.of(Change.beginning()));
  private final List<Read> reads = new ArrayList<>();

  KeyHistory(String key, LongSupplier nanos) {
    this.key = key;
    this.nanos = nanos;
  }

  public String key() {
    return key;
  }

  /** What the writer was told last. */
  public synchronized Change.To state() {
    return last().to;
  }

  /** The writer is about to ask for a range. */
  public Change starting() {
    return begin(Change.To.OPEN, false, null);
  }

  /** The writer is about to make it readable. */
  public synchronized Change ending() {
    return begin(Change.To.STORED, false, last().range());
  }

  /** The writer is about to give up what it started. */
  public Change revoking() {
    return begin(Change.To.ABSENT, true, null);
  }

  /** The writer is about to remove it. */
  public Change removing() {
    return begin(Change.To.ABSENT, false, null);
  }

  private synchronized Change begin(Change.To to, boolean byRevocation, MemoryRange range) {
    if (last().doneNanos() == Change.NEVER) {
      throw new IllegalStateException(key + ": a change begins before the last one ended");
    }
    Change change = new Change(to, byRevocation, range, nanos.getAsLong());
    changes.add(change);
    return change;
  }

  /** The change was acknowledged. */
  public void done(Change change) {
    change.done(change.range(), nanos.getAsLong());
  }

  /** The start was acknowledged. */
  public void started(Change change, MemoryRange range) {
    change.done(range, nanos.getAsLong());
  }

  /** The change was refused, and no call for it can have been carried out. */
  public synchronized void refused(Change change) {
    if (last() != change) {
      throw new IllegalStateException(key + ": not the last change: " + change);
    }
    changes.remove(changes.size() - 1);
  }

  /** A reader was answered. */
  public synchronized void read(Read read) {
    reads.add(read);
  }

  private Change last() {
    return changes.get(changes.size() - 1);
  }

  /** The states one after the other, the first without anything. */
  synchronized List<Change> changes() {
    return List.copyOf(changes);
  }

  synchronized List<Read> reads() {
    return List.copyOf(reads);
  }
}
