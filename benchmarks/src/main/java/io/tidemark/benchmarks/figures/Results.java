package io.tidemark.benchmarks.figures;

/**
 * Looks at an answer as little as is needed to know whether it is a success, in the plain and in
 * the spelled-out form (coro-rpc wire, section 5).
 */
final class Results {
  private static final int META_AT = Integer.BYTES;

  private Results() {}

  /** Whether the result of a single call is a value. */
  static boolean isOk(byte[] buffer, int body) {
    return buffer[payload(buffer, body)] != 0;
  }

  /** How many of a batch's results without a value are successes. */
  static int countDone(byte[] buffer, int body, int batch) {
    boolean plain = (buffer[body] & 1) == 0;
    int sizeWidth = plain ? 1 : 1 << (buffer[body + META_AT] >> 3 & 3);
    int at = payload(buffer, body) + sizeWidth;
    int done = 0;
    for (int i = 0; i < batch; i++) {
      boolean ok = buffer[at] != 0;
      done += ok ? 1 : 0;
      at += ok ? 1 : 1 + Integer.BYTES;
    }
    return done;
  }

  /** Where the value starts: past hash, meta byte, total length and type literal. */
  private static int payload(byte[] buffer, int body) {
    int at = body + META_AT;
    if ((buffer[body] & 1) == 0) {
      return at;
    }
    int meta = buffer[at++];
    at += (meta & 3) == 0 ? 0 : 1 << (meta & 3);
    if ((meta & 4) != 0) {
      while (buffer[at] != 0) {
        at++;
      }
      at++;
    }
    return at;
  }
}
