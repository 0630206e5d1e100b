package io.tidemark.chaos.sim;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ClientStatus;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A client that lends a segment, stores keys of its own, removes some, and reads everybody's. It
 * tries again what was not answered or refused for the moment, and tells the book what it learned.
 */
final class SimClient {
  private static final String TENANT = "default";
  private static final long SEGMENT_BYTES = 64L << 20;
  private static final int MAX_LIVE_KEYS = 24;
  private static final int MAX_TRIES = 40;

  private final SimCluster cluster;
  private final SimCaller caller;
  private final Uuid id;
  private final String name;
  private final SegmentInfo segment;
  private final List<KeyBook.Key> live = new ArrayList<>();
  private boolean mounted;
  private boolean stopped;
  private int idle = 1;
  private int count;

  SimClient(SimCluster cluster, int number) {
    this.cluster = cluster;
    this.name = "c" + number;
    this.id = new Uuid(100, number);
    this.caller = new SimCaller(cluster, name, number);
    long base = 0x7f00_0000_0000L + number * (1L << 32);
    segment = new SegmentInfo(new Uuid(7, number), name, base, SEGMENT_BYTES, name, "tcp", "");
  }

  void begin() {
    soon(this::mount);
    cluster.time().after(SimConfig.MILLI * 1000, this::ping);
  }

  /** Nothing new is begun. */
  void stop() {
    stopped = true;
  }

  /** Whether everything that was begun has come to its end. */
  boolean isIdle() {
    return idle == 0;
  }

  private void soon(Runnable action) {
    cluster.time().after((2 + cluster.random().nextInt(30)) * SimConfig.MILLI, action);
  }

  private void next() {
    if (stopped) {
      idle = 0;
      return;
    }
    soon(this::doSomething);
  }

  private void doSomething() {
    int dice = cluster.random().nextInt(10);
    if (stopped) {
      idle = 0;
    } else if (dice < 4 && live.size() < MAX_LIVE_KEYS) {
      put();
    } else if (dice < 6 && live.size() > 4) {
      remove(live.remove(cluster.random().nextInt(live.size())));
    } else {
      read();
    }
  }

  // ---- lending

  private void mount() {
    caller.call(
        new Request.MountSegment(segment, id),
        answer -> {
          mounted = answer.code() == 0;
          if (mounted) {
            next();
          } else {
            soon(this::mount);
          }
        });
  }

  /** Pings go on for ever; a client that a new term does not know lends its segment again. */
  private void ping() {
    cluster.time().after(SimConfig.MILLI * 1000, this::ping);
    if (mounted) {
      caller.call(new Request.Ping(id), this::pinged);
    }
  }

  private void pinged(SimCaller.Answer answer) {
    boolean unknown =
        answer.code() == 0
            && ((Reply.PingResponse) answer.value()).clientStatus() == ClientStatus.NEED_REMOUNT;
    if (unknown) {
      caller.call(new Request.ReMountSegment(List.of(segment), id), ignored -> {});
    }
  }

  // ---- storing

  private void put() {
    KeyBook.Key key = cluster.keys().create(name + "-" + ++count);
    long bytes = 1024L * (1 + cluster.random().nextInt(64));
    Request start =
        new Request.WriteStart(Rpc.PUT_START, id, key.name, bytes, ReplicateConfig.DEFAULT, TENANT);
    untilCertain(start, MAX_TRIES, (answer, unclear) -> started(key, answer));
  }

  @SuppressWarnings("unchecked")
  private void started(KeyBook.Key key, SimCaller.Answer answer) {
    if (answer.code() != 0) {
      key.abandoned = true;
      next();
      return;
    }
    cluster.keys().started(key, (List<ReplicaDescriptor>) answer.value());
    soon(() -> end(key));
  }

  private void end(KeyBook.Key key) {
    cluster.keys().endSent(key);
    Request end =
        new Request.WriteEnd(
            Rpc.PUT_END, id, key.name, OptionalLong.empty(), ReplicaType.MEMORY, TENANT);
    untilCertain(
        end,
        MAX_TRIES,
        (answer, unclear) -> {
          boolean lost =
              answer.code() == ErrorCode.OBJECT_NOT_FOUND.value()
                  || answer.code() == ErrorCode.ILLEGAL_CLIENT.value();
          Violation.check(
              !lost || key.forgiven, "%s was started and is unknown: %d", key.name, answer.code());
          if (answer.code() == 0) {
            cluster.keys().endAcked(key);
            live.add(key);
          }
          next();
        });
  }

  // ---- removing

  private void remove(KeyBook.Key key) {
    cluster.keys().removeSent(key);
    untilCertain(
        new Request.Remove(key.name, false, TENANT),
        6,
        (answer, unclear) -> {
          if (answer.code() == 0) {
            cluster.keys().removed(key, answer.arrivedNanos(), answer.answeredNanos());
          } else if (answer.code() == ErrorCode.OBJECT_NOT_FOUND.value()) {
            Violation.check(
                unclear || key.forgiven, "%s is unknown to its first removal", key.name);
            cluster.keys().removedBefore(key);
          } else if (!unclear) {
            cluster.keys().removeRefused(key);
            live.add(key);
          }
          next();
        });
  }

  // ---- reading

  private void read() {
    KeyBook.Key key = cluster.keys().readable(cluster.random().nextInt(1 << 20));
    if (key == null) {
      next();
      return;
    }
    read(key, this::next);
  }

  /** Reads a key once, if a master can be reached. */
  void read(KeyBook.Key key, Runnable then) {
    long sent = cluster.time().nanos();
    caller.call(
        new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, key.name, TENANT),
        answer -> {
          if (answer.code() == 0) {
            Reply.ReplicaList list = (Reply.ReplicaList) answer.value();
            cluster
                .keys()
                .found(key, list.replicas(), sent, answer.answeredNanos(), list.leaseTtlMs());
          } else if (answer.code() == ErrorCode.OBJECT_NOT_FOUND.value()
              || answer.code() == ErrorCode.REPLICA_IS_NOT_READY.value()) {
            cluster.keys().notFound(key, sent);
          }
          then.run();
        });
  }

  // ---- trying again

  @FunctionalInterface
  private interface Certain {
    /**
     * @param unclear whether an earlier attempt, or this one, may have been carried out unseen
     */
    void answered(SimCaller.Answer answer, boolean unclear);
  }

  private void untilCertain(Request request, int tries, Certain then) {
    attempt(request, tries, false, then);
  }

  private void attempt(Request request, int tries, boolean unclearBefore, Certain then) {
    caller.call(
        request,
        answer -> {
          boolean unclear = unclearBefore || answer.isUnclear();
          boolean again =
              answer.isUnclear()
                  || answer.isNotNow()
                  || answer.code() == ErrorCode.OBJECT_HAS_LEASE.value();
          if (again && tries > 1) {
            Consumer<Boolean> retry = seen -> attempt(request, tries - 1, seen, then);
            cluster.time().after(200 * SimConfig.MILLI, () -> retry.accept(unclear));
          } else {
            then.answered(answer, unclear);
          }
        });
  }

  /** The value of a result. */
  static Object valueOf(Reply reply) {
    return ((Reply.One) reply).result().value();
  }

  static int codeOf(Reply reply) {
    Result<?> result = ((Reply.One) reply).result();
    return result.code();
  }
}
