package io.tidemark.core.segment;

import io.tidemark.api.state.StateRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Ranges that may still be written or read by somebody: taken, but no object's any more, until
 * their deadline (COR-09).
 *
 * <p>An entry is known by (endpoint, address), so it outlives the mount it came from: a later mount
 * over the same memory starts with it reserved (COR-10). Changed by the holder of the core role
 * only.
 */
public final class DiscardList {

  /** A part of a mount that an entry keeps taken. */
  private record Claim(int segmentNumber, long offsetBytes, long blockBytes, long objectBytes) {}

  private static final class Entry {
    final long id;
    final String endpoint;
    final long address;
    final long blockBytes;
    final long deadlineMs;
    final List<Claim> claims = new ArrayList<>(1);

    Entry(long id, String endpoint, long address, long blockBytes, long deadlineMs) {
      this.id = id;
      this.endpoint = endpoint;
      this.address = address;
      this.blockBytes = blockBytes;
      this.deadlineMs = deadlineMs;
    }
  }

  private final Map<Long, Entry> byId = new LinkedHashMap<>();
  private final NavigableSet<Entry> byDeadline =
      new TreeSet<>(
          Comparator.comparingLong((Entry e) -> e.deadlineMs).thenComparingLong(e -> e.id));
  private final SegmentTable segments;
  private long lastId;
  private long bytes;

  public DiscardList(SegmentTable segments) {
    this.segments = segments;
  }

  /** What is put on the list: a block of a mount that an object had. */
  public record Block(
      MountedSegment segment, long offsetBytes, long blockBytes, long objectBytes) {}

  /** Keeps a block taken until log time {@code deadlineMs}. */
  public void add(Block block, long deadlineMs) {
    Entry entry =
        new Entry(
            ++lastId,
            block.segment().info().teEndpoint(),
            block.segment().info().base() + block.offsetBytes(),
            block.blockBytes(),
            deadlineMs);
    entry.claims.add(
        new Claim(
            block.segment().number(),
            block.offsetBytes(),
            block.blockBytes(),
            block.objectBytes()));
    byId.put(entry.id, entry);
    byDeadline.add(entry);
    bytes += block.blockBytes();
  }

  /** Reserves in a fresh mount whatever of its memory is on the list. */
  public void claimIn(MountedSegment segment) {
    for (Entry entry : byId.values()) {
      if (entry.endpoint.equals(segment.info().teEndpoint())) {
        claim(entry, segment);
      }
    }
  }

  private static void claim(Entry entry, MountedSegment segment) {
    long offset = entry.address - segment.info().base();
    long from = Math.max(0, offset);
    long to = Math.min(segment.info().sizeBytes(), offset + entry.blockBytes);
    if (from < to) {
      for (OffsetAllocator.Range part : segment.takeQuarantined(from, to - from)) {
        entry.claims.add(new Claim(segment.number(), part.offsetBytes(), part.blockBytes(), 0));
      }
    }
  }

  /** Frees an entry's block in whichever mounts hold it. */
  public void release(long id) {
    Entry entry = byId.remove(id);
    if (entry == null) {
      throw new IllegalStateException(
          "an event releases discard entry " + id + ", which does not exist");
    }
    byDeadline.remove(entry);
    bytes -= entry.blockBytes;
    for (Claim claim : entry.claims) {
      MountedSegment segment = segments.get(claim.segmentNumber());
      if (segment != null && segment.isValid()) {
        segment.free(claim.offsetBytes(), claim.blockBytes(), claim.objectBytes());
      }
    }
  }

  /** Ids of entries whose deadline has passed, at most {@code limit}, earliest first. */
  public long[] due(long nowMs, int limit) {
    return byDeadline.stream()
        .takeWhile(entry -> entry.deadlineMs <= nowMs)
        .limit(limit)
        .mapToLong(entry -> entry.id)
        .toArray();
  }

  /** Earliest deadline in log time; {@link Long#MAX_VALUE} for an empty list. */
  public long nextDeadlineMs() {
    return byDeadline.isEmpty() ? Long.MAX_VALUE : byDeadline.first().deadlineMs;
  }

  public int size() {
    return byId.size();
  }

  /** Bytes on the list. */
  public long bytes() {
    return bytes;
  }

  /** Highest id ever used. */
  public long lastId() {
    return lastId;
  }

  /** The entries as state records, in the order they were added. */
  public List<StateRecord.Discard> export() {
    List<StateRecord.Discard> records = new ArrayList<>(byId.size());
    for (Entry e : byId.values()) {
      List<StateRecord.Claim> claims =
          e.claims.stream()
              .map(
                  c ->
                      new StateRecord.Claim(
                          c.segmentNumber(), c.offsetBytes(), c.blockBytes(), c.objectBytes()))
              .toList();
      records.add(
          new StateRecord.Discard(e.id, e.endpoint, e.address, e.blockBytes, e.deadlineMs, claims));
    }
    return records;
  }

  /** Puts an entry back; the caller takes its claims in the mounts. */
  public void restore(StateRecord.Discard record) {
    Entry entry =
        new Entry(
            record.id(),
            record.endpoint(),
            record.address(),
            record.blockBytes(),
            record.deadlineMs());
    for (StateRecord.Claim c : record.claims()) {
      entry.claims.add(
          new Claim(c.segmentNumber(), c.offsetBytes(), c.blockBytes(), c.objectBytes()));
    }
    byId.put(entry.id, entry);
    byDeadline.add(entry);
    bytes += entry.blockBytes;
  }

  /** Sets the highest id ever used, at a restore. */
  public void restoreLastId(long id) {
    lastId = id;
  }

  /** Receives the logical content of an entry. */
  @FunctionalInterface
  public interface EntryVisitor {
    void entry(String endpoint, long address, long blockBytes, long deadlineMs);
  }

  /** Receives a part of a mount that the list keeps taken. */
  @FunctionalInterface
  interface ClaimVisitor {
    void claim(int segmentNumber, long offsetBytes, long blockBytes, long objectBytes);
  }

  /** Visits what the list keeps taken, mounts that are gone included. */
  void forEachClaim(ClaimVisitor visitor) {
    for (Entry entry : byId.values()) {
      for (Claim c : entry.claims) {
        visitor.claim(c.segmentNumber(), c.offsetBytes(), c.blockBytes(), c.objectBytes());
      }
    }
  }

  /** Visits all entries in the order they were added. */
  public void forEach(EntryVisitor visitor) {
    byId.values().forEach(e -> visitor.entry(e.endpoint, e.address, e.blockBytes, e.deadlineMs));
  }
}
