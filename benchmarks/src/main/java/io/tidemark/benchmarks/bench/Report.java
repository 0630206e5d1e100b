package io.tidemark.benchmarks.bench;

import java.util.List;

/** Where results go, each as soon as it is there. */
interface Report {

  /**
   * How a load ended.
   *
   * @param keysLeft keys that could not be removed
   * @param troubles sentences about what went wrong beside failed requests
   * @param interrupted whether the operator stopped it
   */
  record End(
      int status,
      boolean kept,
      long keysRemoved,
      long keysLeft,
      int segmentsUnmounted,
      boolean interrupted,
      List<String> troubles) {}

  /** The load begins. */
  void begin();

  /** A phase was measured. */
  void phase(Measurement measurement);

  /** The load is over and cleaned up after. */
  void end(End end);
}
