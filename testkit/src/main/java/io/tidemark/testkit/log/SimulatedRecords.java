package io.tidemark.testkit.log;

import io.tidemark.api.log.EntriesRemovedException;
import io.tidemark.api.log.LogPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The records that a simulated log has: those behind its base. Guarded by the log. */
final class SimulatedRecords {
  private LogPosition base;
  private final List<SimulatedRecord> records;

  SimulatedRecords(LogPosition base, List<SimulatedRecord> records) {
    this.base = base;
    this.records = new ArrayList<>(records);
  }

  LogPosition base() {
    return base;
  }

  LogPosition end() {
    return positionAt(endIndex()).orElseThrow();
  }

  long endIndex() {
    return base.index() + records.size();
  }

  void add(SimulatedRecord record) {
    records.add(record);
  }

  Optional<LogPosition> positionAt(long index) {
    if (index == base.index()) {
      return Optional.of(base);
    }
    if (index < base.index() || index > endIndex()) {
      return Optional.empty();
    }
    SimulatedRecord record = get(index);
    return Optional.of(new LogPosition(record.header().epoch(), index, record.chainHash()));
  }

  SimulatedRecord get(long index) {
    if (index <= base.index()) {
      throw new EntriesRemovedException(index, base);
    }
    return records.get((int) (index - base.index() - 1));
  }

  /** Records up to and including {@code index}, as a log of their own. */
  SimulatedRecords upTo(long index) {
    return new SimulatedRecords(base, records.subList(0, (int) (index - base.index())));
  }

  /** Records from {@code index} on, or from the first that there is. */
  List<SimulatedRecord> from(long index) {
    long skipped = Math.max(0, index - base.index() - 1);
    return List.copyOf(records.subList((int) Math.min(skipped, records.size()), records.size()));
  }

  /** Whether a batch ends at {@code index}. */
  boolean batchEndsAt(long index) {
    return index == base.index() || get(index).header().batchEnd();
  }

  /** The last end of a batch that is not above {@code index}. */
  long wholeBatches(long index) {
    long whole = index;
    while (!batchEndsAt(whole)) {
      whole--;
    }
    return whole;
  }

  /** Forgets everything up to {@code index}. */
  void dropUpTo(long index) {
    LogPosition next = positionAt(index).orElseThrow();
    records.subList(0, (int) (index - base.index())).clear();
    base = next;
  }

  /** The highest commit index that an entry carries. */
  long carriedCommit() {
    long highest = base.index();
    for (SimulatedRecord record : records) {
      highest = Math.max(highest, record.header().commitIndex());
    }
    return highest;
  }
}
