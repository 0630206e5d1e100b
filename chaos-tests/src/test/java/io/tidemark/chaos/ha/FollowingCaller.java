package io.tidemark.chaos.ha;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.chaos.process.HaCluster;
import io.tidemark.chaos.process.KeyWatch;
import io.tidemark.client.ClientOptions;
import io.tidemark.client.MasterConnection;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Calls whoever is published, or one master come what may. It looks again when a call is cut off or
 * refused because the called one does not serve. One thread, on the host from which it calls.
 */
final class FollowingCaller implements AutoCloseable {
  private static final Duration CALL_LIMIT = Duration.ofSeconds(5);
  private static final long PAUSE_MS = 20;

  private final KeyWatch watch;
  private final Supplier<Optional<String>> target;
  private final Duration patience;
  private final ClientOptions options;
  private String calling;
  private MasterConnection connection;
  private int repeated;

  /**
   * What a master decided.
   *
   * @param unclear whether an earlier try of the same call may have been carried out
   * @param sentNanos when the last try was sent
   * @param from who answered
   */
  record Answer(Result<?> result, boolean unclear, long sentNanos, long doneNanos, String from) {
    boolean isOk() {
      return result.isOk();
    }

    boolean is(ErrorCode code) {
      return result.code() == code.value();
    }
  }

  private FollowingCaller(
      KeyWatch watch, Supplier<Optional<String>> target, Duration patience, Duration callLimit) {
    this.watch = watch;
    this.target = target;
    this.patience = patience;
    this.options =
        new ClientOptions(
            ClientOptions.DEFAULT.profile(),
            ClientOptions.DEFAULT.literal(),
            callLimit,
            callLimit,
            ClientOptions.DEFAULT.maxResponseBytes());
  }

  /**
   * Follows the view.
   *
   * @param patience for how long a call is made again
   */
  FollowingCaller(HaCluster cluster, Duration patience) {
    this(cluster, patience, CALL_LIMIT);
  }

  /**
   * Follows the view.
   *
   * @param callLimit after which a call counts as not answered
   */
  FollowingCaller(HaCluster cluster, Duration patience, Duration callLimit) {
    this(cluster.watch(), () -> cluster.watch().now().value(), patience, callLimit);
  }

  /**
   * Stays with one master.
   *
   * @param callLimit after which a call counts as not answered
   */
  static FollowingCaller pinned(HaCluster cluster, int member, Duration callLimit) {
    String address = cluster.member(member).address();
    return new FollowingCaller(cluster.watch(), () -> Optional.of(address), callLimit, callLimit);
  }

  /** The result of a call that has one; the call may be carried out several times. */
  Result<?> one(Request request) throws IOException {
    return decided(request).result();
  }

  /** Makes a call until a master decides it. */
  Answer decided(Request request) throws IOException {
    long end = System.nanoTime() + patience.toNanos();
    boolean unclear = false;
    IOException last = null;
    while (last == null || System.nanoTime() - end < 0) {
      boolean connected = connection != null;
      try {
        Optional<Answer> answer = tried(request, unclear);
        if (answer.isPresent()) {
          return answer.get();
        }
        last = new IOException("refused, or nobody is published");
      } catch (IOException cutOff) {
        requireNotInterrupted(cutOff);
        last = cutOff;
      }
      unclear |= connected || connection != null;
      repeated++;
      close();
    }
    throw new IOException(request + " was not decided within " + patience, last);
  }

  /** Makes a call once; empty if nobody decided it, as far as is known. */
  Optional<Answer> once(Request request) throws IOException {
    try {
      Optional<Answer> answer = tried(request, false);
      if (answer.isEmpty()) {
        close();
      }
      return answer;
    } catch (IOException cutOff) {
      requireNotInterrupted(cutOff);
      close();
      return Optional.empty();
    }
  }

  /** A time-out of the socket has the same type as an interruption. */
  private static void requireNotInterrupted(IOException failure) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw failure;
    }
  }

  private Optional<Answer> tried(Request request, boolean unclear) throws IOException {
    if (connection == null && !connect()) {
      return Optional.empty();
    }
    long sent = System.nanoTime();
    Reply reply = connection.call(request);
    Result<?> result = ((Reply.One) reply).result();
    return result.code() == ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS.value()
        ? Optional.empty()
        : Optional.of(new Answer(result, unclear, sent, System.nanoTime(), calling));
  }

  /** Connects to whoever is to be called, unless that was in vain just now and nothing changed. */
  private boolean connect() throws IOException {
    KeyWatch.Sight seen = watch.now();
    Optional<String> next = target.get();
    if (next.isEmpty() || next.get().equals(calling)) {
      try {
        watch.awaitNews(seen, PAUSE_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException();
      }
      next = target.get();
    }
    if (next.isEmpty()) {
      return false;
    }
    calling = next.get();
    String[] parts = calling.split(":", 2);
    InetSocketAddress address = new InetSocketAddress(parts[0], Integer.parseInt(parts[1]));
    connection = MasterConnection.open(address, options);
    return true;
  }

  /** How often a call was made again. */
  int repeated() {
    return repeated;
  }

  @Override
  public void close() {
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }
}
