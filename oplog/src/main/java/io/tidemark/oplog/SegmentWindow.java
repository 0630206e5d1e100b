package io.tidemark.oplog;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A part of a segment file in memory, read on demand. Memory is bounded by twice the largest entry,
 * whatever the file's size; a window that began smaller grows when an entry needs it. One thread at
 * a time.
 */
final class SegmentWindow implements Closeable {
  private static final int CAPACITY_BYTES = 2 * EntryRecord.MAX_DOCUMENT_BYTES;

  /** Bytes per system call; the JDK keeps a buffer of this size outside the heap per thread. */
  private static final int SLICE_BYTES = 128 << 10;

  private final FileChannel channel;
  private final int readBytes;
  private byte[] bytes;
  private long start;
  private int length;
  private boolean reachesEnd;

  SegmentWindow(Path file) throws IOException {
    this(file, CAPACITY_BYTES);
  }

  /**
   * @param capacityBytes how much is read at a time, more only for an entry that needs it
   */
  SegmentWindow(Path file, int capacityBytes) throws IOException {
    readBytes = capacityBytes;
    bytes = new byte[capacityBytes];
    channel = FileChannel.open(file, StandardOpenOption.READ);
  }

  /** Size of the file in bytes at this moment. */
  long fileBytes() throws IOException {
    return channel.size();
  }

  /**
   * Makes {@code wanted} bytes from {@code position} on available.
   *
   * @return how many bytes are available, fewer than {@code wanted} only at the end of the file
   */
  int require(long position, int wanted) throws IOException {
    long available = start + length - position;
    if (wanted > bytes.length) {
      bytes = new byte[CAPACITY_BYTES];
      refresh();
      available = 0;
    }
    if (position < start || (available < wanted && !reachesEnd)) {
      fill(position, Math.max(wanted, readBytes));
      available = length;
    }
    return (int) Math.max(0, available);
  }

  /** Forgets what was read, so that the next look sees what a writer has done meanwhile. */
  void refresh() {
    length = 0;
    reachesEnd = false;
  }

  /** The array that holds the window. */
  byte[] array() {
    return bytes;
  }

  /** Place of a file position, which must be available, in {@link #array}. */
  int arrayOffset(long position) {
    return (int) (position - start);
  }

  private void fill(long position, int most) throws IOException {
    start = position;
    length = 0;
    reachesEnd = false;
    while (length < most) {
      int slice = Math.min(SLICE_BYTES, most - length);
      int read = channel.read(ByteBuffer.wrap(bytes, length, slice), position + length);
      if (read <= 0) {
        reachesEnd = true;
        return;
      }
      length += read;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
