package io.tidemark.benchmarks.bench;

/** A load that can't begin. The message is one sentence for the operator. */
final class BenchException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;

  private BenchException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** No master answers at the address. */
  static BenchException noMaster(String sentence) {
    return new BenchException(ExitStatus.NO_MASTER, sentence);
  }

  /** A master answers there, but does not want the load. */
  static BenchException refused(String sentence) {
    return new BenchException(ExitStatus.REFUSED, sentence);
  }

  /** The {@link ExitStatus} that the process ends with. */
  int status() {
    return status;
  }
}
