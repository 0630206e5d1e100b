package io.tidemark.server.node;

import io.tidemark.api.ha.ClusterView;
import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.ha.Coordinator.Verdict;
import io.tidemark.api.ha.LeaderInfo;
import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import io.tidemark.api.log.LogPosition;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Carries out an operator's order that this node leads although entries may be missing: when no
 * member of the in-sync set is left, or the coordination store forgot (COR-16, COR-17, HA-REQ-024).
 *
 * <p>The order is written down here, then the membership record is rewritten so that this node is
 * its only member. The rest is an ordinary campaign, whose term is marked as forced; the others
 * follow it, and set aside what they hold beyond it (COR-20).
 *
 * <p>Called on the node's loop; not for a node that leads or has halted.
 */
public final class ForcedTakeover {
  /**
   * How far epochs are moved on where the store can't say which were given: higher ones than this
   * node knows may be in use elsewhere, and an epoch must not be used twice.
   */
  static final long UNKNOWN_EPOCHS = 1_000_000;

  private final Node node;
  private final NodePorts ports;

  /**
   * What an operator asks for.
   *
   * @param cluster the cluster, typed by the operator, so that it is this one that is meant
   * @param keepsMemory as in {@link ForcedStart}
   * @param forgetsViews clients were started anew, so that view versions may begin anew too
   */
  public record Request(UUID cluster, boolean keepsMemory, boolean forgetsViews) {}

  /**
   * What became of it.
   *
   * @param ordered whether this node is the only member now and is about to lead
   * @param detail a sentence for the operator: why not, or what may be lost
   */
  public record Answer(boolean ordered, String detail) {}

  public ForcedTakeover(Node node) {
    this.node = node;
    ports = node.ports();
  }

  /** Begins; {@code told} is called once, on the node's loop. */
  public void begin(Request request, Consumer<Answer> told) {
    Optional<String> objection = objection(request);
    if (objection.isPresent()) {
      told.accept(new Answer(false, objection.get()));
      return;
    }
    ports
        .coordinator()
        .read()
        .thenAccept(read -> ports.loop().execute(() -> looked(request, read, told)));
  }

  private Optional<String> objection(Request request) {
    if (node.role() != NodeRole.BOOTING && node.role() != NodeRole.STANDBY) {
      return Optional.of("this node is " + node.role() + ": " + node.why());
    }
    Optional<UUID> own = ports.identity().cluster();
    if (own.isEmpty()) {
      return Optional.of("this node belongs to no cluster and holds nothing");
    }
    return own.get().equals(request.cluster())
        ? Optional.empty()
        : Optional.of("this node belongs to cluster " + own.get() + ", not " + request.cluster());
  }

  private void looked(Request request, Outcome<ClusterView> read, Consumer<Answer> told) {
    if (!read.isDone()) {
      told.accept(new Answer(false, "the coordination store did not answer: " + read.detail()));
      return;
    }
    ClusterView view = read.value();
    StoreLook look = StoreLook.at(view, ports.identity(), ports.log(), false);
    Optional<String> objection = objection(request).or(() -> objection(view, look));
    if (objection.isPresent()) {
      told.accept(new Answer(false, objection.get()));
      return;
    }
    order(request, view, look, told);
  }

  private Optional<String> objection(ClusterView view, StoreLook look) {
    Optional<LeaderInfo> leader = view.leader();
    if (leader.isPresent()) {
      return Optional.of(leader.get().replicationAddress() + " leads; nothing is to be forced");
    }
    boolean needless = look.next() == StoreLook.Next.CAMPAIGN;
    boolean other = look.next() == StoreLook.Next.STOP;
    return needless || other ? Optional.of(look.why()) : Optional.empty();
  }

  private void order(Request request, ClusterView view, StoreLook look, Consumer<Answer> told) {
    Member self = ports.identity().self();
    long known =
        Math.max(
            view.membership().map(MembershipRecord::epoch).orElse(0L), ports.log().acceptedEpoch());
    long epoch = known + (look.trusted() ? 1 : UNKNOWN_EPOCHS);
    ports.identity().order(new ForcedStart(epoch, request.keepsMemory()));
    if (request.forgetsViews()) {
      ports.identity().forgetViews();
    }
    String loss = loss(view);
    ports
        .coordinator()
        .forceMembership(
            view.membership(),
            new MembershipRecord(request.cluster(), epoch, self, List.of(self), 0, epoch))
        .thenAccept(done -> ports.loop().execute(() -> forced(done, loss, told)));
  }

  /** What can be said of what is lost, by what is known here. */
  private String loss(ClusterView view) {
    LogPosition end = ports.log().end();
    List<Member> others =
        view.membership().map(MembershipRecord::inSync).orElse(List.of()).stream()
            .filter(member -> !member.node().equals(ports.identity().self().node()))
            .toList();
    return "this node's log ends at entry "
        + end.index()
        + " of epoch "
        + end.epoch()
        + "; what was answered behind that is lost"
        + (others.isEmpty() ? "" : ", which the members " + others + " may hold");
  }

  private void forced(Outcome<MembershipRecord> outcome, String loss, Consumer<Answer> told) {
    if (outcome.isDone()) {
      ports.listener().alarm("an operator forced this node to lead: " + loss);
      told.accept(new Answer(true, loss));
      return;
    }
    if (outcome.verdict() != Verdict.UNCLEAR) {
      ports.identity().orderIsOver();
    }
    told.accept(new Answer(false, outcome.verdict() + " " + outcome.detail()));
  }
}
