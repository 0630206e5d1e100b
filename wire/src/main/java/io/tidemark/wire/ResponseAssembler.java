package io.tidemark.wire;

/**
 * Cuts what a master sends into responses. As Mooncake's client it looks at neither magic nor
 * version (coro-rpc wire, section 1.3). One per connection; not thread-safe.
 */
public final class ResponseAssembler extends StreamAssembler {

  /** Receives complete responses in the order of their arrival, not that of the requests. */
  @FunctionalInterface
  public interface Sink {
    /**
     * A complete response.
     *
     * @param errorCode 0 if a result follows, else see {@link ReplyDecoder#decode}
     * @param seq of the request that this answers
     * @param buffer holds the body; valid and unchanged only during this call
     */
    void response(int errorCode, int seq, byte[] buffer, int bodyOffset, int bodyLength);
  }

  private final Sink sink;

  /**
   * An assembler at the start of a connection.
   *
   * @param maxBytes largest body plus attachment in bytes
   */
  public ResponseAssembler(int maxBytes, Sink sink) {
    super(Frames.RESPONSE_HEADER, Frames.RESPONSE_LENGTH_AT, maxBytes);
    this.sink = sink;
  }

  /**
   * Takes received bytes and hands on every response that they complete.
   *
   * @return {@link FrameStatus#OPEN}, or {@link FrameStatus#TOO_LARGE} for good
   */
  public FrameStatus feed(byte[] chunk, int offset, int length) {
    return consume(chunk, offset, length);
  }

  @Override
  FrameStatus check(byte[] buffer, int at, int available) {
    return FrameStatus.OPEN;
  }

  @Override
  void emit(byte[] buffer, int at, int bodyAt, int bodyBytes) {
    int errorCode = buffer[at + 2] & 0xff;
    sink.response(errorCode, Frames.intAt(buffer, at + Frames.SEQ_AT), buffer, bodyAt, bodyBytes);
  }
}
