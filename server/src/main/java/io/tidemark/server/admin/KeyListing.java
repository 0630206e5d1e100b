package io.tidemark.server.admin;

import io.tidemark.api.ObjectKey;
import io.tidemark.api.WireText;
import io.tidemark.core.MasterView;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * Writes the keys of the default tenant, one a line. A short list goes out in one piece with its
 * length, as upstream sends it; a long one in pieces, each of which waits until the reader has
 * taken the one before. Worker threads only.
 */
final class KeyListing {

  private static final int PIECE_BYTES = 1 << 20;
  private static final long READER_TIMEOUT_SEC = 30;

  private final HttpServerResponse response;
  private Buffer piece = Buffer.buffer();

  KeyListing(HttpServerResponse response) {
    this.response = response;
  }

  /** Writes all keys and ends the response; throws if the reader is gone or too slow. */
  void write(MasterView view) {
    response.putHeader("Content-Type", "text/plain; version=0.0.4");
    view.forEachReadableKey(ObjectKey.DEFAULT_TENANT, this::add);
    response.end(piece);
  }

  private void add(String wireKey) {
    piece.appendBytes(WireText.bytes(wireKey)).appendByte((byte) '\n');
    if (piece.length() >= PIECE_BYTES) {
      if (!response.headWritten()) {
        response.setChunked(true);
      }
      sendPiece();
    }
  }

  private void sendPiece() {
    Buffer full = piece;
    piece = Buffer.buffer();
    try {
      response
          .write(full)
          .toCompletionStage()
          .toCompletableFuture()
          .orTimeout(READER_TIMEOUT_SEC, TimeUnit.SECONDS)
          .join();
    } catch (CompletionException gone) {
      throw new IllegalStateException(
          "the reader of the key list is gone or took nothing for 30 s", gone);
    }
  }
}
