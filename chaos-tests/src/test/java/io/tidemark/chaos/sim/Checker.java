package io.tidemark.chaos.sim;

import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.ReplicaLog;
import io.tidemark.core.Master;
import io.tidemark.core.Replayer;
import io.tidemark.core.segment.AllocatorKind;
import io.tidemark.server.node.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What holds after every step.
 *
 * <ul>
 *   <li>There is one committed history; every new leader has all of it.
 *   <li>A term's commit index never falls, and a standby applies nothing beyond what is committed.
 *   <li>Each epoch is one node's, and no epoch answers after a higher one did.
 *   <li>Equal logs give equal states; the committed history applies to an empty state, which would
 *       fail if a range were handed out twice.
 * </ul>
 */
final class Checker {
  private static final int DIGEST_EVERY_STEPS = 1_999;

  private final SimCluster cluster;
  private final List<LogPosition> history = new ArrayList<>(List.of(LogPosition.START));
  private final List<LogEntry> entries = new ArrayList<>();
  private final List<LogPosition> givenUp = new ArrayList<>();
  private final Map<Long, String> leaderOfEpoch = new HashMap<>();
  private final Map<Long, Long> commitOfEpoch = new HashMap<>();
  private final Map<LogPosition, Long> digests = new HashMap<>();
  private Replayer reference = new Replayer(AllocatorKind.OFFSET);
  private long answeringEpoch;
  private long answers;
  private long steps;

  Checker(SimCluster cluster) {
    this.cluster = cluster;
  }

  /** Highest index that was ever committed. */
  long committed() {
    return history.size() - 1;
  }

  /** Successful answers given. */
  long answers() {
    return answers;
  }

  /** How many leaderships there were. */
  int epochs() {
    return leaderOfEpoch.size();
  }

  /** An operator lets this host lead: committed is what its log has of the history. */
  void forced(SimNode host) {
    ReplicaLog log = host.disk().log();
    long kept = Math.min(committed(), log.end().index());
    while (!log.positionAt(kept).equals(Optional.of(history.get((int) kept)))) {
      kept--;
    }
    givenUp.clear();
    givenUp.addAll(history);
    history.subList((int) kept + 1, history.size()).clear();
    entries.subList((int) kept, entries.size()).clear();
    reference = new Replayer(AllocatorKind.OFFSET);
    entries.forEach(reference::entry);
  }

  private boolean isGivenUp(ReplicaLog log, long index) {
    return index < givenUp.size()
        && log.positionAt(index).equals(Optional.of(givenUp.get((int) index)));
  }

  void afterStep() {
    steps++;
    for (SimNode host : cluster.nodes()) {
      if (host.isUp()) {
        look(host);
      }
    }
    if (steps % DIGEST_EVERY_STEPS == 0) {
      compareDigests();
    }
  }

  private void look(SimNode host) {
    Node node = host.node();
    ReplicaLog log = host.disk().log();
    if (node.role().leads()) {
      long epoch = node.leadership().orElseThrow().epoch();
      lookAtLeader(host, log, epoch, node.commitIndex());
    } else if (node.standbyState().isPresent()) {
      long applied = node.standbyState().get().lastIndex();
      boolean stateGoes = !givenUp.isEmpty() && applied > log.end().index();
      if (stateGoes || isGivenUp(log, applied)) {
        return; // It has not met the forced leader yet, or has just cut its log for it.
      }
      Violation.check(
          applied <= committed(),
          "%s applied entry %d, but only %d are committed",
          host.name(),
          applied,
          committed());
      checkHas(host, log, applied, "applied");
    }
  }

  private void lookAtLeader(SimNode host, ReplicaLog log, long epoch, long commit) {
    String known = leaderOfEpoch.putIfAbsent(epoch, host.name());
    if (known == null) {
      checkHas(host, log, committed(), "begins to lead epoch " + epoch + " without");
    }
    Violation.check(
        known == null || known.equals(host.name()),
        "epoch %d is both %s's and %s's",
        epoch,
        known,
        host.name());
    long before = commitOfEpoch.merge(epoch, commit, Math::max);
    Violation.check(
        commit >= before, "the commit index of epoch %d fell to %d from %d", epoch, commit, before);
    extend(host, log, commit);
  }

  /** What a leader takes for committed is history from now on. */
  private void extend(SimNode host, ReplicaLog log, long commit) {
    if (commit <= committed()) {
      checkHas(host, log, commit, "takes for committed");
      return;
    }
    checkHas(host, log, committed(), "commits more, without");
    long from = committed() + 1;
    log.read(
        from,
        entry -> {
          if (entry.header().index() > commit) {
            return false;
          }
          history.add(
              new LogPosition(entry.header().epoch(), entry.header().index(), entry.chainHash()));
          entries.add(entry);
          try {
            reference.entry(entry);
          } catch (IllegalStateException broken) {
            throw new Violation("committed entry " + entry.header() + " does not apply", broken);
          }
          return true;
        });
  }

  private void checkHas(SimNode host, ReplicaLog log, long index, String what) {
    Optional<LogPosition> own = log.positionAt(index);
    LogPosition right = history.get((int) index);
    Violation.check(
        own.isPresent() && own.get().equals(right),
        "%s %s entry %d as %s, committed was %s",
        host.name(),
        what,
        index,
        own,
        right);
  }

  /** A master answered with success. */
  void answered(SimNode host, long epoch) {
    answers++;
    Violation.check(
        epoch >= answeringEpoch,
        "%s answers in epoch %d after epoch %d answered",
        host.name(),
        epoch,
        answeringEpoch);
    answeringEpoch = epoch;
    Violation.check(
        host.name().equals(leaderOfEpoch.getOrDefault(epoch, host.name())),
        "%s answers in epoch %d of %s",
        host.name(),
        epoch,
        leaderOfEpoch.get(epoch));
  }

  /** States at equal positions have equal digests. */
  void compareDigests() {
    if (digests.size() > 10_000) {
      digests.clear();
    }
    digests.put(history.get((int) committed()), reference.digest());
    checkKeptUp("the committed history", reference);
    for (SimNode host : cluster.nodes()) {
      if (host.isUp()) {
        ReplicaLog log = host.disk().log();
        Optional<Replayer> standby = host.node().standbyState();
        Optional<Master> master = host.master();
        if (standby.isPresent()) {
          compare(host, log.positionAt(standby.get().lastIndex()), standby.get().digest());
          checkKeptUp(host.name(), standby.get());
        } else if (master.isPresent()) {
          compare(host, Optional.of(log.end()), master.get().view().stateDigest());
        }
      }
    }
  }

  /** The digest that is kept up with each change is that of the objects as they are. */
  private static void checkKeptUp(String whose, Replayer state) {
    Violation.check(
        state.digest() == state.recomputedDigest(),
        "the digest kept up for %s is %016x, its objects give %016x",
        whose,
        state.digest(),
        state.recomputedDigest());
  }

  private void compare(SimNode host, Optional<LogPosition> position, long digest) {
    if (position.isPresent()) {
      Long other = digests.putIfAbsent(position.get(), digest);
      Violation.check(
          other == null || other == digest,
          "%s has another state at %s: %016x, not %016x",
          host.name(),
          position.get(),
          digest,
          other);
    }
  }
}
