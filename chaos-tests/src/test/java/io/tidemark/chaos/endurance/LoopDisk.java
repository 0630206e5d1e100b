package io.tidemark.chaos.endurance;

import io.tidemark.chaos.process.Evidence;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A small ext4 file system in a file of the test's folder, mounted on another folder of it. Needs
 * root. It goes with the test; what it held stays in the file if the evidence is kept.
 */
final class LoopDisk implements AutoCloseable {
  private static final long COMMAND_LIMIT_S = 30;
  private static final int BLOCK = 4096;
  private static final Set<LoopDisk> MOUNTED = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> MOUNTED.forEach(LoopDisk::unmountQuietly)));
  }

  private final Path folder;
  private final Path filler;
  private boolean closed;

  private LoopDisk(Path folder) {
    this.folder = folder;
    this.filler = folder.resolve("filler");
  }

  /** Makes one of {@code bytes} on the test's folder {@code name}, which must be empty. */
  static LoopDisk mount(Evidence evidence, String name, long bytes) throws IOException {
    Path image = evidence.folder().resolve(name + ".img");
    Path folder = evidence.folder(name);
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(bytes);
    }
    // No blocks kept for root: what a test's master, which is root, may use is what is shown free.
    run("mkfs.ext4", "-q", "-F", "-m", "0", "-b", "4096", image.toString());
    run("mount", "-o", "loop", image.toString(), folder.toString());
    LoopDisk disk = new LoopDisk(folder);
    MOUNTED.add(disk);
    return evidence.own(disk);
  }

  /**
   * Unmounts what an earlier test process left mounted below a folder because it was killed; else
   * the folder can't be cleared.
   */
  static void unmountLeftovers(Path below) throws IOException {
    List<String> found = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("/proc/self/mounts"))) {
      String place = line.split(" ", -1)[1];
      if (Path.of(place).startsWith(below)) {
        found.add(place);
      }
    }
    Collections.reverse(found);
    for (String place : found) {
      run("umount", "--lazy", place);
    }
  }

  /** Where it is mounted. */
  Path folder() {
    return folder;
  }

  /** Bytes that can still be written. */
  long free() throws IOException {
    return Files.getFileStore(folder).getUsableSpace();
  }

  /** Takes what is free by one system call, but for what its own book-keeping needs. */
  void grab() throws IOException {
    long wanted = free();
    while (wanted > 0 && tryRun("fallocate", "-l", Long.toString(wanted), filler.toString()) != 0) {
      wanted -= 1 << 20;
    }
    fill();
  }

  /** Writes until nothing can be written any more. */
  void fill() throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            filler,
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND,
            StandardOpenOption.WRITE)) {
      for (int size = 256 * BLOCK; size >= BLOCK; size /= 16) {
        writeUntilFull(channel, ByteBuffer.allocateDirect(size));
      }
    }
  }

  private static void writeUntilFull(FileChannel channel, ByteBuffer zeroes) {
    try {
      while (true) {
        zeroes.clear();
        channel.write(zeroes);
      }
    } catch (IOException full) {
      // That was the aim.
    }
  }

  /** Gives back what {@link #grab} and {@link #fill} took. */
  void release() throws IOException {
    Files.deleteIfExists(filler);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      run("umount", folder.toString());
      MOUNTED.remove(this);
    }
  }

  private void unmountQuietly() {
    tryRun("umount", "--lazy", folder.toString());
  }

  private static void run(String... command) {
    int exitCode = tryRun(command);
    if (exitCode != 0) {
      throw new AssertionError(
          String.join(" ", command)
              + " ended with "
              + exitCode
              + "; the test needs root, loop devices and e2fsprogs");
    }
  }

  private static int tryRun(String... command) {
    try {
      Process process = new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(COMMAND_LIMIT_S, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(String.join(" ", command) + " did not end; it said: " + output);
      }
      return process.exitValue();
    } catch (IOException e) {
      throw new UncheckedIOException(String.join(" ", command), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted: " + String.join(" ", command), e);
    }
  }
}
