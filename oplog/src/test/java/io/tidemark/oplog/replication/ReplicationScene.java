package io.tidemark.oplog.replication;

import io.tidemark.api.ha.Candidate;
import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.Member;
import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.LogPosition;
import io.tidemark.testkit.ha.SimulatedCoordinator;
import io.tidemark.testkit.ha.SimulatedStore;
import io.tidemark.testkit.log.SimulatedLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** A leader and standbys in one thread: real state machines over a simulated log and store. */
final class ReplicationScene {
  static final long MILLI = 1_000_000;
  static final UUID CLUSTER = new UUID(9, 9);
  static final Member LEADER = new Member(new UUID(0, 1), new UUID(1, 1));
  static final ReplicationConfig CONFIG =
      new ReplicationConfig(1, 1_000, 100, 3_000, 4, 1_000, 300, 50, 200, 4);

  final SimulatedStore store = new SimulatedStore();
  final SimulatedCoordinator coordinator = new SimulatedCoordinator(store, "scene");
  final ReplicationCounters counters = new ReplicationCounters();
  final List<String> deposed = new ArrayList<>();
  final MemoryShelf shelf = new MemoryShelf();
  final SimulatedLog leaderLog;
  final ReplicatedLog log;
  final LeaderReplication leader;
  private final Queue<Runnable> loop = new ArrayDeque<>();

  ReplicationScene(SimulatedLog leaderLog) {
    this(leaderLog, CONFIG);
  }

  ReplicationScene(SimulatedLog leaderLog, ReplicationConfig config) {
    this(leaderLog, config, false);
  }

  ReplicationScene(SimulatedLog leaderLog, ReplicationConfig config, boolean joinsByDigest) {
    this.leaderLog = leaderLog;
    now(coordinator.createCluster(CLUSTER, LEADER));
    Leadership leadership =
        now(coordinator.campaign(
                new Candidate(LEADER, CLUSTER, leaderLog.acceptedEpoch(), "leader:1")))
            .value();
    leaderLog.acceptEpoch(leadership.epoch());
    ReplicatedLog.Parts logParts =
        new ReplicatedLog.Parts(
            leaderLog,
            LEADER,
            leadership.epoch(),
            config.minInSync(),
            () -> false,
            counters,
            () -> {});
    log = new ReplicatedLog(logParts, leadership.membership().inSync());
    LeaderReplication.Parts parts =
        new LeaderReplication.Parts(
            config,
            joinsByDigest,
            coordinator,
            shelf,
            store::nowNanos,
            loop::add,
            () -> 0L,
            counters);
    leader = new LeaderReplication(parts, leadership, log, deposed::add);
  }

  private <T> Outcome<T> now(CompletableFuture<Outcome<T>> future) {
    store.advance(MILLI);
    return future.join();
  }

  long epoch() {
    return leader.record().epoch();
  }

  /** Lets time pass in steps of 20 ms. */
  void run(long ms) {
    for (long i = 0; i < ms; i += 20) {
      store.advance(20 * MILLI);
      leader.tick();
      drain();
    }
  }

  void drain() {
    while (!loop.isEmpty()) {
      loop.poll().run();
    }
  }

  /** A standby on a log of its own. */
  final class Standby implements Follower.Events, StandbyState {
    final Member member;
    final SimulatedLog own;
    final ApplyCursor cursor;
    final ReplicationCounters counters = new ReplicationCounters();
    final List<String> events = new ArrayList<>();
    final List<Message> toLeader = new ArrayList<>();
    final List<Message> toStandby = new ArrayList<>();
    final List<Long> applied = new ArrayList<>();
    final MemoryShelf shelf = new MemoryShelf();
    Follower follower;
    MemoryShelf.Arrived snapshot;
    boolean silent;

    /** Whether it hears nothing, or nothing beyond so many messages. */
    boolean deaf;

    int deafAfter = Integer.MAX_VALUE;
    long wrongDigestAt;
    private final Link leaderEnd =
        new Link() {
          @Override
          public void send(byte[] bytes) {
            Message message = MessageCodec.read(bytes);
            toStandby.add(message);
            if (!silent && !deaf && toStandby.size() <= deafAfter) {
              loop.add(() -> follower.message(message, store.nowNanos()));
            }
          }

          @Override
          public void close() {
            events.add("closed by the leader");
          }
        };
    private final Link standbyEnd =
        new Link() {
          @Override
          public void send(byte[] bytes) {
            Message message = MessageCodec.read(bytes);
            toLeader.add(message);
            if (!silent) {
              loop.add(() -> leader.message(leaderEnd, message));
            }
          }

          @Override
          public void close() {
            loop.add(() -> leader.closed(leaderEnd));
          }
        };

    Standby(long number, SimulatedLog own) {
      this.member = new Member(new UUID(0, number), new UUID(1, number));
      this.own = own;
      cursor = new ApplyCursor(own, this, own.base().index(), CONFIG.applySlice(), counters);
    }

    /** Dials, says hello, and lets everything be said that follows at once. */
    Standby dial() {
      Follower.Parts parts = new Follower.Parts(own, CLUSTER, member, cursor, shelf, counters);
      follower = new Follower(parts, standbyEnd, this, store.nowNanos());
      drain();
      return this;
    }

    @Override
    public void apply(LogEntry entry) {
      if (entry.header().index() == wrongDigestAt) {
        throw new DigestMismatchException(wrongDigestAt, 1, 2);
      }
      applied.add(entry.header().index());
    }

    @Override
    public void applicable() {
      while (cursor.hasMore()) {
        try {
          cursor.runSlice();
        } catch (DigestMismatchException mismatch) {
          follower.mismatch(mismatch);
          return;
        }
      }
    }

    @Override
    public void handedOver(boolean toThisNode) {
      events.add(toThisNode ? "is the heir" : "another is the heir");
    }

    @Override
    public void stateInvalid() {
      events.add("state invalid");
    }

    @Override
    public void cut(long entries, String evidence) {
      events.add("cut " + entries);
    }

    @Override
    public void cutting(LogPosition keep) {
      events.add("cutting behind " + keep.index());
    }

    @Override
    public void snapshotReceived(SnapshotShelf.Incoming whole) {
      snapshot = (MemoryShelf.Arrived) whole;
    }

    @Override
    public void mustStop(String why) {
      events.add("must stop: " + why);
    }

    @Override
    public void streamOver(String why) {
      events.add("over: " + why);
    }
  }

  Standby standby(long number, SimulatedLog own) {
    return new Standby(number, own);
  }

  static SimulatedLog page() {
    return new SimulatedLog(SimulatedLog.Mode.PAGE);
  }
}
