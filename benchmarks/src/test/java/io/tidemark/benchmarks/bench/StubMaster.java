package io.tidemark.benchmarks.bench;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.rpc.ClientStatus;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.wire.DecodedRequest;
import io.tidemark.wire.FrameAssembler;
import io.tidemark.wire.ProfileRegistry;
import io.tidemark.wire.ReplyEncoder;
import io.tidemark.wire.RequestDecoder;
import io.tidemark.wire.WireBuffer;
import io.tidemark.wire.schema.WireProfile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A master that says yes to everything, one request at a time over all connections; it can stall
 * once, hang up, or refuse puts.
 */
final class StubMaster implements AutoCloseable {
  private final ServerSocket listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
  private final ConcurrentLinkedQueue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final AtomicInteger reads = new AtomicInteger();
  private volatile int stallAtRead = -1;
  private volatile Duration stall = Duration.ZERO;
  private volatile int hangUpAtRead = -1;
  private volatile boolean full;
  private volatile boolean garbles;

  StubMaster() throws IOException {
    daemon(this::accept);
  }

  /** All of it stands still for a time when the given read has come. */
  void stallAt(int read, Duration time) {
    stall = time;
    stallAtRead = read;
  }

  /** All connections end when the given read has come. */
  void hangUpAt(int read) {
    hangUpAtRead = read;
  }

  /** No put finds room any more. */
  void full() {
    full = true;
  }

  /** Answers of calls that mount are of another type than asked for. */
  void garble() {
    garbles = true;
  }

  InetSocketAddress address() {
    return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
  }

  String target() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  private static void daemon(Runnable body) {
    Thread thread = new Thread(body, "stub-master");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        sockets.add(socket);
        daemon(() -> serve(socket));
      }
    } catch (IOException endOfTest) {
      sockets.clear();
    }
  }

  private void serve(Socket socket) {
    RequestDecoder decoder = new RequestDecoder();
    var peer = new ProfileRegistry().pinnedConnection(WireProfile.V0_3_14);
    WireBuffer out = new WireBuffer();
    FrameAssembler requests =
        new FrameAssembler(
            1 << 20,
            (function, seq, buffer, at, length) -> {
              DecodedRequest.Call call =
                  (DecodedRequest.Call) decoder.decode(function, buffer, at, length, peer);
              Request request = call.request();
              ReplyEncoder.encode(request.rpc(), answer(request), call.replyProfile(), seq, out);
            });
    byte[] chunk = new byte[64 * 1024];
    try (socket) {
      socket.setTcpNoDelay(true);
      int count;
      while ((count = socket.getInputStream().read(chunk)) >= 0) {
        requests.feed(chunk, 0, count);
        byte[] answers = out.toBytes();
        if (garbles && answers.length < 64) {
          answers[16] ^= 0x5a;
        }
        socket.getOutputStream().write(answers);
        out.clear();
      }
    } catch (IOException | ClassCastException hungUp) {
      // The test sees it at the other end.
    }
  }

  private synchronized Reply answer(Request request) {
    if (request instanceof Request.NoArguments) {
      // Long enough not to be garbled: a master that is one at first sight.
      return Reply.ok("stub".repeat(20));
    } else if (request instanceof Request.Ping) {
      return Reply.ok(new Reply.PingResponse(0, ClientStatus.OK));
    } else if (request instanceof Request.GetReplicaList) {
      read();
      return Reply.ok(new Reply.ReplicaList(List.of(), 0, OptionalLong.empty()));
    } else if (request instanceof Request.ExistKey) {
      return Reply.ok(false);
    } else if (request instanceof Request.WriteStart) {
      return full ? Reply.error(ErrorCode.NO_AVAILABLE_HANDLE) : Reply.ok(List.of());
    } else if (request instanceof Request.BatchWriteStart start) {
      return many(start.keys().size(), Result.ok(List.of()));
    } else if (request instanceof Request.BatchWriteEnd end) {
      return many(end.keys().size(), Result.ok());
    } else if (request instanceof Request.BatchRemove remove) {
      return many(remove.keys().size(), Result.ok());
    }
    return Reply.OK;
  }

  private void read() {
    int number = reads.incrementAndGet();
    if (number == stallAtRead) {
      long end = System.nanoTime() + stall.toNanos();
      for (long left = stall.toNanos(); left > 0; left = end - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
    }
    if (number == hangUpAtRead) {
      sockets.forEach(StubMaster::hangUp);
    }
  }

  private static void hangUp(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Reply many(int count, Result<?> each) {
    return new Reply.Many(Collections.nCopies(count, each));
  }

  @Override
  public void close() throws IOException {
    listener.close();
    sockets.forEach(StubMaster::hangUp);
  }
}
