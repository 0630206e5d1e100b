package io.tidemark.snapshot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The real disk. */
final class DiskOperations implements FileOperations {
  /**
   * Most that one call of the system writes or reads. A call of 4 MiB was measured to take 13 ms of
   * a core that nobody else could have meanwhile, in pieces of 128 KiB less than 2 ms all in all.
   */
  static final int SLICE_BYTES = 128 << 10;

  private record ChannelOutput(FileChannel channel) implements Output {
    @Override
    public void write(ByteBuffer bytes) throws IOException {
      int end = bytes.limit();
      while (bytes.position() < end) {
        bytes.limit(Math.min(end, bytes.position() + SLICE_BYTES));
        channel.write(bytes);
      }
    }

    @Override
    public void force() throws IOException {
      channel.force(true);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    Files.createDirectory(directory);
  }

  @Override
  public Output create(Path file) throws IOException {
    return new ChannelOutput(
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public void forceNames(Path directory) throws IOException {
    force(directory);
  }

  @Override
  public void delete(Path path) throws IOException {
    Files.deleteIfExists(path);
  }
}
