package io.tidemark.oplog;

import io.tidemark.api.log.LogPosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The segments at the front of a log that a start need not read, because a snapshot holds what they
 * did. Of each, the first and the last entry are looked at: they must be intact, and the first must
 * follow the last one before it by index, epoch and chain hash. What lies between is checked later,
 * see {@link CoveredCheck}.
 *
 * <p>Reads only.
 */
final class CoveredSegments {
  private CoveredSegments() {}

  /**
   * A segment that need not be read.
   *
   * @param row with a mark at its end
   * @param end position of its last entry
   */
  record Covered(SegmentTable.Row row, LogPosition end) {}

  /**
   * The segments all of whose entries are covered, oldest first; never the newest one.
   *
   * @param coveredUpTo index of the last entry that the snapshot holds
   * @return empty also if anything is odd about one of them: then the log must be read whole, and
   *     whoever does will say what it is
   */
  static List<Covered> of(LogDirectory.Contents contents, long coveredUpTo) throws IOException {
    List<Covered> found = new ArrayList<>();
    LogPosition before = contents.base().position();
    List<SegmentName> names = contents.segments();
    for (int i = 0; i + 1 < names.size() && before.index() < coveredUpTo; i++) {
      Optional<Covered> covered = look(names.get(i), before);
      if (covered.isEmpty()) {
        return List.of();
      }
      before = covered.get().end();
      if (before.index() <= coveredUpTo) {
        found.add(covered.get());
      }
    }
    return found;
  }

  private static Optional<Covered> look(SegmentName name, LogPosition before) throws IOException {
    SegmentWalker.Claim claim;
    try (SegmentWalker front = new SegmentWalker(name.file(), 0, RecordCursor.WINDOW_BYTES)) {
      boolean follows = front.next(before.index() + 1) && front.reachedSoundly();
      if (!follows || !isNext(front, before)) {
        return Optional.empty();
      }
      claim = front.claim().orElse(new SegmentWalker.Claim(0, OptionalLong.empty()));
    }
    if (claim.documents().isEmpty()) {
      return Optional.empty();
    }
    return lookAtEnd(name, before, claim);
  }

  private static Optional<Covered> lookAtEnd(
      SegmentName name, LogPosition before, SegmentWalker.Claim claim) throws IOException {
    long lastIndex = before.index() + claim.documents().getAsLong();
    long lastDocument = claim.lastDocument();
    int window = RecordCursor.WINDOW_BYTES;
    try (SegmentWalker back = new SegmentWalker(name.file(), lastDocument, window)) {
      boolean there =
          back.next(lastIndex)
              && back.reachedSoundly()
              && back.documentOffset() == lastDocument
              && EntryRecord.index(back.array(), back.recordOffset()) == lastIndex;
      if (!there) {
        return Optional.empty();
      }
      byte[] bytes = back.array();
      int at = back.recordOffset();
      long epoch = EntryRecord.epoch(bytes, at);
      boolean whole = EntryRecord.batchEnd(bytes, at) && epoch >= before.epoch();
      long chainHash = EntryRecord.chainHash(bytes, at, back.recordBytes());
      if (!whole || back.tail().tornBytes() != 0) {
        return Optional.empty();
      }
      SegmentMarks marks = new SegmentMarks();
      marks.add(lastIndex, lastDocument);
      return Optional.of(
          new Covered(
              new SegmentTable.Row(name, before, marks),
              new LogPosition(epoch, lastIndex, chainHash)));
    }
  }

  /** Whether the record under a walker follows an entry. */
  private static boolean isNext(SegmentWalker at, LogPosition before) {
    byte[] bytes = at.array();
    int offset = at.recordOffset();
    return EntryRecord.index(bytes, offset) == before.index() + 1
        && EntryRecord.previousChainHash(bytes, offset) == before.chainHash()
        && EntryRecord.epoch(bytes, offset) >= before.epoch();
  }
}
