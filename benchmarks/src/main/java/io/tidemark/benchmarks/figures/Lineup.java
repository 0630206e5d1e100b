package io.tidemark.benchmarks.figures;

import java.io.IOException;
import java.util.List;

/** Which masters are compared, in what form, and what is aimed at. One run. */
interface Lineup extends AutoCloseable {

  /** Name of the part. */
  String part();

  /** Heading of the part. */
  String title();

  /** The releases of Mooncake that Tidemark is compared with. */
  List<String> releases();

  /** The ratio to a release that is aimed at. */
  double limit(LoadCase load, String release);

  /** Starts all masters; Tidemark is the first, then the releases in their order. */
  List<Subject> open(Bench bench) throws IOException, InterruptedException;

  /** What is to be known of how they were started. */
  List<String> conditions(Bench bench);

  /** Ends what runs beside the masters that were opened. */
  @Override
  void close() throws IOException;
}
