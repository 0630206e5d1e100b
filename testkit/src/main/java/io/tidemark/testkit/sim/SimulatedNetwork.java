package io.tidemark.testkit.sim;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Streams between hosts. Messages of one direction of a stream arrive in order, after a random
 * delay; streams overtake each other. Not thread-safe.
 *
 * <p>Fault model: two hosts are cut off from each other, which loses what is under way and lets
 * each end learn of it, at a time of its own; a single stream breaks; a host dies, which its peers
 * learn at once or late.
 */
public final class SimulatedNetwork {
  private static final long MICRO = 1000;
  private static final long MILLI = 1000 * MICRO;

  private final SimulatedTime time;
  private final SplittableRandom random;
  private final Map<String, Host> hosts = new LinkedHashMap<>();
  private final Set<String> cuts = new HashSet<>();
  private final List<Stream> streams = new ArrayList<>();
  private long maxDelayNanos = MILLI;

  /** Where streams end. Called inside the time's steps. */
  public interface Host {
    /** The host dialed, and the other one is there. */
    void opened(End end);

    void message(End end, byte[] bytes);

    /** The stream is gone; the last call for it. */
    void closed(End end);
  }

  private final class Stream {
    final End dialer;
    final End acceptor;
    boolean broken;

    Stream(String from, String to, Host host) {
      dialer = new End(this, from, host);
      acceptor = new End(this, to, hosts.get(to));
    }

    End other(End end) {
      return end == dialer ? acceptor : dialer;
    }

    boolean joins(String a, String b) {
      return (dialer.address.equals(a) && acceptor.address.equals(b))
          || (dialer.address.equals(b) && acceptor.address.equals(a));
    }

    boolean touches(String address) {
      return dialer.address.equals(address) || acceptor.address.equals(address);
    }
  }

  /** One end of a stream, as its host holds it. */
  public final class End {
    private final Stream stream;
    private final String address;
    private final Host host;
    private boolean over;
    private long lastArrivalNanos;

    private End(Stream stream, String address, Host host) {
      this.stream = stream;
      this.address = address;
      this.host = host;
    }

    /** Sends to the other end. */
    public void send(byte[] bytes) {
      End to = stream.other(this);
      if (!over && !stream.broken) {
        to.arrive(delay(), () -> to.host.message(to, bytes));
      }
    }

    /** Closes; the other end learns of it in order, if the way is free. */
    public void close() {
      if (!over) {
        over = true;
        End to = stream.other(this);
        if (!stream.broken) {
          to.arrive(delay(), to::gone);
        }
        streams.remove(stream);
      }
    }

    private void arrive(long delayNanos, Runnable action) {
      long at = Math.max(lastArrivalNanos, time.nanos() + delayNanos);
      lastArrivalNanos = at;
      time.after(
          at - time.nanos(),
          () -> {
            if (!over && !stream.broken) {
              action.run();
            }
          });
    }

    private void gone() {
      if (!over) {
        over = true;
        host.closed(this);
      }
    }

    private void learnLater(long delayNanos) {
      time.after(delayNanos, this::gone);
    }
  }

  public SimulatedNetwork(SimulatedTime time, SplittableRandom random) {
    this.time = time;
    this.random = random;
  }

  /** Largest delay of a message from now on. */
  public void maxDelay(long nanos) {
    maxDelayNanos = nanos;
  }

  private long delay() {
    return 50 * MICRO + random.nextLong(maxDelayNanos);
  }

  /** A host is up. */
  public void attach(String address, Host host) {
    hosts.put(address, host);
  }

  /** A host is dead: it hears nothing more, its peers hear of it. */
  public void detach(String address) {
    hosts.remove(address);
    for (Stream stream : List.copyOf(streams)) {
      if (stream.touches(address)) {
        End dead = stream.dialer.address.equals(address) ? stream.dialer : stream.acceptor;
        dead.over = true;
        sever(stream);
      }
    }
  }

  /** Dials; the host is told {@code opened} or {@code closed} later. */
  public End dial(String from, String to, Host dialer) {
    Stream stream = new Stream(from, to, dialer);
    boolean reachable = stream.acceptor.host != null && !isCut(from, to);
    if (reachable) {
      streams.add(stream);
      stream.dialer.arrive(delay(), () -> dialer.opened(stream.dialer));
    } else {
      stream.broken = true;
      stream.dialer.learnLater(delay() + random.nextLong(300 * MILLI));
    }
    return stream.dialer;
  }

  /** Cuts two hosts off from each other, or heals that. */
  public void cut(String a, String b, boolean cut) {
    if (cut) {
      cuts.add(pair(a, b));
      for (Stream stream : List.copyOf(streams)) {
        if (stream.joins(a, b)) {
          sever(stream);
        }
      }
    } else {
      cuts.remove(pair(a, b));
    }
  }

  /** Heals all. */
  public void healAll() {
    cuts.clear();
  }

  public boolean isCut(String a, String b) {
    return cuts.contains(pair(a, b));
  }

  /** Breaks one random stream, if there is any. */
  public void breakOne() {
    if (!streams.isEmpty()) {
      sever(streams.get(random.nextInt(streams.size())));
    }
  }

  /** What is under way is lost, and each end learns of it by itself. */
  private void sever(Stream stream) {
    stream.broken = true;
    streams.remove(stream);
    stream.dialer.learnLater(delay() + random.nextLong(2000 * MILLI));
    stream.acceptor.learnLater(delay() + random.nextLong(2000 * MILLI));
  }

  private static String pair(String a, String b) {
    return a.compareTo(b) < 0 ? a + "|" + b : b + "|" + a;
  }
}
