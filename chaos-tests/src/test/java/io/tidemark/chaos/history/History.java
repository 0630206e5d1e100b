package io.tidemark.chaos.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Everything that clients asked and were told, by key. Thread-safe. */
public final class History {
  private final LongSupplier nanos;
  private final Map<String, KeyHistory> keys = new ConcurrentHashMap<>();

  /** An empty one, by the machine's monotonic clock. */
  public History() {
    this(System::nanoTime);
  }

  History(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** The history of a key; empty at first. */
  public KeyHistory of(String key) {
    return keys.computeIfAbsent(key, name -> new KeyHistory(name, nanos));
  }

  /** All of them. */
  public Collection<KeyHistory> all() {
    return keys.values();
  }

  /** Changes that were acknowledged. */
  public long acknowledged() {
    return all().stream()
        .flatMap(key -> key.changes().stream().skip(1))
        .filter(this::ended)
        .count();
  }

  private boolean ended(Change change) {
    return change.doneNanos() != Change.NEVER;
  }

  /** Reads that were answered. */
  public long reads() {
    return all().stream().mapToLong(key -> key.reads().size()).sum();
  }

  /** Reads that were sent after one moment and before another, and were answered. */
  public List<Read> readsSentBetween(long fromNanos, long toNanos) {
    return all().stream()
        .flatMap(key -> key.reads().stream())
        .filter(read -> read.sentNanos() > fromNanos && read.sentNanos() < toNanos)
        .toList();
  }

  /** Writes all of it down, for people. */
  public void write(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    for (KeyHistory key : all().stream().sorted(Comparator.comparing(KeyHistory::key)).toList()) {
      lines.add(key.key());
      key.changes().forEach(change -> lines.add("  " + change));
      key.reads().forEach(read -> lines.add("  " + read));
    }
    Files.write(file, lines);
  }
}
