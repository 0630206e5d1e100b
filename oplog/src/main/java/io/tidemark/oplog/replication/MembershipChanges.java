package io.tidemark.oplog.replication;

import io.tidemark.api.ha.ClusterView;
import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.ha.Coordinator.Verdict;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Changes the recorded in-sync set, one write at a time.
 *
 * <p>The rule (COR-14, COR-15): commit needs every member of every set that the record may hold. A
 * write that is surely done settles what the record holds, because each write compares the revision
 * that the one before made: whatever was under way earlier can't happen any more. An outcome that
 * is not "done" leaves both sets possible, until a further write is done; a read only tells which
 * revision that one has to compare.
 *
 * <p>Called by the node's loop.
 */
final class MembershipChanges {
  private final Leadership leadership;
  private final Coordinator coordinator;
  private final ReplicatedLog log;
  private final Executor loop;
  private final ReplicationCounters counters;
  private final long retryNanos;
  private final long joinNanos;
  private final Consumer<String> deposed;

  private MembershipRecord record;
  private List<Member> settled;
  private final Set<Member> possible = new LinkedHashSet<>();
  private boolean unsettled;
  private boolean busy;
  private boolean closed;
  private long nowNanos;
  private long retryAtNanos = Long.MIN_VALUE;
  private Joining joining;

  /**
   * A member on its way in: commit waits for it already, the record does not name it yet.
   *
   * @param targetIndex what it has to acknowledge before the record is written
   */
  private record Joining(Member member, long targetIndex, long sinceNanos) {}

  /** What is wanted, as of now. */
  interface Wishes {
    /** Whether a member must leave. */
    boolean mustLeave(Member member);

    /** A standby that is near enough to the end to come in. */
    Optional<Member> candidate(List<Member> settled);

    /** Whether a member's stream is still the one in which it acknowledged. */
    boolean isConnected(Member member);
  }

  /**
   * @param deposed told once the store says that somebody else leads, or nobody
   */
  MembershipChanges(
      Leadership leadership,
      LeaderReplication.Parts parts,
      ReplicatedLog log,
      Consumer<String> deposed) {
    this.leadership = leadership;
    this.coordinator = parts.coordinator();
    this.loop = parts.loop();
    this.counters = parts.counters();
    this.retryNanos = parts.config().retryMs() * 1_000_000;
    this.joinNanos = parts.config().isrTimeoutMs() * 1_000_000;
    this.log = log;
    this.deposed = deposed;
    record = leadership.membership();
    settled = record.inSync();
  }

  /** The in-sync set as it was last settled. */
  List<Member> settled() {
    return settled;
  }

  /** The record as it was last seen. */
  MembershipRecord record() {
    return record;
  }

  /** Whether it is unknown which of several sets the record holds. */
  boolean isUnsettled() {
    return unsettled;
  }

  /** Nothing more is asked for. */
  void close() {
    closed = true;
  }

  /** Does what is due; called on every tick. */
  void step(Wishes wishes, long now) {
    nowNanos = now;
    if (busy || closed || now < retryAtNanos) {
      return;
    }
    if (unsettled) {
      readAgain(wishes);
      return;
    }
    // Again and again: whoever passed the check just before comes to wait only now.
    log.tellStalled();
    List<Member> kept = kept(wishes);
    if (kept.size() < settled.size()) {
      joining = null;
      propose(kept);
    } else {
      stepJoining(wishes);
    }
  }

  private List<Member> kept(Wishes wishes) {
    return settled.stream()
        .filter(member -> member.equals(leadership.self()) || !wishes.mustLeave(member))
        .toList();
  }

  private void stepJoining(Wishes wishes) {
    if (joining == null) {
      wishes.candidate(settled).ifPresent(this::startJoining);
    } else if (!wishes.isConnected(joining.member())
        || nowNanos - joining.sinceNanos() > joinNanos) {
      joining = null;
      requireWhatMayBe();
      retryAtNanos = nowNanos + retryNanos;
    } else if (log.durableIndexOf(joining.member()) >= joining.targetIndex()) {
      List<Member> grown = new ArrayList<>(settled);
      grown.removeIf(member -> member.node().equals(joining.member().node()));
      grown.add(joining.member());
      joining = null;
      propose(grown);
    }
  }

  /** From here on commit waits for the member; what was committed before is at most the target. */
  private void startJoining(Member member) {
    possible.add(member);
    log.require(union(), settled.size());
    joining = new Joining(member, log.wholeIndex(), nowNanos);
  }

  private void propose(List<Member> target) {
    possible.addAll(target);
    log.require(union(), Math.min(settled.size(), target.size()));
    busy = true;
    coordinator
        .changeInSync(leadership, record, target)
        .thenAccept(outcome -> loop.execute(() -> changed(target, outcome)));
  }

  private Set<Member> union() {
    Set<Member> union = new LinkedHashSet<>(settled);
    union.addAll(possible);
    return union;
  }

  private void requireWhatMayBe() {
    if (!unsettled) {
      possible.clear();
    }
    log.require(union(), settled.size());
    log.advanceAndTell();
  }

  private void changed(List<Member> target, Outcome<MembershipRecord> outcome) {
    busy = false;
    if (closed) {
      return;
    }
    if (!outcome.isDone()) {
      counters.add(ReplicationCounter.CHANGES_UNSETTLED, 1);
      unsettled = true;
      boolean retryAtOnce = outcome.verdict() == Verdict.REFUSED;
      retryAtNanos = retryAtOnce ? Long.MIN_VALUE : nowNanos + retryNanos;
      return;
    }
    count(target);
    record = outcome.value();
    settled = record.inSync();
    unsettled = false;
    requireWhatMayBe();
    log.tellStalled();
  }

  private void count(List<Member> target) {
    long removed = settled.stream().filter(member -> !target.contains(member)).count();
    long added = target.stream().filter(member -> !settled.contains(member)).count();
    counters.add(ReplicationCounter.MEMBERS_REMOVED, removed);
    counters.add(ReplicationCounter.MEMBERS_ADDED, added);
  }

  private void readAgain(Wishes wishes) {
    busy = true;
    coordinator.read().thenAccept(outcome -> loop.execute(() -> wasRead(wishes, outcome)));
  }

  /** The read names the revision; only the write behind it settles anything. */
  private void wasRead(Wishes wishes, Outcome<ClusterView> outcome) {
    busy = false;
    if (closed) {
      return;
    }
    if (!outcome.isDone()) {
      retryAtNanos = nowNanos + retryNanos;
      return;
    }
    ClusterView view = outcome.value();
    boolean leads =
        view.leader().isPresent()
            && view.leader().get().createRevision() == leadership.leaderCreateRevision();
    if (!leads || view.membership().isEmpty()) {
      deposed.accept("the coordination store does not name this node as leader any more");
      return;
    }
    record = view.membership().get();
    propose(kept(wishes));
  }
}
