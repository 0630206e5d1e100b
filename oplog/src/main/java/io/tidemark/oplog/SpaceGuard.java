package io.tidemark.oplog;

import io.tidemark.api.log.LogFullException;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Keeps the disk from filling under the mapped file, where a store that can't be backed would kill
 * the process (COR-03).
 *
 * <p>Three measures. Blocks ahead of the writer are allocated by writing zeroes, so that a full
 * disk is an error of a system call, before the entry; a new file's beginning is written before the
 * library maps it. {@link #setAside} does that before a command is decided, so that somebody else
 * who fills the disk in between does not matter. And batches are refused while the file system has
 * less free than the reserve: {@link #hasSpace} says no below the whole of it, {@link #admitBatch},
 * for batches without anything set aside, below half.
 *
 * <p>By the appending thread only.
 */
final class SpaceGuard implements Closeable {
  /** A new file's beginning, which is backed before anything is decided that may go there. */
  private static final int BEGINNING_BYTES = 1 << 20;

  /** How much is backed at a time: the core's thread does it, and nobody is served meanwhile. */
  private static final int AHEAD_BYTES = 256 << 10;

  /** What is set aside for a command; a larger batch needs the reserve. */
  static final int ROOM_BYTES = 512 << 10;

  /** What the library may write beside an entry: two pages of its index. */
  private static final int INDEX_BYTES = 128 << 10;

  /** How long a measured figure of free space is believed, if little is appended meanwhile. */
  private static final long BELIEVED_NANOS = 50_000_000;

  private final long reserveBytes;
  private final LongSupplier usableBytes;
  private final ByteBuffer zeroes = ByteBuffer.allocateDirect(AHEAD_BYTES);

  /** Bytes appended so far; only the appending thread adds. */
  private final AtomicLong appended = new AtomicLong();

  private volatile Measured measured;

  private FileChannel channel;
  private long allocatedTo;

  SpaceGuard(long reserveBytes, LongSupplier usableBytes) {
    this.reserveBytes = reserveBytes;
    this.usableBytes = usableBytes;
    measured = measure();
  }

  private record Measured(long usableBytes, long atNanos, long appendedBefore) {}

  /** Free bytes of the file system that holds {@code directory}. */
  static LongSupplier usableOf(Path directory) throws IOException {
    var store = Files.getFileStore(directory);
    return () -> {
      try {
        return store.getUsableSpace();
      } catch (IOException e) {
        throw new UncheckedIOException("can't ask for the free space of " + directory, e);
      }
    };
  }

  boolean hasSpace() {
    return usable() >= reserveBytes;
  }

  /**
   * Refuses a batch, of which nothing has been written yet, if less than half the reserve is free.
   */
  void admitBatch() {
    long usable = usable();
    if (usable < reserveBytes / 2) {
      throw new LogFullException(
          "only "
              + usable
              + " bytes are free where the log is, and "
              + reserveBytes
              + " are kept in reserve; free some space, the batch was not written");
    }
  }

  /** Whether the file system has no room for the next blocks, asked afresh. */
  boolean exhausted() {
    measured = measure();
    return measured.usableBytes() < 2 * BEGINNING_BYTES;
  }

  /** Backs {@link #ROOM_BYTES} from {@code position} on; false if the disk has no room for them. */
  boolean setAside(long position) throws IOException {
    try {
      allocate(position, ROOM_BYTES);
      return true;
    } catch (IOException e) {
      if (exhausted()) {
        return false;
      }
      throw e;
    }
  }

  /** Makes a file with a beginning that is backed; false, and no file, if the disk has no room. */
  boolean makeFile(Path file) throws IOException {
    try (FileChannel fresh =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      long written = 0;
      while (written < BEGINNING_BYTES) {
        written += writeZeroes(fresh, written);
      }
      return true;
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (IOException e) {
      Files.deleteIfExists(file);
      if (exhausted()) {
        return false;
      }
      throw e;
    }
  }

  /** The writer has begun a file and stands at {@code position} in it. */
  void begin(Path file, long position) throws IOException {
    closeFile();
    channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    allocatedTo = position;
    ByteBuffer beside = ByteBuffer.allocate(INDEX_BYTES);
    channel.read(beside, position);
    for (int i = beside.position() - 1; i >= 0; i--) {
      if (beside.get(i) != 0) {
        allocatedTo = position + i + 1;
        break;
      }
    }
  }

  /** The next entry begins a file of its own. */
  void closeFile() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
    }
  }

  /**
   * Makes sure that an entry of {@code bytes} at {@code position} is backed.
   *
   * @throws IOException if the disk is full
   */
  void back(long position, int bytes) throws IOException {
    appended.lazySet(appended.get() + bytes);
    allocate(position, bytes);
  }

  private void allocate(long position, int bytes) throws IOException {
    while (channel != null && position + bytes + INDEX_BYTES > allocatedTo) {
      allocatedTo += writeZeroes(channel, allocatedTo);
    }
  }

  private int writeZeroes(FileChannel to, long position) throws IOException {
    zeroes.clear();
    return to.write(zeroes, position);
  }

  private long usable() {
    Measured last = measured;
    long since = appended.get() - last.appendedBefore();
    boolean stale = System.nanoTime() - last.atNanos() > BELIEVED_NANOS || since > reserveBytes / 8;
    if (stale) {
      last = measure();
      measured = last;
      since = 0;
    }
    return last.usableBytes() - since;
  }

  private Measured measure() {
    long before = appended.get();
    return new Measured(usableBytes.getAsLong(), System.nanoTime(), before);
  }

  @Override
  public void close() throws IOException {
    closeFile();
  }
}
