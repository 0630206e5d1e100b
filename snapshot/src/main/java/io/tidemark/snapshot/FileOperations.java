package io.tidemark.snapshot;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The steps by which a snapshot reaches the disk; a port, so that tests can break each of them. */
interface FileOperations {

  /** A file that is being written. */
  interface Output extends Closeable {
    void write(ByteBuffer bytes) throws IOException;

    /** Everything written is on the disk when this returns. */
    void force() throws IOException;
  }

  void createDirectory(Path directory) throws IOException;

  /** Makes a file, which must not exist. */
  Output create(Path file) throws IOException;

  /** Everything written to a file, which is closed, is on the disk when this returns. */
  void force(Path file) throws IOException;

  /** Moves a file or folder to its name for good, replacing a file that has it. */
  void rename(Path from, Path to) throws IOException;

  /** The names in a directory are on the disk when this returns. */
  void forceNames(Path directory) throws IOException;

  /** Removes a file or an empty directory, if it is there. */
  void delete(Path path) throws IOException;
}
