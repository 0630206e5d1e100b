package io.tidemark.server.node;

import io.tidemark.api.ha.Candidate;
import io.tidemark.api.ha.ClusterView;
import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.ha.Coordinator.Verdict;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.MembershipRecord;
import java.util.Optional;
import java.util.UUID;

/**
 * A node's dealings with the coordination store while it does not lead: it looks who leads, and
 * campaigns if nobody does and it may. Called by the node's loop.
 */
final class Candidacy {
  private static final long NANOS_PER_MS = 1_000_000;

  /** For so long an heir goes first; then whoever may takes part. */
  private static final long HEIRS_TURN_NANOS = 500 * NANOS_PER_MS;

  private final Node node;
  private final NodePorts ports;
  private final NodeConfig config;
  private final Assembly assembly;
  private boolean looking;
  private boolean campaigning;
  private long lookAtNanos = Long.MIN_VALUE;
  private long campaignAtNanos = Long.MAX_VALUE;
  private long noCampaignBeforeNanos = Long.MIN_VALUE;
  private long heirUntilNanos = Long.MIN_VALUE;
  private ClusterView campaignOn;
  private ClusterView lastTrusted;

  Candidacy(Node node, Assembly assembly) {
    this.node = node;
    this.ports = node.ports();
    this.config = node.config();
    this.assembly = assembly;
  }

  /** Begins to be told of changes. */
  void listen() {
    ports
        .coordinator()
        .listen(
            new Coordinator.Listener() {
              @Override
              public void changed() {
                ports.loop().execute(Candidacy.this::toldOfChange);
              }

              @Override
              public void connection(boolean healthy) {
                ports.loop().execute(Candidacy.this::lookNow);
              }
            });
  }

  /** Does what is due. */
  void tick() {
    if (node.role() == NodeRole.STANDBY && !campaigning && now() >= campaignAtNanos) {
      campaign();
    }
    boolean looks = node.role() == NodeRole.BOOTING || node.role() == NodeRole.STANDBY;
    if (looks && now() >= lookAtNanos) {
      look();
    }
  }

  /**
   * Nobody serves while a leader is missing: looks at once instead of at the next tick. An heir
   * does not even look, since its campaign compares what it saw last with what is.
   */
  private void toldOfChange() {
    lookNow();
    if (node.isStopped()) {
      return;
    }
    if (node.role() == NodeRole.STANDBY && now() < heirUntilNanos && lastTrusted != null) {
      long seen = lastTrusted.revision();
      campaignSoon(new ClusterView(lastTrusted.membership(), Optional.empty(), seen));
    } else {
      tick();
    }
  }

  /** The next tick looks at the store. */
  void lookNow() {
    lookAtNanos = Long.MIN_VALUE;
  }

  /** The role is a new one: what was seen before does not count. */
  void beginAnew() {
    lookAtNanos = Long.MIN_VALUE;
    campaignAtNanos = Long.MAX_VALUE;
  }

  /** This node does not campaign before then, unless another led meanwhile; monotonic time, ns. */
  void noCampaignBefore(long nanos) {
    noCampaignBeforeNanos = nanos;
  }

  /** The leader gives its leadership away: who is to have it goes first, without delay. */
  void handedOver(boolean toThisNode) {
    if (toThisNode) {
      heirUntilNanos = now() + HEIRS_TURN_NANOS;
      ports.coordinator().prepareCampaign();
    } else {
      noCampaignBeforeNanos = Math.max(noCampaignBeforeNanos, now() + HEIRS_TURN_NANOS);
    }
    if (campaignAtNanos != Long.MAX_VALUE) { // the store said first that nobody leads
      campaignAtNanos = toThisNode ? now() : Math.max(campaignAtNanos, noCampaignBeforeNanos);
    }
  }

  private long now() {
    return ports.monotonic().nanos();
  }

  // ---- looking

  private void look() {
    if (looking) {
      return;
    }
    looking = true;
    lookAtNanos = now() + config.pollMs() * NANOS_PER_MS;
    ports.coordinator().read().thenAccept(outcome -> ports.loop().execute(() -> looked(outcome)));
  }

  private void looked(Outcome<ClusterView> outcome) {
    looking = false;
    if (node.isStopped() || (node.role() != NodeRole.BOOTING && node.role() != NodeRole.STANDBY)) {
      return;
    }
    if (!outcome.isDone()) {
      node.say("the coordination store did not answer: " + outcome.detail());
      return;
    }
    ClusterView view = outcome.value();
    StoreLook look = StoreLook.at(view, ports.identity(), ports.log(), config.mayCreateCluster());
    node.say(look.why());
    if (look.next() == StoreLook.Next.STOP) {
      node.halt(look.why());
    } else if (look.next() == StoreLook.Next.CREATE) {
      create();
    } else {
      seen(view, look);
    }
    if (lookAtNanos == Long.MIN_VALUE) { // told of a change meanwhile
      tick();
    }
  }

  private void create() {
    UUID cluster = new UUID(randomLong(), randomLong());
    ports
        .coordinator()
        .createCluster(cluster, ports.identity().self())
        .thenAccept(outcome -> ports.loop().execute(this::lookNow));
  }

  private long randomLong() {
    long high = ports.random().nextInt(Integer.MAX_VALUE);
    return high << 32 ^ ports.random().nextInt(Integer.MAX_VALUE);
  }

  private void seen(ClusterView view, StoreLook look) {
    boolean inSyncMatters = assembly.waitsForInSync();
    boolean standby = node.role() == NodeRole.STANDBY;
    if (standby && view.leader().isEmpty()) {
      node.nobodyLeads();
    }
    StoreLook.Next next = look.next();
    if (view.membership().isPresent() && node.role() == NodeRole.BOOTING) {
      MembershipRecord record = view.membership().get();
      if (ports.identity().cluster().isEmpty()) {
        ports.identity().adopt(record.cluster());
      }
      node.clusterKnown(record.cluster());
    } else if (standby && next == StoreLook.Next.FOLLOW) {
      campaignAtNanos = Long.MAX_VALUE;
      noCampaignBeforeNanos = Long.MIN_VALUE;
      ports.identity().orderIsOver();
      node.follow(view.leader().orElseThrow());
    } else if (standby
        && (next == StoreLook.Next.CAMPAIGN || (!inSyncMatters && view.leader().isEmpty()))) {
      campaignSoon(view);
    } else {
      campaignAtNanos = Long.MAX_VALUE;
    }
    // A file is forced for it; not while a new leader waits for this node's stream. Until the next
    // look the epoch, which is forced before anything of it is appended, tells as much (COR-17).
    boolean known = lastTrusted != null && lastTrusted.leader().equals(view.leader());
    lastTrusted = look.trusted() ? view : null;
    if (look.trusted() && known) {
      ports.identity().noteRecord(view.membership().orElseThrow());
    }
  }

  // ---- campaigning

  private void campaignSoon(ClusterView view) {
    campaignOn = view;
    if (now() < heirUntilNanos) {
      heirUntilNanos = Long.MIN_VALUE;
      campaignAtNanos = now();
      tick();
    } else if (campaignAtNanos == Long.MAX_VALUE) {
      int delayMs = ports.random().nextInt(Math.max(1, config.campaignDelayMs()));
      campaignAtNanos = Math.max(noCampaignBeforeNanos, now() + delayMs * NANOS_PER_MS);
    }
  }

  private void campaign() {
    campaigning = true;
    campaignAtNanos = Long.MAX_VALUE;
    Candidate candidate =
        new Candidate(
            ports.identity().self(),
            ports.identity().cluster().orElseThrow(),
            ports.log().acceptedEpoch(),
            config.replicationAddress());
    ports
        .coordinator()
        .campaign(candidate, campaignOn)
        .thenAccept(outcome -> ports.loop().execute(() -> campaigned(outcome)));
  }

  private void campaigned(Outcome<Leadership> outcome) {
    campaigning = false;
    boolean stillStandby = node.role() == NodeRole.STANDBY && !node.isStopped();
    if (!outcome.isDone()) {
      if (!stillStandby) {
        return;
      }
      node.say("the campaign was not won: " + outcome.verdict() + " " + outcome.detail());
      boolean retryAtOnce = outcome.verdict() == Verdict.REFUSED;
      lookAtNanos = retryAtOnce ? Long.MIN_VALUE : now() + config.retryMs() * NANOS_PER_MS;
    } else if (!stillStandby) {
      ports.coordinator().resign(outcome.value());
    } else {
      node.promote(outcome.value());
    }
  }
}
