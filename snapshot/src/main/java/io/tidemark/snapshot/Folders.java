package io.tidemark.snapshot;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Folders of snapshots as folders: what is in them, how they go. */
final class Folders {
  private Folders() {}

  /** Direct entries of a folder, by name; none if there is no such folder. */
  static List<Path> entries(Path folder) throws IOException {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
        entries.forEach(found::add);
      }
    }
    found.sort(null);
    return found;
  }

  /**
   * Removes a snapshot's folder. Its manifest goes first and for good, so that a crash in between
   * leaves no half snapshot that looks like one.
   */
  static void remove(FileOperations files, Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Path manifest = folder.resolve(Snapshot.MANIFEST);
    if (Files.exists(manifest)) {
      files.delete(manifest);
      files.forceNames(folder);
    }
    for (Path file : entries(folder)) {
      files.delete(file);
    }
    files.delete(folder);
    files.forceNames(folder.getParent());
  }
}
