package io.tidemark.core.segment;

import io.tidemark.api.Uuid;
import io.tidemark.api.event.Reason;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.api.rpc.SegmentStatus;
import java.util.Arrays;
import java.util.List;

/**
 * One mount of a segment. The number names this mount for ever, also after its id was mounted
 * again.
 *
 * <p>Changed by the holder of the core role; {@link #isReadable()}, {@link #info()} and {@link
 * #status()} may be read by any thread.
 */
public final class MountedSegment {
  private final int number;
  private final SegmentInfo info;
  private final Uuid clientId;
  private final AllocatorKind allocatorKind;
  private OffsetAllocator allocator;
  private long graceDeadlineMs;
  private volatile long requestedBytes;
  private Reason unmountReason = Reason.NONE;
  private volatile SegmentStatus status = SegmentStatus.OK;
  private volatile boolean ownerSuspected;

  /** Null as long as the log knows nothing of the owner. */
  private volatile ClientRecord owner;

  MountedSegment(int number, SegmentInfo info, Uuid clientId, AllocatorKind allocatorKind) {
    this.number = number;
    this.info = info;
    this.clientId = clientId;
    this.allocatorKind = allocatorKind;
    this.allocator = new OffsetAllocator(info.sizeBytes());
  }

  public int number() {
    return number;
  }

  public SegmentInfo info() {
    return info;
  }

  public Uuid clientId() {
    return clientId;
  }

  public SegmentStatus status() {
    return status;
  }

  /** Whether handles to its memory are valid: true until it is unmounting. */
  public boolean isValid() {
    return status != SegmentStatus.UNMOUNTING;
  }

  /** Whether replicas on it may be shown to readers. */
  public boolean isReadable() {
    return isValid() && !ownerSuspected;
  }

  /** Whether new replicas may be placed on it. */
  public boolean isAllocatable() {
    return status == SegmentStatus.OK && !ownerSuspected;
  }

  /**
   * Whether its owner was heard in this term, or nothing is known of one. Memory of owners that
   * have not come back yet is the last to be used, and no reason to evict (COR-23). Soft state: may
   * steer a decision, never what an event does. Any thread.
   */
  public boolean isOwnerHeard() {
    ClientRecord lender = owner;
    return lender == null || lender.isHeardThisTerm();
  }

  /** Why it is unmounting; {@link Reason#NONE} while it is not. */
  public Reason unmountReason() {
    return unmountReason;
  }

  /** Log time at which a graceful unmount ends. */
  public long graceDeadlineMs() {
    return graceDeadlineMs;
  }

  /** Bytes taken, ranges on the discard list included; blocks as rounded by the allocator. */
  public long takenBytes() {
    return info.sizeBytes() - allocator.freeBytes();
  }

  /** Sum of the sizes that objects asked for; what Mooncake reports as allocated. */
  public long requestedBytes() {
    return requestedBytes;
  }

  /** Share of free bytes. */
  double freeRatio() {
    return (double) (info.sizeBytes() - requestedBytes) / info.sizeBytes();
  }

  /** Offset of a free block for {@code bytes}, or -1. */
  long find(long bytes) {
    return allocator.find(padded(bytes));
  }

  /** Size of the block that {@code bytes} would take. */
  long blockBytes(long bytes) {
    return allocator.blockBytes(padded(bytes));
  }

  /** Takes a block for an object of {@code bytes}. */
  public void take(long offsetBytes, long blockBytes, long bytes) {
    allocator.take(offsetBytes, blockBytes);
    requestedBytes += bytes;
  }

  /**
   * Takes what is free of a range that an earlier mount of the same memory left on the discard list
   * (COR-10).
   */
  List<OffsetAllocator.Range> takeQuarantined(long offsetBytes, long bytes) {
    return allocator.takeFreePartsOf(offsetBytes, bytes);
  }

  /** Gives a block back. */
  public void free(long offsetBytes, long blockBytes, long bytes) {
    allocator.free(offsetBytes, blockBytes);
    requestedBytes -= bytes;
  }

  /** A range in the form that {@link #restoreTaken} takes. */
  public long packRange(long offsetBytes, long blockBytes) {
    return allocator.pack(offsetBytes, blockBytes);
  }

  /** Takes all ranges of a fresh mount at a restore; {@code packed} is sorted in place. */
  public void restoreTaken(long[] packed, long bytesRequested) {
    Arrays.sort(packed);
    allocator.takeAll(packed);
    requestedBytes = bytesRequested;
  }

  void restore(SegmentStatus restored, long deadlineMs, Reason reason) {
    status = restored;
    graceDeadlineMs = deadlineMs;
    unmountReason = reason;
  }

  void startGrace(long deadlineMs) {
    status = SegmentStatus.GRACEFULLY_UNMOUNTING;
    graceDeadlineMs = deadlineMs;
  }

  void startUnmounting(Reason reason) {
    unmountReason = reason;
    status = SegmentStatus.UNMOUNTING;
  }

  void owner(ClientRecord lender) {
    owner = lender;
  }

  void ownerSuspected(boolean suspected) {
    ownerSuspected = suspected;
  }

  private long padded(long bytes) {
    return allocatorKind == AllocatorKind.CACHELIB
        ? Math.max(bytes, Placement.CACHELIB_MIN_BYTES)
        : bytes;
  }
}
