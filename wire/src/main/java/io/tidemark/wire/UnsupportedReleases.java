package io.tidemark.wire;

import io.tidemark.api.rpc.Rpc;

/** Recognises requests of releases that are too old to be served, for a helpful log line. */
final class UnsupportedReleases {

  /** PutStart with the five-member ReplicateConfig (coro-rpc wire, section 8). */
  private static final int PUT_START = 0x786e5846;

  private static final int BATCH_PUT_START = 0x990568ce;

  private UnsupportedReleases() {}

  /** Label of the release that sends this hash with this call, or an empty text. */
  static String senderOf(Rpc rpc, int hash) {
    boolean old =
        (rpc == Rpc.PUT_START && hash == PUT_START)
            || (rpc == Rpc.BATCH_PUT_START && hash == BATCH_PUT_START);
    return old ? "v0.3.10 or older" : "";
  }
}
