package io.tidemark.benchmarks.figures;

import java.io.IOException;
import java.util.List;

/** Something that a master does beside serving, and that can be made to happen. */
interface Disturbance {

  /** When it began and ended, as {@link System#nanoTime} says. */
  record Span(long fromNanos, long toNanos) {
    long nanos() {
      return toNanos - fromNanos;
    }
  }

  /** In words, for "while …". */
  String title();

  /** Flags of the master on which it happens. */
  List<String> flags();

  /** Bytes of each of the segments that hold the ordinary objects. */
  long segmentBytes(long objects);

  /** Objects beside the ordinary ones that {@link #prepare} puts, of so many altogether. */
  long own(long objects);

  /** Makes it possible once more; no load yet. */
  void prepare(Subject subject, List<KeyRange> objects, long total)
      throws IOException, InterruptedException;

  /** Makes it happen, under load, and waits for its end. */
  Span happen(Subject subject) throws IOException, InterruptedException;

  /** Lets time pass without it, looking at the master as often as while it happens. */
  void calm(Subject subject, long millis) throws IOException, InterruptedException;
}
