package io.tidemark.chaos.sim;

import io.tidemark.api.ha.Candidate;
import io.tidemark.api.ha.ClusterView;
import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import io.tidemark.testkit.ha.SimulatedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** One that lets anybody win: it makes a member of whoever campaigns and is none. */
final class LaxCoordinator implements Coordinator {
  private static final String IN_SYNC_KEY = "tidemark/" + SimConfig.CLUSTER + "/in_sync";

  private final Coordinator sound;
  private final SimulatedStore store;

  LaxCoordinator(Coordinator sound, SimulatedStore store) {
    this.sound = sound;
    this.store = store;
  }

  @Override
  public CompletableFuture<Outcome<Leadership>> campaign(Candidate candidate) {
    return sound
        .campaign(candidate)
        .thenCompose(
            outcome -> {
              if (outcome.verdict() != Verdict.NOT_IN_SYNC) {
                return CompletableFuture.completedFuture(outcome);
              }
              admit(candidate.self());
              return sound.campaign(candidate);
            });
  }

  @Override
  public CompletableFuture<Outcome<Leadership>> campaign(Candidate candidate, ClusterView seen) {
    return campaign(candidate);
  }

  private void admit(Member member) {
    MembershipRecord record = (MembershipRecord) store.keys().get(IN_SYNC_KEY).value();
    List<Member> members = new ArrayList<>(record.inSync());
    members.add(member);
    store.putForeign(
        IN_SYNC_KEY,
        new MembershipRecord(record.cluster(), record.epoch(), record.leader(), members, 0));
  }

  @Override
  public CompletableFuture<Outcome<ClusterView>> read() {
    return sound.read();
  }

  @Override
  public CompletableFuture<Outcome<MembershipRecord>> createCluster(UUID cluster, Member first) {
    return sound.createCluster(cluster, first);
  }

  @Override
  public CompletableFuture<Outcome<MembershipRecord>> forceMembership(
      Optional<MembershipRecord> seen, MembershipRecord next) {
    return sound.forceMembership(seen, next);
  }

  @Override
  public CompletableFuture<Outcome<MembershipRecord>> changeInSync(
      Leadership leadership, MembershipRecord expected, List<Member> inSync) {
    return sound.changeInSync(leadership, expected, inSync);
  }

  @Override
  public CompletableFuture<Outcome<Long>> publishView(
      Leadership leadership, String address, long above) {
    return sound.publishView(leadership, address, above);
  }

  @Override
  public CompletableFuture<Outcome<Void>> resign(Leadership leadership) {
    return sound.resign(leadership);
  }

  @Override
  public long fencedAtNanos(Leadership leadership) {
    return sound.fencedAtNanos(leadership);
  }

  @Override
  public void listen(Listener listener) {
    sound.listen(listener);
  }

  @Override
  public void close() {
    sound.close();
  }
}
