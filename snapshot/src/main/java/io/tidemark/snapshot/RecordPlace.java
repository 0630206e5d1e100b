package io.tidemark.snapshot;

import java.nio.file.Path;

/** Where a record is stored. */
public record RecordPlace(Path file, long offsetBytes) {
  @Override
  public String toString() {
    return file + ", offset " + offsetBytes;
  }
}
