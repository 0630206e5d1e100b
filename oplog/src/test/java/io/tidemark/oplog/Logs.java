package io.tidemark.oplog;

import io.tidemark.api.Uuid;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.OperationLog;
import io.tidemark.api.log.ReplicaLog;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** What the tests of this package share: making logs, copying them, damaging them. */
final class Logs {
  private static final int SPARSE_BLOCK_BYTES = 16 << 10;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private Logs() {}

  /**
   * Makes temporary directories in memory where the host has that: hundreds of repairs are forced.
   */
  static final class InMemory implements TempDirFactory {
    @Override
    public Path createTempDirectory(
        AnnotatedElementContext elementContext, ExtensionContext extensionContext)
        throws IOException {
      Path memory = Path.of("/dev/shm");
      return Files.isWritable(memory)
          ? Files.createTempDirectory(memory, "tidemark")
          : Files.createTempDirectory("tidemark");
    }
  }

  static LogOptions options(Path directory) {
    return LogOptions.defaults(directory).withReserveBytes(1 << 20).withBootId(() -> "boot-1");
  }

  /** Appends batches of one entry each, whose payload tells its index. */
  static void append(OperationLog log, int count, int payloadBytes) {
    for (int i = 0; i < count; i++) {
      appendEntry(log, 1, payloadBytes, true);
      log.endBatch();
    }
  }

  static void appendEntry(OperationLog log, long epoch, int payloadBytes, boolean batchEnd) {
    long index = log.end().index() + 1;
    byte[] payload = new byte[payloadBytes];
    for (int i = 0; i < payloadBytes; i++) {
      payload[i] = (byte) (index * 31 + i + 1);
    }
    EntryHeader header = new EntryHeader(index, epoch, index, 0, 1001, new Uuid(3, 4), batchEnd);
    log.append(header, payload, 0, payloadBytes);
  }

  /** Waits until the promise of durability holds for {@code index}, whose batch was ended. */
  static void awaitDurable(OperationLog log, long index) {
    long begin = System.nanoTime();
    while (log.committedIndex() < index) {
      if (System.nanoTime() - begin > PATIENCE_NANOS) {
        throw new AssertionError("entry " + index + " is not durable");
      }
      LockSupport.parkNanos(100_000);
    }
  }

  /** Records from {@code from} to the end. */
  static List<byte[]> records(ReplicaLog log, long from) {
    List<byte[]> read = new ArrayList<>();
    log.readRecords(from, Integer.MAX_VALUE, (header, chain, record) -> read.add(record));
    return read;
  }

  static List<LogEntry> entries(OperationLog log) {
    List<LogEntry> read = new ArrayList<>();
    log.read(1, read::add);
    return read;
  }

  /** What a new process finds after the death of the one that has {@code from} open. */
  static Path copy(Path from, Path to) {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          copySparsely(file, target);
        }
      }
      return to;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Without the zeroes, which are most of a segment file. */
  private static void copySparsely(Path from, Path to) throws IOException {
    byte[] block = new byte[SPARSE_BLOCK_BYTES];
    byte[] zeroes = new byte[SPARSE_BLOCK_BYTES];
    try (InputStream in = Files.newInputStream(from);
        RandomAccessFile out = new RandomAccessFile(to.toFile(), "rw")) {
      long at = 0;
      for (int read = in.readNBytes(block, 0, block.length); read > 0; ) {
        if (!Arrays.equals(block, 0, read, zeroes, 0, read)) {
          out.seek(at);
          out.write(block, 0, read);
        }
        at += read;
        read = in.readNBytes(block, 0, block.length);
      }
      out.setLength(at);
    }
  }

  static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Where each entry of a log is. */
  static List<EntryPlace> places(Path directory) {
    List<EntryPlace> places = new ArrayList<>();
    LogReader.open(directory).read(1, (entry, place) -> places.add(place));
    return places;
  }

  /** The only segment file of a log. */
  static Path segment(Path directory) throws IOException {
    List<SegmentName> names = new LogDirectory(directory).listSegments();
    if (names.size() != 1) {
      throw new IllegalStateException("expected one segment, found " + names);
    }
    return names.get(0).file();
  }

  static void xor(Path file, long offset, int mask) throws IOException {
    byte[] at = bytes(file, offset, 1);
    write(file, offset, new byte[] {(byte) (at[0] ^ mask)});
  }

  static byte[] bytes(Path file, long offset, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (buffer.hasRemaining() && channel.read(buffer, offset + buffer.position()) > 0) {
        // goes on until all is read
      }
    }
    return buffer.array();
  }

  static void write(Path file, long offset, byte[] bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), offset);
    }
  }

  static void cut(Path file, long length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(length);
    }
  }
}
