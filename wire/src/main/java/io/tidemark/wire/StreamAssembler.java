package io.tidemark.wire;

import java.util.Arrays;

/**
 * Cuts a byte stream into frames. A frame that lies wholly in one chunk is handed on in place;
 * anything else is gathered in a buffer that grows with the bytes that arrive, never by what a
 * header claims. Attachments are counted and dropped.
 */
abstract class StreamAssembler {

  private static final int SMALLEST_BUFFER = 1024;
  private static final int LARGEST_KEPT_BUFFER = 64 * 1024;

  private final int headerBytes;
  private final int lengthAt;
  private final long maxBytes;

  private FrameStatus status = FrameStatus.OPEN;
  private byte[] held = new byte[0];
  private int heldBytes;

  /** Bytes of the attachment of the held frame that were dropped so far. */
  private long droppedBytes;

  StreamAssembler(int headerBytes, int lengthAt, long maxBytes) {
    if (maxBytes < 0 || maxBytes > Integer.MAX_VALUE - 64) {
      throw new IllegalArgumentException("frame limit out of range: " + maxBytes);
    }
    this.headerBytes = headerBytes;
    this.lengthAt = lengthAt;
    this.maxBytes = maxBytes;
  }

  /** Judges the first {@code available} bytes of a header, 1 up to all of them. */
  abstract FrameStatus check(byte[] buffer, int at, int available);

  /** Hands on the frame whose header is at {@code at}. */
  abstract void emit(byte[] buffer, int at, int bodyAt, int bodyBytes);

  final FrameStatus consume(byte[] chunk, int offset, int length) {
    int at = offset;
    int end = offset + length;
    while (at < end && status == FrameStatus.OPEN) {
      at = heldBytes == 0 ? whole(chunk, at, end) : rest(chunk, at, end);
    }
    return status;
  }

  /** At a frame boundary: hands on the next frame if the chunk has all of it, else holds it. */
  private int whole(byte[] chunk, int at, int end) {
    int available = Math.min(end - at, headerBytes);
    status = check(chunk, at, available);
    if (status != FrameStatus.OPEN) {
      return end;
    }
    if (available == headerBytes) {
      long body = bodyBytes(chunk, at);
      long total = headerBytes + body + attachmentBytes(chunk, at);
      if (total - headerBytes > maxBytes) {
        status = FrameStatus.TOO_LARGE;
        return end;
      }
      if (total <= end - at) {
        emit(chunk, at, at + headerBytes, (int) body);
        return at + (int) total;
      }
    }
    hold(chunk, at, available);
    return at + available;
  }

  /** Inside a frame: takes what is missing from the chunk, header first, then body, attachment. */
  private int rest(byte[] chunk, int at, int end) {
    if (heldBytes < headerBytes) {
      int taken = Math.min(headerBytes - heldBytes, end - at);
      hold(chunk, at, taken);
      status = check(held, 0, heldBytes);
      if (heldBytes == headerBytes && status == FrameStatus.OPEN) {
        limitCheck();
      }
      return at + taken;
    }
    int next = at;
    long bodyMissing = headerBytes + bodyBytes(held, 0) - heldBytes;
    if (bodyMissing > 0) {
      int taken = (int) Math.min(bodyMissing, end - next);
      hold(chunk, next, taken);
      next += taken;
      bodyMissing -= taken;
    }
    if (bodyMissing == 0) {
      long dropped = Math.min(attachmentBytes(held, 0) - droppedBytes, end - next);
      droppedBytes += dropped;
      next += (int) dropped;
      finishHeld();
    }
    return next;
  }

  private void limitCheck() {
    if (bodyBytes(held, 0) + attachmentBytes(held, 0) > maxBytes) {
      status = FrameStatus.TOO_LARGE;
    } else {
      finishHeld();
    }
  }

  /** Hands on the held frame if nothing of it is missing. */
  private void finishHeld() {
    long body = bodyBytes(held, 0);
    if (heldBytes < headerBytes + body || droppedBytes < attachmentBytes(held, 0)) {
      return;
    }
    byte[] frame = held;
    heldBytes = 0;
    droppedBytes = 0;
    if (held.length > LARGEST_KEPT_BUFFER) {
      held = new byte[0];
    }
    emit(frame, 0, headerBytes, (int) body);
  }

  private void hold(byte[] chunk, int at, int count) {
    int needed = heldBytes + count;
    if (needed > held.length) {
      long doubled = Math.max(SMALLEST_BUFFER, 2L * held.length);
      held = Arrays.copyOf(held, (int) Math.max(needed, Math.min(doubled, Integer.MAX_VALUE - 64)));
    }
    System.arraycopy(chunk, at, held, heldBytes, count);
    heldBytes = needed;
  }

  /** Bytes held for an incomplete frame. */
  final int heldBytes() {
    return heldBytes;
  }

  /** Capacity of the buffer for incomplete frames. */
  final int heldCapacity() {
    return held.length;
  }

  private long bodyBytes(byte[] buffer, int at) {
    return Integer.toUnsignedLong(Frames.intAt(buffer, at + lengthAt));
  }

  private long attachmentBytes(byte[] buffer, int at) {
    return Integer.toUnsignedLong(Frames.intAt(buffer, at + lengthAt + Integer.BYTES));
  }
}
