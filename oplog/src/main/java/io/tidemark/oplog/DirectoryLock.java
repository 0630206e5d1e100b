package io.tidemark.oplog;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps a log directory to one writer. The operating system's lock decides, which ends with its
 * process; the text in the file only tells a person who holds it, so an old pid in it fools nobody.
 */
final class DirectoryLock implements Closeable {
  private static final int MAX_TEXT_BYTES = 256;

  /**
   * Directories that this process holds. Needed because the system drops a process's lock when the
   * process closes any channel on the file, even one that was opened only to look.
   */
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final Path key;
  private final FileChannel channel;

  private DirectoryLock(Path key, FileChannel channel) {
    this.key = key;
    this.channel = channel;
  }

  /**
   * Takes the lock.
   *
   * @throws DirectoryLockedException if another writer, here or in another process, has it
   */
  static DirectoryLock take(Path directory, Path lockFile) throws IOException {
    Path key = directory.toRealPath();
    if (!HELD_HERE.add(key)) {
      throw new DirectoryLockedException(
          directory + " is already open in this process (" + self() + "); close it first");
    }
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              lockFile,
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw new DirectoryLockedException(
            directory
                + " is open in another process ("
                + text(channel)
                + "); stop it, or give this one a directory of its own");
      }
      channel.truncate(0);
      channel.write(ByteBuffer.wrap((self() + "\n").getBytes(StandardCharsets.UTF_8)), 0);
      return new DirectoryLock(key, channel);
    } catch (IOException | RuntimeException e) {
      if (channel != null) {
        channel.close();
      }
      HELD_HERE.remove(key);
      throw e;
    }
  }

  private static String self() {
    ProcessHandle process = ProcessHandle.current();
    Instant start = process.info().startInstant().orElse(Instant.EPOCH);
    return "pid " + process.pid() + ", started " + start;
  }

  private static String text(FileChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(MAX_TEXT_BYTES);
    channel.read(buffer, 0);
    return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8).trim();
  }

  @Override
  public void close() throws IOException {
    channel.close();
    HELD_HERE.remove(key);
  }
}
