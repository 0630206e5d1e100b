package io.tidemark.chaos.ha;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.chaos.process.HaCluster;
import io.tidemark.chaos.process.KeyWatch.Sight;
import io.tidemark.client.ClientOptions;
import io.tidemark.client.MasterConnection;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Connects to whomever the view names and makes a call, every 10 ms: shows from when to when no
 * master serves. It has no reconnecting of its own that could add to that.
 */
final class ViewProbe implements Runnable, AutoCloseable {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final ClientOptions OPTIONS =
      new ClientOptions(
          ClientOptions.DEFAULT.profile(),
          ClientOptions.DEFAULT.literal(),
          Duration.ofSeconds(2),
          Duration.ofSeconds(2),
          ClientOptions.DEFAULT.maxResponseBytes());

  private final HaCluster cluster;
  private final List<Try> tries = new ArrayList<>();
  private Sight tried;
  private MasterConnection connection;
  private volatile boolean stop;

  /**
   * One probe.
   *
   * @param view by which it went
   * @param first whether nobody had tried that view before
   */
  record Try(Sight view, boolean first, Outcome outcome, long beganNanos, long doneNanos) {
    boolean served() {
      return outcome == Outcome.SERVED;
    }
  }

  /** What became of one. */
  enum Outcome {
    SERVED,
    /** Nobody accepted the connection, or the answer was that nobody serves there. */
    REFUSED,
    /** There was no answer, or none in time. */
    CUT_OFF
  }

  ViewProbe(HaCluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public void run() {
    while (!stop) {
      long began = System.nanoTime();
      probe(cluster.watch().now(), began);
      LockSupport.parkNanos(began + PERIOD_NANOS - System.nanoTime());
    }
    hangUp();
  }

  private void probe(Sight view, long began) {
    if (view.value().isEmpty()) {
      hangUp();
      return;
    }
    boolean first = tried != view;
    if (first) {
      hangUp();
      tried = view;
    }
    Outcome outcome = call(view.value().get());
    synchronized (this) {
      tries.add(new Try(view, first, outcome, began, System.nanoTime()));
    }
  }

  private Outcome call(String hostAndPort) {
    try {
      if (connection == null) {
        String[] parts = hostAndPort.split(":", 2);
        InetSocketAddress address = new InetSocketAddress(parts[0], Integer.parseInt(parts[1]));
        connection = MasterConnection.open(address, OPTIONS);
      }
      Reply reply = connection.call(new Request.ExistKey(Rpc.EXIST_KEY, "probe", "default"));
      Result<?> result = ((Reply.One) reply).result();
      return result.code() == ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS.value()
          ? Outcome.REFUSED
          : Outcome.SERVED;
    } catch (ConnectException nobody) {
      return Outcome.REFUSED;
    } catch (IOException cutOff) {
      hangUp();
      return Outcome.CUT_OFF;
    }
  }

  private void hangUp() {
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }

  /** Everything tried so far. */
  synchronized List<Try> tries() {
    return List.copyOf(tries);
  }

  /** When the first probe was served that went by a later view; -1 if none was yet. */
  long firstServedBehind(Sight view) {
    return tries().stream()
        .filter(probe -> probe.served() && probe.view().revision() > view.revision())
        .mapToLong(Try::doneNanos)
        .min()
        .orElse(-1);
  }

  @Override
  public void close() {
    stop = true;
  }
}
