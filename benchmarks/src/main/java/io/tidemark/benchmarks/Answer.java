package io.tidemark.benchmarks;

/** Looks at an answer as little as is needed to know whether it is a success. */
final class Answer {
  /** A descriptor is longer than this, an error shorter. */
  private static final int SHORTEST_GET = 20;

  private Answer() {}

  /** Whether the result of a single call is a value. */
  static boolean isOk(byte[] buffer, int body) {
    return buffer[payload(buffer, body)] != 0;
  }

  /** How many of a batch's results without a value are successes. */
  static int countDone(byte[] buffer, int body, int batch) {
    int at = payload(buffer, body) + sizeWidth(buffer, body);
    int done = 0;
    for (int i = 0; i < batch; i++) {
      boolean ok = buffer[at] != 0;
      done += ok ? 1 : 0;
      at += ok ? 1 : 1 + Integer.BYTES;
    }
    return done;
  }

  /** How many replica lists an answer can hold at most; all or none is near enough. */
  static int countLists(int length, int batch) {
    return length > batch * SHORTEST_GET ? batch : 0;
  }

  private static int sizeWidth(byte[] buffer, int body) {
    return (buffer[body] & 1) == 0 ? 1 : 1 << (buffer[body + 4] >> 3 & 3);
  }

  /** Past hash, meta byte, total length and type literal. */
  private static int payload(byte[] buffer, int body) {
    int at = body + Integer.BYTES;
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
