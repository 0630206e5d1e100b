package io.tidemark.chaos.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.stream.Stream;

/**
 * What one test leaves and owns: a folder for logs and data, and everything that must end with the
 * test. A failed test's folder stays and is named on standard output; a passed one's goes.
 */
public final class Evidence {
  private final Path folder;
  private final Deque<AutoCloseable> owned = new ArrayDeque<>();

  Evidence(Path folder) {
    this.folder = folder;
    delete(folder);
    create(folder);
  }

  /** The folder for files that explain a failure. */
  public Path folder() {
    return folder;
  }

  /** A folder inside, made now. */
  public Path folder(String name) {
    return create(folder.resolve(name));
  }

  /** Hands over something that is closed with the test, the latest first. */
  public synchronized <T extends AutoCloseable> T own(T closeable) {
    owned.push(closeable);
    return closeable;
  }

  /** Ends everything that the test started; the first failure is thrown after all are closed. */
  synchronized void close() throws Exception {
    Exception first = null;
    while (!owned.isEmpty()) {
      try {
        owned.pop().close();
      } catch (Exception e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  /** Removes the folder. */
  void discard() {
    delete(folder);
  }

  private static Path create(Path folder) {
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
