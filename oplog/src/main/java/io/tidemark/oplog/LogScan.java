package io.tidemark.oplog;

import io.tidemark.api.log.LogPosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads segments in order and judges what it finds: every entry must have the next index, the hash
 * of its predecessor and no lower epoch.
 *
 * <p>Where no further entry of the expected index can be found, the log is torn if nothing intact
 * follows, and corrupt if something does: what follows depends on what is missing.
 *
 * <p>One thread at a time; reads only; memory is bounded by {@link SegmentWindow}.
 */
final class LogScan {
  private static final int MAX_FINDINGS = 100;

  /** Told about every entry, in order. */
  interface Visitor {
    /** Returns whether to go on. */
    boolean entry(SegmentWalker at, SegmentFacts segment);
  }

  /**
   * Where the log stands behind the scan.
   *
   * @param end the last intact entry
   * @param wholeEnd the end of the last whole batch
   * @param openBatch where the unfinished batch behind {@code wholeEnd} begins, if there is one
   * @param carriedCommit highest commit index that an entry carries, at most {@code wholeEnd}'s
   * @param damage what is wrong, if anything
   * @param findings one sentence for everything odd that cost no entry
   */
  record Outcome(
      LogPosition end,
      LogPosition wholeEnd,
      Optional<EntryPlace> openBatch,
      long carriedCommit,
      Optional<LogDamage> damage,
      List<String> findings) {}

  private final List<SegmentFacts> segments = new ArrayList<>();
  private final List<String> findings = new ArrayList<>();
  private final Patience header;
  private final Patience tail;
  private LogPosition end;
  private LogPosition wholeEnd;
  private long carriedCommit;
  private boolean chainKnown;
  private EntryPlace openBatch;
  private LogDamage pending;
  private LogDamage corrupt;
  private boolean stopped;

  /**
   * A scan from the beginning of the log.
   *
   * @param base the position before its first entry
   * @param retries how often to look again, 1 ms apart, at an entry that is being written: 0 if no
   *     writer can be there
   */
  LogScan(LogPosition base, int retries) {
    this(base, true, retries);
  }

  private LogScan(LogPosition before, boolean chainKnown, int retries) {
    this.end = before;
    this.wholeEnd = before;
    this.chainKnown = chainKnown;
    header = new Patience(retries);
    tail = new Patience(retries);
  }

  /** A scan that begins with a segment in the middle, whose first entry is {@code firstIndex}. */
  static LogScan from(long firstIndex) {
    return new LogScan(new LogPosition(0, firstIndex - 1, 0), firstIndex == 1, 0);
  }

  /** Reads one more segment. Returns whether to go on with the next. */
  boolean segment(SegmentName name, Visitor visitor) throws IOException {
    SegmentFacts facts = new SegmentFacts(name);
    segments.add(facts);
    try (SegmentWalker walker = new SegmentWalker(name.file())) {
      do {
        while (!finished() && walker.next(end.index() + 1)) {
          accept(walker, facts, visitor);
        }
      } while (!finished() && lookAgain(walker, facts));
      if (corrupt != null) {
        facts.tailEnd = walker.fileBytes();
        facts.unsound = true;
      }
    }
    return !finished();
  }

  /** What was found; ends the scan. */
  Outcome outcome() {
    return new Outcome(
        end,
        wholeEnd,
        Optional.ofNullable(openBatch),
        Math.min(carriedCommit, wholeEnd.index()),
        Optional.ofNullable(corrupt == null ? pending : corrupt),
        List.copyOf(findings));
  }

  /** What was found in each segment so far. */
  List<SegmentFacts> segments() {
    return segments;
  }

  /** Position of the last entry that was accepted. */
  LogPosition end() {
    return end;
  }

  private boolean finished() {
    return stopped || corrupt != null;
  }

  private void accept(SegmentWalker walker, SegmentFacts facts, Visitor visitor)
      throws IOException {
    boolean sound = walker.reachedSoundly();
    while (!sound && header.waitFor(end.index())) {
      sound = walker.headerFitsNow() && walker.reachedSoundly();
    }
    byte[] bytes = walker.array();
    int offset = walker.recordOffset();
    String objection = objection(bytes, offset);
    if (!objection.isEmpty()) {
      corrupt = corrupt(walker, facts, objection);
      return;
    }
    tolerate(walker, facts);
    LogPosition before = end;
    long index = EntryRecord.index(bytes, offset);
    end =
        new LogPosition(
            EntryRecord.epoch(bytes, offset),
            index,
            EntryRecord.chainHash(bytes, offset, walker.recordBytes()));
    chainKnown = true;
    if (facts.empty()) {
      facts.firstIndex = index;
      facts.before = before;
    }
    facts.lastIndex = index;
    facts.marks.offer(index, walker.documentOffset());
    carriedCommit = Math.max(carriedCommit, EntryRecord.commitIndex(bytes, offset));
    facts.lastDocument = walker.documentOffset();
    facts.endOffset = walker.resumeOffset();
    trackBatch(walker, facts, EntryRecord.batchEnd(bytes, offset));
    stopped = !visitor.entry(walker, facts);
  }

  /** What speaks against the record as the next entry; empty if nothing does. */
  private String objection(byte[] bytes, int offset) {
    long index = EntryRecord.index(bytes, offset);
    long epoch = EntryRecord.epoch(bytes, offset);
    long expected = end.index() + 1;
    if (index > expected) {
      return String.format(
          "entries %d to %d are unreadable, but entry %d behind them is intact",
          expected, index - 1, index);
    }
    if (index < expected) {
      return String.format("entry %d appears again behind entry %d", index, end.index());
    }
    if (EntryRecord.unknownFlags(bytes, offset) != 0) {
      return String.format(
          "entry %d has flags %#x that this program does not know",
          index, EntryRecord.unknownFlags(bytes, offset));
    }
    if (chainKnown && EntryRecord.previousChainHash(bytes, offset) != end.chainHash()) {
      return String.format(
          "entry %d names %016x as its predecessor's hash, entry %d has %016x: one was altered",
          index, EntryRecord.previousChainHash(bytes, offset), end.index(), end.chainHash());
    }
    long commit = EntryRecord.commitIndex(bytes, offset);
    if (commit < 0 || commit >= index) {
      return String.format("entry %d carries the commit index %d", index, commit);
    }
    if (epoch < end.epoch()) {
      return String.format("entry %d has epoch %d below epoch %d", index, epoch, end.epoch());
    }
    if (epoch > end.epoch() && openBatch != null) {
      return String.format(
          "entry %d begins epoch %d, but the batch before it has no end", index, epoch);
    }
    return "";
  }

  private LogDamage corrupt(SegmentWalker walker, SegmentFacts facts, String objection) {
    if (pending != null) {
      return new LogDamage(
          LogDamage.Kind.CORRUPT_MIDDLE,
          pending.file(),
          pending.offsetBytes(),
          pending.index(),
          objection + "; " + pending.explanation());
    }
    boolean gap = EntryRecord.index(walker.array(), walker.recordOffset()) > end.index() + 1;
    long offset = gap ? facts.endOffset : walker.documentOffset();
    return new LogDamage(
        LogDamage.Kind.CORRUPT_MIDDLE, facts.name.file(), offset, end.index() + 1, objection);
  }

  /** An entry was found as expected: whatever is odd before it cost nothing. */
  private void tolerate(SegmentWalker walker, SegmentFacts facts) {
    if (pending != null) {
      find(
          pending.file() + ", offset " + pending.offsetBytes() + ": damaged behind its last entry");
      for (SegmentFacts earlier : segments) {
        earlier.lostEntries = 0;
        earlier.lostComplete = false;
      }
      pending = null;
    }
    if (!walker.reachedSoundly()) {
      facts.unsound = true;
      find(
          String.format(
              "%s, offset %d: document header damaged, entry %d itself is intact and kept",
              facts.name.file(), walker.documentOffset(), end.index() + 1));
    }
  }

  private void trackBatch(SegmentWalker walker, SegmentFacts facts, boolean batchEnd) {
    if (batchEnd) {
      wholeEnd = end;
      openBatch = null;
    } else if (openBatch == null) {
      openBatch = new EntryPlace(facts.name.file(), walker.documentOffset(), walker.recordBytes());
    }
  }

  /**
   * Judges what lies behind the last entry that was found.
   *
   * @return whether to look again, because a writer may have changed it meanwhile
   */
  private boolean lookAgain(SegmentWalker walker, SegmentFacts facts) throws IOException {
    SegmentWalker.Tail found = walker.tail();
    Optional<SegmentWalker.Claim> claim = walker.claim();
    boolean sound = found.tornBytes() == 0 && claim.isPresent() && !claimsMore(claim, facts);
    if (!sound && tail.waitFor(end.index())) {
      if (tail.writerAtWork()) {
        stopped = true; // what existed when the read began was read
      }
      return true;
    }
    judgeTail(found, claim, facts);
    return false;
  }

  private void judgeTail(
      SegmentWalker.Tail found, Optional<SegmentWalker.Claim> claim, SegmentFacts facts) {
    facts.tailEnd = found.offsetBytes() + found.tornBytes();
    facts.endOffset = found.offsetBytes();
    if (claim.isEmpty() && !facts.empty()) {
      facts.unsound = true;
      find(facts.name.file() + ", offset 0: file header unreadable, its entries were found");
    }
    boolean more = claimsMore(claim, facts);
    if (found.tornBytes() == 0 && !more) {
      return;
    }
    facts.unsound = true;
    facts.lostComplete = more || found.complete();
    boolean neverBegun = facts.empty() && !more && found.offsetBytes() == 0 && found.beingWritten();
    facts.lostEntries = neverBegun ? 0 : lostEntries(found, more ? claim : Optional.empty(), facts);
    if (pending == null) {
      pending =
          new LogDamage(
              LogDamage.Kind.TORN_TAIL,
              facts.name.file(),
              found.offsetBytes(),
              end.index() + 1,
              explain(found, more));
    }
  }

  private static String explain(SegmentWalker.Tail tail, boolean more) {
    if (tail.tornBytes() == 0) {
      return "zeroes where the file's header says that entries are";
    }
    if (tail.beingWritten() && !more) {
      return "an entry that was never written to its end (" + tail.tornBytes() + " bytes)";
    }
    return "no intact entry in the last " + tail.tornBytes() + " bytes";
  }

  private static boolean claimsMore(Optional<SegmentWalker.Claim> claim, SegmentFacts facts) {
    return claim.isPresent() && claim.get().lastDocument() > facts.lastDocument;
  }

  /**
   * How many entries are gone: what the file's header says if that is possible, else at least 1.
   */
  private static long lostEntries(
      SegmentWalker.Tail tail, Optional<SegmentWalker.Claim> claim, SegmentFacts facts) {
    if (claim.isEmpty() || claim.get().documents().isEmpty()) {
      return 1;
    }
    long said = claim.get().documents().getAsLong() - facts.entries();
    long room = claim.get().lastDocument() - tail.offsetBytes();
    long most = room / EntryRecord.MIN_RECORD_BYTES + 1;
    return said >= 1 && said <= most ? said : 1;
  }

  private void find(String sentence) {
    if (findings.size() < MAX_FINDINGS) {
      findings.add(sentence);
    } else if (findings.size() == MAX_FINDINGS) {
      findings.add("more of the same, not listed");
    }
  }
}
