package io.tidemark.server.rpc;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.core.Origin;
import io.tidemark.server.metrics.RequestItems;
import io.tidemark.server.rpc.RefusalLog.Refusal;
import io.tidemark.wire.DecodedRequest;
import io.tidemark.wire.FrameAssembler;
import io.tidemark.wire.FrameStatus;
import io.tidemark.wire.Frames;
import io.tidemark.wire.PeerProfile;
import io.tidemark.wire.ReplyEncoder;
import io.tidemark.wire.RpcCodes;
import io.tidemark.wire.WireBuffer;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client connection. Everything but {@link #answered} runs on the connection's event loop.
 *
 * <p>Answers that come while a read is being handled leave together in one write. Reading pauses
 * while too many requests wait for answers or too many answer bytes are unsent; one received chunk
 * may pass the bounds.
 */
final class RpcConnection {

  private static final Logger LOG = LoggerFactory.getLogger(RpcConnection.class);

  /** Answers collected before they are written out although the read has more requests. */
  private static final int WRITE_CHUNK_BYTES = 1 << 20;

  private static final String UNKNOWN = "unknown";

  private final RpcServices services;
  private final RpcLoop loop;
  private final NetSocket socket;
  private final Thread loopThread = Thread.currentThread();
  private final Origin origin;
  private final String peerHost;
  private final PeerProfile peer;
  private final FrameAssembler assembler;
  private final Queue<PendingCall> answeredElsewhere = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean drainScheduled = new AtomicBoolean();

  private boolean reading;
  private boolean paused;
  private boolean stopping;
  private boolean closed;
  private int outstanding;
  private long outstandingBytes;

  RpcConnection(RpcServices services, RpcLoop loop, NetSocket socket) {
    this.services = services;
    this.loop = loop;
    this.socket = socket;
    this.origin = new Origin(services.connectionIds().incrementAndGet());
    this.peerHost = socket.remoteAddress().hostAddress();
    this.peer = services.profiles().connection(peerHost);
    this.assembler = new FrameAssembler(services.config().maxFrameBytes(), this::request);
  }

  /** Begins to serve. */
  void open() {
    services.metrics().connectionsAccepted.increment();
    socket.setWriteQueueMaxSize(services.config().writeQueueBytes());
    socket.handler(this::received);
    socket.drainHandler(nothing -> adjustReading());
    socket.exceptionHandler(
        cause -> LOG.debug("event=connection_failed peer={} cause={}", peerText(), cause));
    socket.closeHandler(nothing -> closed());
    socket.shutdownHandler(nothing -> stop());
  }

  private void received(Buffer chunk) {
    services.metrics().receivedBytes.add(chunk.length());
    FrameStatus status;
    reading = true;
    try {
      status = assembler.feed(loop.bytesOf(chunk), 0, chunk.length());
    } finally {
      reading = false;
    }
    flush();
    if (status.mustClose()) {
      refuse(UNKNOWN, status.name(), UNKNOWN);
      socket.close();
    } else {
      adjustReading();
    }
  }

  private void request(int functionId, int seq, byte[] buffer, int bodyOffset, int bodyLength) {
    DecodedRequest decoded;
    try {
      decoded = loop.decoder().decode(functionId, buffer, bodyOffset, bodyLength, peer);
    } catch (RuntimeException defect) {
      services.metrics().internalErrors.increment();
      LOG.error(
          "event=decode_failed function={} peer={}",
          Integer.toHexString(functionId),
          peerText(),
          defect);
      encodeError(new Reply.RpcError(RpcCodes.HANDLER_FAILED, "internal error"), seq);
      return;
    }
    if (decoded instanceof DecodedRequest.Call call) {
      serve(
          new PendingCall(
              this, call.request(), call.replyProfile(), seq, Frames.REQUEST_HEADER + bodyLength));
      noteRelease(call);
    } else {
      refused((DecodedRequest.Refusal) decoded, seq);
    }
    if (out().size() >= WRITE_CHUNK_BYTES) {
      flush();
    }
  }

  private void refused(DecodedRequest.Refusal refusal, int seq) {
    String release = refusal.looksLike().isEmpty() ? learntRelease() : refusal.looksLike();
    String rpc = refusal.rpc().map(Rpc::methodName).orElse(UNKNOWN);
    if (refusal.rpc().isPresent() && refusal.rpc().get().kind() == Rpc.Kind.WEIGHT) {
      services.metrics().unserved.increment(rpc);
    }
    refuse(rpc, refusal.reason().name(), release);
    encodeError(refusal.reply(), seq);
  }

  /** An error of the RPC layer has the same form for every call and release. */
  private void encodeError(Reply.RpcError error, int seq) {
    ReplyEncoder.encode(Rpc.SERVICE_READY, error, services.profiles().defaultProfile(), seq, out());
  }

  /** What the call shows of its client's release is remembered; a guess is said. */
  private void noteRelease(DecodedRequest.Call call) {
    Request request = call.request();
    if (request instanceof Request.MountSegment || request instanceof Request.ReMountSegment) {
      peer.forgetReported();
    }
    peer.news()
        .ifPresent(
            known -> services.master().releaseLearned(known.client(), known.release().label()));
    if (peer.takeGuessed()) {
      String release = call.replyProfile().label();
      Refusal guess = new Refusal(request.rpc().methodName(), "ambiguous", release, peerHost);
      services.refusals().ambiguous(guess, peerText());
    }
  }

  private void serve(PendingCall call) {
    outstanding++;
    outstandingBytes += call.frameBytes();
    Request request = call.request();
    try {
      if (request instanceof Request.Unserved unserved) {
        services.metrics().unserved.increment(unserved.rpc().methodName());
        call.reply(ReplyEncoder.unserved(unserved));
      } else {
        services.master().submit(request, origin, call);
      }
    } catch (RuntimeException | AssertionError | StackOverflowError failure) {
      services.metrics().internalErrors.increment();
      LOG.error(
          "event=request_failed rpc={} peer={}", request.rpc().methodName(), peerText(), failure);
      if (call.answerOnce(internalError(request))) {
        answered(call);
      }
    }
  }

  /** Told by a call that it has its answer; any thread. */
  void answered(PendingCall call) {
    if (Thread.currentThread() == loopThread && reading) {
      append(call);
      return;
    }
    answeredElsewhere.add(call);
    if (drainScheduled.compareAndSet(false, true)) {
      loop.loop().runOnContext(nothing -> drain());
    }
  }

  /** Told by a call that it was answered again; any thread. */
  void answeredTwice(PendingCall call) {
    services.metrics().doubleAnswers.increment();
    LOG.error("event=double_answer rpc={} peer={}", call.request().rpc().methodName(), peerText());
  }

  private void drain() {
    drainScheduled.set(false);
    for (PendingCall call = answeredElsewhere.poll();
        call != null;
        call = answeredElsewhere.poll()) {
      append(call);
      if (out().size() >= WRITE_CHUNK_BYTES) {
        flush();
      }
    }
    flush();
    adjustReading();
  }

  private void append(PendingCall call) {
    outstanding--;
    outstandingBytes -= call.frameBytes();
    Request request = call.request();
    Reply reply = call.reply();
    try {
      ReplyEncoder.encode(request.rpc(), reply, call.profile(), call.seq(), out());
    } catch (IllegalArgumentException | ClassCastException | IllegalStateException misfit) {
      services.metrics().internalErrors.increment();
      LOG.error(
          "event=answer_failed rpc={} peer={}", request.rpc().methodName(), peerText(), misfit);
      reply = internalError(request);
      ReplyEncoder.encode(request.rpc(), reply, call.profile(), call.seq(), out());
    }
    services.requests().answered(request, reply);
  }

  private void flush() {
    WireBuffer out = out();
    int size = out.size();
    if (size == 0) {
      return;
    }
    if (!closed) {
      services.metrics().sentBytes.add(size);
      socket.write(Buffer.buffer(size).appendBytes(out.array(), 0, size));
    }
    out.clear();
  }

  private void adjustReading() {
    if (closed) {
      return;
    }
    if (stopping && outstanding == 0) {
      socket.close();
      return;
    }
    boolean mustPause =
        stopping
            || outstanding >= services.config().maxOutstandingRequests()
            || outstandingBytes >= services.config().maxOutstandingBytes()
            || socket.writeQueueFull();
    if (mustPause && !paused) {
      paused = true;
      services.metrics().readPauses.increment();
      socket.pause();
    } else if (!mustPause && paused) {
      paused = false;
      socket.resume();
    }
  }

  /** The server stops: reads nothing more, answers what it has, closes. */
  private void stop() {
    stopping = true;
    adjustReading();
  }

  private void closed() {
    closed = true;
    services.metrics().connectionsClosed.increment();
    peer.close();
    services.master().connectionClosed(origin.connectionId());
  }

  private static Reply internalError(Request request) {
    Rpc rpc = request.rpc();
    if (rpc == Rpc.REMOVE_ALL) {
      return new Reply.Bare(0L);
    }
    return ReplyEncoder.refuse(rpc, RequestItems.of(request), ErrorCode.INTERNAL_ERROR);
  }

  private void refuse(String rpc, String reason, String release) {
    Refusal refusal = new Refusal(rpc, reason.toLowerCase(Locale.ROOT), release, peerHost);
    services.refusals().refused(refusal, peerText());
  }

  private String learntRelease() {
    return peer.release().map(profile -> profile.label()).orElse(UNKNOWN);
  }

  private String peerText() {
    return socket.remoteAddress().toString();
  }

  private WireBuffer out() {
    return loop.out();
  }
}
