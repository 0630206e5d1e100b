package io.tidemark.snapshot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** The real disk, until a step at which it breaks. */
final class BreakingOperations implements FileOperations {
  private final FileOperations disk = new DiskOperations();
  private final int breakAt;
  private final boolean forEver;
  private int steps;

  /**
   * @param breakAt the step that fails, from 1
   * @param forEver whether all steps behind it fail, too, as when the process is dead
   */
  BreakingOperations(int breakAt, boolean forEver) {
    this.breakAt = breakAt;
    this.forEver = forEver;
  }

  /** Steps that were tried. */
  int steps() {
    return steps;
  }

  private void step(Path path) throws IOException {
    steps++;
    if (steps == breakAt || forEver && steps > breakAt) {
      throw new FileSystemException(path.toString(), null, "No space left on device");
    }
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    step(directory);
    disk.createDirectory(directory);
  }

  @Override
  public Output create(Path file) throws IOException {
    step(file);
    Output out = disk.create(file);
    return new Output() {
      @Override
      public void write(ByteBuffer bytes) throws IOException {
        ByteBuffer half = bytes.duplicate();
        half.limit(half.position() + half.remaining() / 2);
        out.write(half);
        step(file);
        bytes.position(half.position());
        out.write(bytes);
      }

      @Override
      public void force() throws IOException {
        step(file);
        out.force();
      }

      @Override
      public void close() throws IOException {
        out.close();
      }
    };
  }

  @Override
  public void force(Path file) throws IOException {
    step(file);
    disk.force(file);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    step(from);
    disk.rename(from, to);
  }

  @Override
  public void forceNames(Path directory) throws IOException {
    step(directory);
    disk.forceNames(directory);
  }

  @Override
  public void delete(Path path) throws IOException {
    step(path);
    disk.delete(path);
  }
}
