package io.tidemark.client;

import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.FrameStatus;
import io.tidemark.wire.MalformedMessageException;
import io.tidemark.wire.ReplyDecoder;
import io.tidemark.wire.RequestEncoder;
import io.tidemark.wire.ResponseAssembler;
import io.tidemark.wire.WireBuffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One connection to one master. Calls may be made from several threads and overlap; answers are
 * matched by their sequence number, in whatever order they come.
 *
 * <p>A thread of its own reads the answers, so the end of the connection is noticed at once and not
 * with the next call. An answer that does not decode, or that answers nothing, closes the
 * connection, as in Mooncake's client. An error of the RPC layer is a {@link Reply.RpcError}, not
 * an exception, and leaves the connection open.
 */
public final class MasterConnection implements AutoCloseable {
  private static final int READ_BYTES = 64 * 1024;

  private final InetSocketAddress address;
  private final ClientOptions options;
  private final Socket socket;
  private final OutputStream out;
  private final Map<Integer, Waiting> waiting = new ConcurrentHashMap<>();
  private final WireBuffer frame = new WireBuffer();
  private int nextSeq;
  private volatile Throwable endedBy;

  private record Waiting(Rpc rpc, CompletableFuture<Reply> reply) {}

  private MasterConnection(InetSocketAddress address, ClientOptions options, Socket socket)
      throws IOException {
    this.address = address;
    this.options = options;
    this.socket = socket;
    this.out = socket.getOutputStream();
  }

  /** Connects. */
  public static MasterConnection open(InetSocketAddress address, ClientOptions options)
      throws IOException {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.connect(address, Math.toIntExact(options.connectTimeout().toMillis()));
      MasterConnection connection = new MasterConnection(address, options, socket);
      Thread reader = new Thread(connection::readAll, "tidemark-client-" + socket.getLocalPort());
      reader.setDaemon(true);
      reader.start();
      return connection;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Makes a call and waits for its answer.
   *
   * @throws CallTimeoutException if there is no answer in time
   * @throws ConnectionClosedException if the connection ends, or has ended
   * @throws InterruptedIOException if the thread is interrupted while it waits
   */
  public Reply call(Request request) throws IOException {
    return await(request.rpc(), submit(request));
  }

  /**
   * Makes calls at once, without waiting in between, and waits for all answers.
   *
   * @return the answers in the order of the requests
   */
  public List<Reply> callAll(List<? extends Request> requests) throws IOException {
    List<CompletableFuture<Reply>> replies = requests.stream().map(this::submit).toList();
    List<Reply> all = new ArrayList<>(replies.size());
    for (int i = 0; i < replies.size(); i++) {
      all.add(await(requests.get(i).rpc(), replies.get(i)));
    }
    return all;
  }

  /**
   * Starts a call.
   *
   * @return fails with {@link ConnectionClosedException} if the connection ends before the answer;
   *     has no time limit
   * @throws IllegalArgumentException if the release does not know the call
   */
  public CompletableFuture<Reply> submit(Request request) {
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    try {
      send(request, reply);
    } catch (IOException e) {
      end(e);
      reply.completeExceptionally(closed());
    }
    return reply;
  }

  private synchronized void send(Request request, CompletableFuture<Reply> reply)
      throws IOException {
    if (endedBy != null) {
      throw closed();
    }
    int seq = nextSeq++;
    frame.clear();
    RequestEncoder.encode(request, options.profile(), seq, options.literal(), frame);
    waiting.put(seq, new Waiting(request.rpc(), reply));
    out.write(frame.array(), 0, frame.size());
    if (endedBy != null) {
      // The reader ended in between and did not see this call.
      throw closed();
    }
  }

  private Reply await(Rpc rpc, CompletableFuture<Reply> reply) throws IOException {
    try {
      return reply.get(options.callTimeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      CallTimeoutException timeout =
          new CallTimeoutException(
              rpc.methodName() + " to " + address + ": no answer in " + options.callTimeout());
      end(timeout);
      throw timeout;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw new IOException(rpc.methodName() + " to " + address, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for " + rpc.methodName());
    }
  }

  /** Whether the connection has ended, by either side. */
  public boolean isClosed() {
    return endedBy != null;
  }

  /** The address that this connection leads to. */
  public InetSocketAddress address() {
    return address;
  }

  @Override
  public void close() {
    end(new SocketException("closed by this program"));
  }

  private void readAll() {
    ResponseAssembler assembler = new ResponseAssembler(options.maxResponseBytes(), this::answer);
    byte[] chunk = new byte[READ_BYTES];
    try {
      InputStream in = socket.getInputStream();
      int count;
      while ((count = in.read(chunk)) >= 0) {
        if (assembler.feed(chunk, 0, count) == FrameStatus.TOO_LARGE) {
          throw new IOException("an answer above " + options.maxResponseBytes() + " bytes");
        }
      }
      end(new SocketException("closed by the master"));
    } catch (IOException | RuntimeException e) {
      end(e);
    }
  }

  private void answer(int errorCode, int seq, byte[] buffer, int offset, int length) {
    Waiting call = waiting.remove(seq);
    if (call == null) {
      throw new IllegalStateException("an answer to a call that was not made: " + seq);
    }
    try {
      call.reply()
          .complete(
              ReplyDecoder.decode(
                  call.rpc(), errorCode, buffer, offset, length, options.profile()));
    } catch (MalformedMessageException e) {
      call.reply()
          .completeExceptionally(
              new IOException(call.rpc().methodName() + ": the answer does not decode", e));
      throw e;
    }
  }

  private ConnectionClosedException closed() {
    Throwable cause = endedBy;
    return new ConnectionClosedException(
        "the connection to "
            + address
            + " ended"
            + (cause == null ? "" : ": " + cause.getMessage()),
        cause);
  }

  private void end(Throwable cause) {
    synchronized (waiting) {
      if (endedBy == null) {
        endedBy = cause;
      }
    }
    try {
      socket.close();
    } catch (IOException ignored) {
      // Nothing is lost: the socket is of no more use, whatever its last words.
    }
    waiting.forEach(
        (seq, call) -> {
          if (waiting.remove(seq, call)) {
            call.reply().completeExceptionally(closed());
          }
        });
  }
}
