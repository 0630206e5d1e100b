package io.tidemark.chaos.sim;

import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.ha.MembershipRecord;
import io.tidemark.server.node.NodeRole;
import io.tidemark.server.node.SabotagedAssembly.Sabotage;
import io.tidemark.testkit.ha.Fate;
import io.tidemark.testkit.ha.SimulatedCoordinator;
import io.tidemark.testkit.ha.SimulatedStore;
import io.tidemark.testkit.sim.RunTrace;
import io.tidemark.testkit.sim.SimulatedNetwork;
import io.tidemark.testkit.sim.SimulatedTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** A cluster in one thread: hosts, streams, coordination store, clients, and who checks them. */
final class SimCluster {
  private static final int TRACE_LINES = 600;
  private static final long LATEST_REQUEST_NANOS = 3_000 * SimConfig.MILLI;
  private static final String IN_SYNC_KEY = "tidemark/" + SimConfig.CLUSTER + "/in_sync";

  private final SimConfig config;
  private final SplittableRandom random;
  private final SimulatedStore store = new SimulatedStore();
  private final SimulatedTime time = new SimulatedTime(store);
  private final RunTrace trace = new RunTrace(TRACE_LINES, time::nanos);
  private final SimulatedNetwork network;
  private final List<SimNode> nodes = new ArrayList<>();
  private final List<SimClient> clients = new ArrayList<>();
  private final List<String> alarms = new ArrayList<>();
  private final Set<String> cutFromStore = new HashSet<>();
  private final Checker checker;
  private final KeyBook keys;
  private boolean storeIsSlow;
  private long lastSlowNanos = -LATEST_REQUEST_NANOS;

  SimCluster(SimConfig config, long seed) {
    this.config = config;
    this.random = new SplittableRandom(seed);
    this.network = new SimulatedNetwork(time, random.split());
    this.checker = new Checker(this);
    this.keys = new KeyBook(time::nanos);
    for (int i = 1; i <= config.nodes(); i++) {
      nodes.add(new SimNode(this, "n" + i, new SimDisk(config.mode(), random.split())));
    }
  }

  /** A running cluster with this many clients. */
  static SimCluster started(SimConfig config, long seed, int clients) {
    SimCluster cluster = new SimCluster(config, seed);
    for (SimNode node : cluster.nodes) {
      node.start(true);
    }
    for (int i = 1; i <= clients; i++) {
      SimClient client = new SimClient(cluster, i);
      cluster.clients.add(client);
      client.begin();
    }
    return cluster;
  }

  SimConfig config() {
    return config;
  }

  SplittableRandom random() {
    return random;
  }

  SimulatedStore store() {
    return store;
  }

  SimulatedTime time() {
    return time;
  }

  RunTrace trace() {
    return trace;
  }

  SimulatedNetwork network() {
    return network;
  }

  List<SimNode> nodes() {
    return nodes;
  }

  SimNode node(int number) {
    return nodes.get(number - 1);
  }

  List<SimClient> clients() {
    return clients;
  }

  /** What nodes told people. */
  List<String> alarms() {
    return alarms;
  }

  Checker checker() {
    return checker;
  }

  KeyBook keys() {
    return keys;
  }

  /** What a node calls the coordination store by. */
  Coordinator coordinatorFor(SimulatedCoordinator client) {
    return config.sabotage() == Sabotage.CAMPAIGNS_WITHOUT_BEING_IN_SYNC
        ? new LaxCoordinator(client, store)
        : client;
  }

  // ---- faults of the store

  void cutFromStore(SimNode node, boolean cut) {
    if (cut) {
      cutFromStore.add(node.name());
    } else {
      cutFromStore.remove(node.name());
    }
  }

  void storeIsSlow(boolean slow) {
    storeIsSlow = slow;
    lastSlowNanos = time.nanos();
  }

  /** Whether no request can be under way that was sent long ago. */
  boolean storeIsQuiet() {
    boolean forLong = time.nanos() - lastSlowNanos > LATEST_REQUEST_NANOS;
    return !storeIsSlow && forLong && cutFromStore.isEmpty();
  }

  /** Usually prompt; slow stores let requests arrive after their sender gave up, or not at all. */
  Fate fate(String node) {
    if (cutFromStore.contains(node)) {
      return Fate.REQUEST_LOST;
    }
    long prompt = random.nextInt(3) * SimConfig.MILLI;
    if (!storeIsSlow) {
      return new Fate(prompt, false, prompt, false);
    }
    int dice = random.nextInt(10);
    return new Fate(
        dice < 4 ? random.nextLong(LATEST_REQUEST_NANOS / 2) : prompt,
        dice == 8,
        prompt,
        dice == 9);
  }

  /** The in-sync record as the store has it at this instant. */
  Optional<MembershipRecord> record() {
    SimulatedStore.Entry entry = store.keys().get(IN_SYNC_KEY);
    return Optional.ofNullable(entry).map(e -> (MembershipRecord) e.value());
  }

  /** Heals every fault; dead hosts start again. */
  void healAll() {
    trace.add("chaos", "heals all");
    network.healAll();
    cutFromStore.clear();
    storeIsSlow = false;
    for (SimNode node : nodes) {
      if (!node.isUp()) {
        node.start(false);
      } else if (node.isPaused()) {
        node.resume();
      }
    }
  }

  // ---- running

  void runFor(long ms) {
    runUntil(() -> false, ms);
  }

  /** Runs until a condition holds; returns whether it did within the time. */
  boolean runUntil(BooleanSupplier condition, long ms) {
    long end = time.nanos() + ms * SimConfig.MILLI;
    while (!condition.getAsBoolean()) {
      if (!time.step(end)) {
        return condition.getAsBoolean();
      }
      checker.afterStep();
    }
    return true;
  }

  /** The serving leader of the highest epoch. */
  Optional<SimNode> leader() {
    SimNode best = null;
    for (SimNode node : nodes) {
      if (node.role() == NodeRole.LEADER && !node.isPaused() && isAbove(node, best)) {
        best = node;
      }
    }
    return Optional.ofNullable(best);
  }

  private static boolean isAbove(SimNode node, SimNode best) {
    return best == null || epochOf(node) > epochOf(best);
  }

  private static long epochOf(SimNode node) {
    return node.node().leadership().orElseThrow().epoch();
  }

  /** All hosts but the serving leader's. */
  List<SimNode> standbys() {
    SimNode leader = leader().orElseThrow();
    return nodes.stream().filter(node -> node != leader).toList();
  }

  /** Whether the record has a host in its present incarnation. */
  boolean isInSync(SimNode node) {
    return record().orElseThrow().inSync().contains(node.disk().self());
  }

  /** Everything that was stored is readable, and equal logs gave equal states. */
  void checkNothingLost() {
    awaitLeader();
    runFor(3_000);
    int[] open = {0};
    for (KeyBook.Key key : keys.all()) {
      open[0]++;
      clients.get(0).read(key, () -> open[0]--);
    }
    Violation.check(runUntil(() -> open[0] == 0, 5_000), "reads are not answered");
    checker.compareDigests();
  }

  SimNode awaitLeader() {
    Violation.check(runUntil(() -> leader().isPresent(), 20_000), "nobody leads after 20 s");
    return leader().orElseThrow();
  }

  /** Waits until every host is in the in-sync set, in its present incarnation. */
  void awaitAllInSync() {
    Violation.check(
        runUntil(this::allInSync, 30_000), "not all are in sync after 30 s: %s", describe());
  }

  boolean allInSync() {
    return leader().isPresent()
        && record().isPresent()
        && nodes.stream().allMatch(this::isInSync)
        && nodes.stream().allMatch(n -> n.isUp() && (n.role().leads() || n.node().isAttached()));
  }

  String describe() {
    StringBuilder text = new StringBuilder();
    for (SimNode node : nodes) {
      text.append(node.name()).append(' ').append(node.disk().self().incarnation());
      if (node.isUp()) {
        text.append(' ').append(node.role()).append(" (").append(node.node().why()).append(") ");
        text.append(node.disk().log().end()).append("; ");
      }
    }
    return text + " record " + record();
  }
}
