package io.tidemark.benchmarks.figures;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running master, the memory lent to it, and connections that stay open. */
final class Subject implements AutoCloseable {
  static final int SEGMENTS = 16;

  /** Ample: nothing is ever evicted from it. */
  static final long SEGMENT_BYTES = 64L << 30;

  static final int BATCH = 128;

  private static final Duration FILL_LIMIT = Duration.ofMinutes(5);
  private static final double QUIET_SHARE = 0.05;
  private static final int QUIET_STEP_MS = 100;
  private static final int QUIET_STEPS = 50;

  private final MasterProcess master;
  private final Owner owner;
  private final List<Link> links = new ArrayList<>();
  private int names;

  Subject(MasterProcess master, int connections, long segmentBytes) throws IOException {
    this.master = master;
    this.owner = new Owner(master.address(), SEGMENTS, segmentBytes);
    for (int i = 0; i < connections; i++) {
      links.add(new Link(master.address()));
    }
  }

  MasterProcess master() {
    return master;
  }

  Owner owner() {
    return owner;
  }

  Requests requests() {
    return Requests.of(owner.id());
  }

  /** The first so many connections. */
  List<Link> links(int count) {
    return links.subList(0, count);
  }

  /** Empty ranges of keys that were not in use before. */
  List<KeyRange> newRanges(int count) {
    List<KeyRange> ranges = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ranges.add(new KeyRange(String.format("%08d", names++)));
    }
    return ranges;
  }

  /** Puts keys in batches until the ranges have {@code total} of them together, one a link. */
  void fill(Requests requests, List<KeyRange> ranges, long total) throws IOException {
    long each = total / ranges.size();
    long failed =
        new ClosedLoop(
                links(ranges.size()), i -> new Scripts.Put(requests, ranges.get(i), BATCH, each))
            .runOut(FILL_LIMIT);
    if (failed > 0) {
      throw new IOException(failed + " keys could not be put on " + master.label());
    }
  }

  /** Puts a range's keys in batches over the last connection, which no load uses meanwhile. */
  void fillApart(KeyRange range, long total) throws IOException {
    List<Link> last = links.subList(links.size() - 1, links.size());
    new ClosedLoop(last, i -> new Scripts.Put(requests(), range, BATCH, total)).runOut(FILL_LIMIT);
  }

  /** Removes the oldest keys of the ranges until each has {@code keep}. */
  void shrink(List<KeyRange> ranges, long keep) throws IOException {
    new ClosedLoop(links(ranges.size()), i -> new Scripts.Remove(ranges.get(i), BATCH, keep))
        .runOut(FILL_LIMIT);
  }

  /**
   * Waits until the master uses next to no processor time: what a load leaves behind is not the
   * next one's.
   *
   * @return false if it did not calm down within five seconds
   */
  boolean settle() throws IOException, InterruptedException {
    double before = master.cpuSeconds();
    for (int i = 0; i < QUIET_STEPS; i++) {
      TimeUnit.MILLISECONDS.sleep(QUIET_STEP_MS);
      double now = master.cpuSeconds();
      if ((now - before) * 1e3 / QUIET_STEP_MS <= QUIET_SHARE) {
        return true;
      }
      before = now;
    }
    return false;
  }

  @Override
  public void close() throws IOException {
    owner.close();
    for (Link link : links) {
      link.close();
    }
    master.close();
  }
}
