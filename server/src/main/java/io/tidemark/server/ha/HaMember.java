package io.tidemark.server.ha;

import io.tidemark.api.ha.Candidate;
import io.tidemark.api.ha.Leadership;
import io.tidemark.core.Master;
import io.tidemark.core.MasterService;
import io.tidemark.core.MasterView;
import io.tidemark.core.ScanExecutor;
import io.tidemark.election.EtcdCoordinator;
import io.tidemark.election.PublishedView;
import io.tidemark.oplog.ChronicleLog;
import io.tidemark.oplog.MemberFile;
import io.tidemark.oplog.OpenedLog;
import io.tidemark.oplog.replication.Link;
import io.tidemark.server.ExitCode;
import io.tidemark.server.MasterRole;
import io.tidemark.server.StartException;
import io.tidemark.server.config.HaConfig;
import io.tidemark.server.config.ServerConfig;
import io.tidemark.server.node.ForcedTakeover;
import io.tidemark.server.node.Node;
import io.tidemark.server.node.NodeConfig;
import io.tidemark.server.node.NodePorts;
import io.tidemark.server.node.NodeRole;
import io.tidemark.server.replication.GrpcLinks;
import io.tidemark.server.replication.LinkEvents;
import io.tidemark.server.replication.LinkFigures;
import io.tidemark.server.replication.LinkLimits;
import io.tidemark.server.snapshot.Snapshots;
import io.tidemark.snapshot.SnapshotStore;
import io.vertx.core.Vertx;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process as a member of a cluster: log, etcd, streams and the node's loop, and what the client
 * port talks to. {@link #open}, {@link #start}, {@link #leave} and {@link #stop} in this order, on
 * one thread at a time.
 */
public final class HaMember implements LinkEvents, MemberControl {
  private static final Logger LOG = LoggerFactory.getLogger(HaMember.class);

  /** Long enough that members seldom campaign at once, which would only cost one a try. */
  private static final int CAMPAIGN_DELAY_MS = 50;

  private static final long HAND_OVER_TIMEOUT_MS = 5_000;
  private static final long VIEW_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ServerConfig config;
  private final HaConfig ha;
  private final ChronicleLog log;
  private final DirectoryIdentity identity;
  private final EtcdCoordinator coordinator;
  private final MasterSwitch clients = new MasterSwitch();
  private final SnapshotDuty duty;
  private final MemberSnapshots snapshots;
  private final ScanExecutor scans = new ScanExecutor();
  private final LinkFigures linkFigures = new LinkFigures();
  private final NodeLoop loop;
  private final GrpcLinks links;
  private final MemberEvents events;
  private final Node node;
  private final StatusBoard board;
  private final HandOver handOver;
  private final ForceOrders forceOrders;
  private volatile Consumer<MasterView> beforeServing = state -> {};
  private NodeRole role = NodeRole.BOOTING;
  private boolean started;
  private long viewAtNanos = Long.MIN_VALUE;

  private HaMember(
      ServerConfig config,
      HaConfig ha,
      OpenedLog opened,
      MemberFile file,
      BiConsumer<ExitCode, String> fatal) {
    this.config = config;
    this.ha = ha;
    log = opened.log();
    identity = new DirectoryIdentity(opened, file);
    coordinator = new EtcdCoordinator(ha.etcd(), System::nanoTime);
    Vertx vertx = ReplicationPort.vertx();
    loop =
        new NodeLoop(
            vertx,
            this::tick,
            broken -> fatal.accept(ExitCode.INTERNAL, "the node's loop broke: " + broken));
    SnapshotStore store = Snapshots.storeIn(config.storage().dataDir());
    duty = new SnapshotDuty(config.snapshots(), store);
    snapshots = new MemberSnapshots(store, log, identity, config.master().allocatorKind(), loop);
    links = new GrpcLinks(vertx, loop, this, LinkLimits.defaults(), linkFigures);
    events = new MemberEvents(this, log.times().commit(), fatal);
    node = new Node(nodeConfig(), nodePorts());
    board = new StatusBoard(node, identity, log, coordinator, ha.minInSync(), System.nanoTime());
    handOver = new HandOver(node, () -> log.end().index(), clients, board);
    forceOrders = new ForceOrders(loop, node);
  }

  /**
   * Makes a member over its opened log and opens the port for the others.
   *
   * @param fatal told once, on any thread, that the process must end, and why
   * @throws StartException if the port can't be opened or etcd's certificates can't be used; the
   *     log is closed then
   */
  public static HaMember open(
      ServerConfig config, OpenedLog opened, MemberFile file, BiConsumer<ExitCode, String> fatal) {
    HaConfig ha = config.ha().orElseThrow();
    try {
      HaMember member = new HaMember(config, ha, opened, file, fatal);
      ReplicationPort.open(member.links, member.coordinator, ha);
      member.lookAtEtcd();
      return member;
    } catch (IllegalArgumentException unusable) {
      opened.log().close(false);
      throw new StartException(ExitCode.BAD_SETTINGS, unusable.getMessage(), unusable);
    } catch (StartException failed) {
      opened.log().close(false);
      throw failed;
    }
  }

  private void lookAtEtcd() {
    try {
      EtcdCheck.run(coordinator, ha.etcd().endpoints());
    } catch (StartException denied) {
      links.close();
      coordinator.close();
      throw denied;
    }
  }

  private NodeConfig nodeConfig() {
    NodeConfig defaults =
        NodeConfig.defaults(ha.replicationAddress(), ha.clientAddress(), config.master());
    return new NodeConfig(
        defaults.replicationAddress(),
        defaults.clientAddress(),
        ha.newCluster(),
        defaults.pollMs(),
        CAMPAIGN_DELAY_MS,
        defaults.retryMs(),
        defaults.silenceMs(),
        ha.digestMs(),
        defaults.replication().withMinInSync(ha.minInSync()),
        config.master());
  }

  private NodePorts nodePorts() {
    return new NodePorts(
        identity,
        coordinator,
        log,
        links,
        System::nanoTime,
        System::currentTimeMillis,
        bound -> ThreadLocalRandom.current().nextInt(bound),
        loop,
        scans,
        snapshots,
        events);
  }

  /** The state machine as the process drives it. */
  public MasterRole role() {
    return MasterRole.ofMember(this, clients::tick, duty, duty.figures(), log.times());
  }

  /** What the client port talks to. */
  public MasterService service() {
    return clients;
  }

  @Override
  public NodeStatus status() {
    return board.get();
  }

  @Override
  public MemberFigures figures() {
    return new MemberFigures(
        node.counters(),
        coordinator.figures(),
        linkFigures,
        clients.refused(),
        events.fences(),
        events.terms(),
        events.alarms(),
        loop.waiting(),
        TimeUnit.NANOSECONDS.toMillis(loop.longestNanos()),
        loop.longTasks());
  }

  /** What is to be done with the state of each term before clients are served; any thread. */
  public void whenServing(Consumer<MasterView> action) {
    beforeServing = action;
  }

  /** Lets the node begin; the client port is open. */
  public void start() {
    LOG.info(
        "event=member_started node={} incarnation={} cluster={} log_index={} replication={}"
            + " etcd={} ttl_s={} min_in_sync={}",
        identity.self().node(),
        identity.self().incarnation(),
        identity.cluster().map(UUID::toString).orElse("none"),
        log.end().index(),
        ha.replicationAddress(),
        ha.etcd().endpoints(),
        ha.etcd().leaseTtlSeconds(),
        ha.minInSync());
    started = true;
    loop.start();
    loop.execute(node::start);
  }

  private void tick() {
    long now = System.nanoTime();
    node.tick();
    handOver.tick(now);
    board.tick(now);
    coordinator.deniedAtFirst().ifPresent(events::denied);
    if (now >= viewAtNanos && !node.role().leads()) {
      viewAtNanos = now + VIEW_PERIOD_NANOS;
      lookAtView();
    }
  }

  /** A standby shows where clients are sent, and remembers which version they hold. */
  private void lookAtView() {
    coordinator
        .readView()
        .thenAccept(
            outcome ->
                loop.execute(
                    () -> {
                      if (outcome.isDone() && !node.role().leads()) {
                        outcome.value().ifPresent(view -> identity.noteView(view.version()));
                        board.published(
                            outcome.value().map(PublishedView::address).orElse(""),
                            outcome.value().map(PublishedView::version).orElse(0L));
                      }
                    }));
  }

  // ---- what the node tells

  void warmUp() {
    String address = ha.replicationAddress();
    Candidate self = new Candidate(identity.self(), identity.cluster().orElseThrow(), 0, address);
    String[] client = ha.clientAddress().split(":(?=\\d+$)", 2);
    InetSocketAddress clientPort = new InetSocketAddress(client[0], Integer.parseInt(client[1]));
    WarmUp.begin(
        coordinator, self, () -> links.dial(address), clientPort, config.storage().dataDir());
  }

  void changed() {
    board.stale();
    NodeRole now = node.role();
    if (now != role) {
      boolean standby = role == NodeRole.STANDBY;
      role = now;
      if (now == NodeRole.STANDBY) {
        StandbySource source =
            new StandbySource(node, loop, log, node.standbyState().orElseThrow(), board);
        duty.begin(source, identity.cluster().orElseThrow(), identity.self().node());
      } else if (standby) {
        duty.end();
      }
    }
  }

  boolean logHasFailed() {
    return log.hasFailed();
  }

  void serve(Master master, Leadership leadership) {
    board.published("", 0);
    beforeServing.accept(master.view());
    clients.serve(master, master::tick);
    LeaderSource source =
        new LeaderSource(master, node, loop, log, board, config.snapshots().logBytes());
    duty.begin(source, leadership.membership().cluster(), identity.self().node());
  }

  void serveNoMore() {
    clients.refuse();
    duty.end();
    board.published("", 0);
  }

  void published(long viewVersion) {
    board.published(ha.clientAddress(), viewVersion);
    changed();
  }

  // ---- what streams tell

  @Override
  public void opened(Link link) {
    node.opened(link);
  }

  @Override
  public void message(Link link, byte[] message) {
    node.message(link, message);
  }

  @Override
  public void closed(Link link) {
    node.closed(link);
  }

  // ---- the end

  @Override
  public Optional<String> transferLeadership() {
    HandOver.Outcome outcome = handOver(false);
    return outcome.done() ? Optional.empty() : Optional.of(outcome.detail());
  }

  @Override
  public ForcedTakeover.Answer forceStart(ForcedTakeover.Request request) {
    return forceOrders.give(request);
  }

  /**
   * Gives a leadership away before the process ends.
   *
   * @return whether there was one, so that clients may still come here
   */
  public boolean leave() {
    return handOver(true).done();
  }

  private HandOver.Outcome handOver(boolean atAnyRate) {
    if (!loop.isRunning()) {
      return new HandOver.Outcome(false, "the node's loop does not run any more");
    }
    CompletableFuture<HandOver.Outcome> outcome = new CompletableFuture<>();
    loop.execute(() -> handOver.begin(atAnyRate, System.nanoTime(), outcome));
    try {
      return outcome.get(HAND_OVER_TIMEOUT_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return new HandOver.Outcome(false, "interrupted");
    } catch (ExecutionException | TimeoutException late) {
      return new HandOver.Outcome(false, "the node did not answer in time");
    }
  }

  /**
   * Ends the node, gives back what it still holds, closes log and connections.
   *
   * @throws RuntimeException if the log was not closed as it should be
   */
  public void stop() {
    clients.refuse();
    duty.end();
    Optional<RuntimeException> failure = new MemberEnd(node, log, coordinator, loop).run(started);
    coordinator.close();
    links.close();
    snapshots.close();
    if (failure.isPresent()) {
      throw failure.get();
    }
  }
}
