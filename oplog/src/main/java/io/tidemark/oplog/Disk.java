package io.tidemark.oplog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** File operations that are on the disk when they return. */
final class Disk {
  private static final int COPY_BYTES = 1 << 20;

  private Disk() {}

  /** Forces a file's content. */
  static void force(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /** Forces the names in a directory. */
  static void forceNames(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Replaces a small file as a whole: after a crash it has the old content or the new. */
  static void replace(Path file, String content) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".new");
    write(temporary, content);
    rename(temporary, file);
  }

  /** Moves a forced file to its name, replacing what has that name. */
  static void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    forceNames(to.toAbsolutePath().getParent());
    if (!from.toAbsolutePath().getParent().equals(to.toAbsolutePath().getParent())) {
      forceNames(from.toAbsolutePath().getParent());
    }
  }

  /**
   * Gives a file a second name, under which its content stays when the first name goes; where the
   * file system has no such names, copies it.
   */
  static void link(Path file, Path name) throws IOException {
    try {
      Files.createLink(name, file);
    } catch (UnsupportedOperationException | FileSystemException e) {
      copyRange(file, 0, Files.size(file), name);
    }
    forceNames(name.toAbsolutePath().getParent());
  }

  /** Removes a file, if it is there, for good. */
  static void remove(Path file) throws IOException {
    if (Files.deleteIfExists(file)) {
      forceNames(file.toAbsolutePath().getParent());
    }
  }

  /** Copies {@code from} up to {@code to} of a file into a new one. */
  static void copyRange(Path source, long from, long to, Path target) throws IOException {
    try (FileChannel in = FileChannel.open(source, StandardOpenOption.READ);
        FileChannel out =
            FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
      for (long at = from; at < to; ) {
        buffer.clear().limit((int) Math.min(COPY_BYTES, to - at));
        int read = in.read(buffer, at);
        if (read <= 0) {
          break;
        }
        writeFully(out, buffer.flip());
        at += read;
      }
      out.force(true);
    }
    forceNames(target.toAbsolutePath().getParent());
  }

  private static void write(Path file, String content) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      writeFully(channel, ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)));
      channel.force(true);
    }
  }

  private static void writeFully(FileChannel channel, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }
}
