package io.tidemark.benchmarks.figures;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The disturbances that are measured. */
final class Disturbances {
  private static final int POLL_MS = 20;
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  private Disturbances() {}

  /** A disturbance that is seen in the metrics. */
  private abstract static class Polled implements Disturbance {

    @FunctionalInterface
    interface Look {
      boolean isSo(Map<String, Double> metrics);
    }

    /** Polls until something is so; gives the times of the last two looks. */
    final Span await(Subject subject, Look look) throws IOException, InterruptedException {
      long until = System.nanoTime() + LIMIT_NANOS;
      long before = System.nanoTime();
      while (System.nanoTime() < until) {
        Map<String, Double> metrics = subject.master().admin().metrics();
        long now = System.nanoTime();
        if (look.isSo(metrics)) {
          return new Span(before, now);
        }
        before = now;
        TimeUnit.MILLISECONDS.sleep(POLL_MS);
      }
      throw new IOException("nothing happened on " + subject.master().label() + " for a minute");
    }

    @Override
    public final void calm(Subject subject, long millis) throws IOException, InterruptedException {
      long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      await(subject, metrics -> System.nanoTime() >= until);
    }
  }

  /** A snapshot that is asked for: from the request until it has been read back. */
  static final class Snapshot implements Disturbance {
    @Override
    public String title() {
      return "a snapshot is taken";
    }

    @Override
    public List<String> flags() {
      return List.of();
    }

    @Override
    public long segmentBytes(long objects) {
      return Subject.SEGMENT_BYTES;
    }

    @Override
    public long own(long objects) {
      return 0;
    }

    @Override
    public void prepare(Subject subject, List<KeyRange> objects, long total) {
      // There is always something that the last snapshot does not have.
    }

    @Override
    public Span happen(Subject subject) throws IOException, InterruptedException {
      long from = System.nanoTime();
      subject.master().admin().takeSnapshot();
      return new Span(from, System.nanoTime());
    }

    @Override
    public void calm(Subject subject, long millis) throws InterruptedException {
      TimeUnit.MILLISECONDS.sleep(millis);
    }
  }

  /**
   * Memory runs over the high watermark; the master evicts a twentieth of the objects. From the
   * batch that goes over it until the run is counted, the search for victims included.
   */
  static final class Eviction extends Polled {
    private static final double WATERMARK = 0.9;
    private static final double BEFORE = 0.88;
    private final KeyRange filler = new KeyRange("filler");

    @Override
    public String title() {
      return "evicting";
    }

    @Override
    public List<String> flags() {
      return List.of();
    }

    @Override
    public long segmentBytes(long objects) {
      // Whole objects, so that nothing is lost at the end of a segment.
      return (long) (objects / BEFORE / Subject.SEGMENTS) * Requests.OBJECT_BYTES;
    }

    @Override
    public long own(long objects) {
      return 0;
    }

    @Override
    public void prepare(Subject subject, List<KeyRange> objects, long total)
        throws IOException, InterruptedException {
      subject.shrink(List.of(filler), 0);
      Map<String, Double> metrics = subject.master().admin().metrics();
      double room =
          BEFORE * metrics.get("master_total_capacity_bytes")
              - metrics.get("master_allocated_bytes");
      long missing = (long) (room / Requests.OBJECT_BYTES);
      if (missing > 0) {
        // Old keys that are gone stay in the ranges: a read of one is a read all the same.
        long each = objects.get(0).size();
        long more = missing / objects.size();
        subject.fill(subject.requests(), objects, (each + more) * objects.size());
      }
    }

    @Override
    public Span happen(Subject subject) throws IOException, InterruptedException {
      Admin admin = subject.master().admin();
      Map<String, Double> metrics = admin.metrics();
      double evicted = metrics.get("master_evicted_key_count");
      double room =
          WATERMARK * metrics.get("master_total_capacity_bytes")
              - metrics.get("master_allocated_bytes");
      long fillers = Math.max(0, (long) Math.ceil(room / Requests.OBJECT_BYTES));
      subject.fillApart(filler, fillers - Subject.BATCH);
      long from = System.nanoTime();
      subject.fillApart(filler, fillers + Subject.BATCH);
      Span end = await(subject, now -> now.get("master_evicted_key_count") > evicted);
      return new Span(from, end.toNanos());
    }
  }

  /** A client that owns a tenth of the objects falls silent; from its end to the last removal. */
  static final class Expiry extends Polled {
    private static final String KEYS = "master_key_count";
    private static final String GONE = "master_client_liveness_offline_transitions_total";
    private Owner owner;
    private long owned;

    @Override
    public String title() {
      return "a client with 10 % of the keys expires";
    }

    @Override
    public List<String> flags() {
      return List.of("--client_active_ttl_sec=3", "--client_suspicion_ttl_sec=1");
    }

    @Override
    public long segmentBytes(long objects) {
      return Subject.SEGMENT_BYTES;
    }

    @Override
    public long own(long objects) {
      return objects / 10;
    }

    @Override
    public void prepare(Subject subject, List<KeyRange> objects, long total)
        throws IOException, InterruptedException {
      owned = own(total);
      owner = new Owner(subject.master().address(), 1, owned * Requests.OBJECT_BYTES);
      List<KeyRange> keys = subject.newRanges(objects.size());
      subject.fill(subject.requests().on(owner.segment(0)), keys, owned);
    }

    @Override
    public Span happen(Subject subject) throws IOException, InterruptedException {
      double gone = subject.master().admin().metric(GONE);
      double[] most = {0};
      double[] before = {0};
      owner.close();
      Span first =
          await(
              subject,
              now -> {
                most[0] = Math.max(most[0], now.get(KEYS));
                return now.get(GONE) > gone;
              });
      Span last =
          await(
              subject,
              now -> {
                // Puts of the load go on: the number of keys rises as soon as the removals are
                // over.
                boolean falls = now.get(KEYS) < before[0];
                before[0] = now.get(KEYS);
                return !falls && most[0] - before[0] > owned / 2.0;
              });
      return new Span(first.fromNanos(), last.toNanos());
    }
  }
}
