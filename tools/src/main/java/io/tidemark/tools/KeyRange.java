package io.tidemark.tools;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.event.Event.PlacedReplica;
import io.tidemark.api.log.EntryHeader;

/**
 * What became of a range of memory that the key had.
 *
 * @param place where it lies, in words
 * @param droppedAt entry that took it from the key
 * @param discardId its number on the discard list, {@link DiscardLedger#NONE} if it is not on it
 * @param untilMs log time until which it stays in quarantine
 * @param withSegment whether it left together with its segment, so that there is nothing to free
 * @param releasedIndex entry that took it off the discard list, 0 while it is on it
 */
record KeyRange(
    PlacedReplica replica,
    String place,
    EntryHeader droppedAt,
    long discardId,
    long untilMs,
    boolean withSegment,
    long releasedIndex) {

  /** The same range, off the discard list. */
  KeyRange released(long index) {
    return new KeyRange(replica, place, droppedAt, discardId, untilMs, withSegment, index);
  }

  boolean isWaiting() {
    return discardId != DiscardLedger.NONE && releasedIndex == 0;
  }

  /** In words, one line. */
  String text() {
    return EventText.plural(replica.blockBytes(), "byte")
        + " on "
        + place
        + " (replica "
        + replica.replicaId()
        + "): "
        + fate();
  }

  private String fate() {
    if (discardId == DiscardLedger.NONE) {
      return (withSegment ? "left with its segment at entry " : "free since entry ")
          + droppedAt.index();
    }
    return "discarded at entry "
        + droppedAt.index()
        + " until log time "
        + untilMs
        + " ms (number "
        + discardId
        + " of the discard list), "
        + (releasedIndex == 0 ? "not released yet" : "released at entry " + releasedIndex);
  }

  /** As fields of a JSON object. */
  void put(ObjectNode node) {
    node.put("replica_id", replica.replicaId());
    node.put("place", place);
    node.put("mount", replica.segmentNumber());
    node.put("offset_bytes", replica.offsetBytes());
    node.put("block_bytes", replica.blockBytes());
    node.put("dropped_index", droppedAt.index());
    if (discardId != DiscardLedger.NONE) {
      node.put("discard_id", discardId);
      node.put("discarded_until_ms", untilMs);
      node.put("released_index", releasedIndex == 0 ? null : releasedIndex);
    }
    node.put("left_with_segment", withSegment);
    node.put("text", text());
  }
}
