package io.tidemark.wire;

/**
 * Cuts what a client sends into requests: any split, any number of requests in a chunk (coro-rpc
 * wire, sections 1.2 to 1.5). One per connection; not thread-safe.
 */
public final class FrameAssembler extends StreamAssembler {

  /** Receives complete requests in the order of their arrival. */
  @FunctionalInterface
  public interface Sink {
    /**
     * A complete request.
     *
     * @param functionId names the call, see {@link io.tidemark.wire.schema.FunctionIds}
     * @param seq to be copied into the answer
     * @param buffer holds the body; valid and unchanged only during this call
     */
    void request(int functionId, int seq, byte[] buffer, int bodyOffset, int bodyLength);
  }

  private final Sink sink;

  /**
   * An assembler at the start of a connection.
   *
   * @param maxBytes largest body plus attachment in bytes, see {@link Frames#DEFAULT_MAX_BYTES}
   */
  public FrameAssembler(int maxBytes, Sink sink) {
    super(Frames.REQUEST_HEADER, Frames.REQUEST_LENGTH_AT, maxBytes);
    this.sink = sink;
  }

  /**
   * Takes received bytes and hands on every request that they complete.
   *
   * @return whether the connection may go on; once it must be closed, further bytes are ignored
   */
  public FrameStatus feed(byte[] chunk, int offset, int length) {
    return consume(chunk, offset, length);
  }

  @Override
  FrameStatus check(byte[] buffer, int at, int available) {
    if ((buffer[at] & 0xff) != Frames.MAGIC) {
      return FrameStatus.BAD_MAGIC;
    }
    if (available > 1 && buffer[at + 1] != 0) {
      return FrameStatus.BAD_VERSION;
    }
    if (available > 2 && buffer[at + 2] != 0) {
      return FrameStatus.BAD_SERIALIZE_TYPE;
    }
    return FrameStatus.OPEN;
  }

  @Override
  void emit(byte[] buffer, int at, int bodyAt, int bodyBytes) {
    int functionId = Frames.intAt(buffer, at + Frames.FUNCTION_AT);
    sink.request(functionId, Frames.intAt(buffer, at + Frames.SEQ_AT), buffer, bodyAt, bodyBytes);
  }
}
