package io.tidemark.benchmarks.figures;

import java.io.IOException;

/** Some figures that are measured together. */
interface Part {

  /** As on the command line. */
  String name();

  /** Measures. Ends every process that it starts. */
  Report run(Bench bench) throws IOException, InterruptedException;
}
