package io.tidemark.core.segment;

import java.util.Collection;

/**
 * Immutable lookup from segment number to mount, for readers on any thread; rebuilt at each mount
 * and unmount.
 */
final class SegmentIndex {
  static final SegmentIndex EMPTY = new SegmentIndex(new MountedSegment[2]);

  private final MountedSegment[] slots;

  private SegmentIndex(MountedSegment[] slots) {
    this.slots = slots;
  }

  static SegmentIndex of(Collection<MountedSegment> segments) {
    int capacity = Integer.highestOneBit(Math.max(1, segments.size())) * 4;
    MountedSegment[] slots = new MountedSegment[capacity];
    for (MountedSegment segment : segments) {
      int at = segment.number() & capacity - 1;
      while (slots[at] != null) {
        at = at + 1 & capacity - 1;
      }
      slots[at] = segment;
    }
    return new SegmentIndex(slots);
  }

  /** The mount, or null if there is none of that number. */
  MountedSegment get(int number) {
    int mask = slots.length - 1;
    for (int at = number & mask; slots[at] != null; at = at + 1 & mask) {
      if (slots[at].number() == number) {
        return slots[at];
      }
    }
    return null;
  }
}
