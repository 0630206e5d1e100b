package io.tidemark.chaos.sim;

import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.OperationLog;
import io.tidemark.core.Master;
import io.tidemark.oplog.DurationCounts;
import io.tidemark.oplog.replication.Link;
import io.tidemark.server.metrics.TimedLog;
import io.tidemark.server.node.Node;
import io.tidemark.server.node.NodeListener;
import io.tidemark.server.node.NodePorts;
import io.tidemark.server.node.NodeRole;
import io.tidemark.server.node.SabotagedAssembly;
import io.tidemark.testkit.ha.SimulatedCoordinator;
import io.tidemark.testkit.log.SimulatedLog;
import io.tidemark.testkit.sim.SimulatedNetwork;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/** One host: its disk, and the process on it while there is one. */
final class SimNode {
  private static final long TICK_NANOS = 20 * SimConfig.MILLI;
  private static final long SNAPSHOT_NANOS = 900 * SimConfig.MILLI;
  private static final long FORCE_NANOS = 4 * SimConfig.MILLI;
  private static final long RESTART_NANOS = 300 * SimConfig.MILLI;

  private final SimCluster cluster;
  private final String name;
  private final SimDisk disk;
  private Process process;

  SimNode(SimCluster cluster, String name, SimDisk disk) {
    this.cluster = cluster;
    this.name = name;
    this.disk = disk;
  }

  String name() {
    return name;
  }

  SimDisk disk() {
    return disk;
  }

  boolean isUp() {
    return process != null;
  }

  boolean isPaused() {
    return process != null && process.paused;
  }

  Node node() {
    return process.node;
  }

  SimulatedCoordinator coordinator() {
    return process.coordinator;
  }

  NodeRole role() {
    return process == null ? NodeRole.HALTED : process.node.role();
  }

  Optional<Master> master() {
    return process == null ? Optional.empty() : process.node.master();
  }

  void start(boolean mayCreate) {
    process = new Process(mayCreate);
    process.begin();
  }

  /** kill -9. */
  void kill() {
    end();
    disk.processDied();
  }

  /** The host loses power. */
  void losePower() {
    end();
    disk.hostDied();
  }

  /** The volume is replaced by an empty one. */
  void wipe() {
    end();
    disk.wiped();
  }

  private void end() {
    process.dead = true;
    process.coordinator.close();
    cluster.network().detach(name);
    process = null;
  }

  /** SIGSTOP. */
  void pause() {
    process.paused = true;
    process.coordinator.pauseRenewals(true);
  }

  /** SIGCONT: everything that arrived meanwhile is looked at now. */
  void resume() {
    process.paused = false;
    process.coordinator.pauseRenewals(false);
    process.wake();
  }

  /** Runs on the process's loop; lost if there is none. */
  void execute(Runnable task) {
    if (process != null) {
      process.execute(task);
    }
  }

  /** One life of the process. */
  private final class Process implements SimulatedNetwork.Host, NodeListener {
    final Queue<Runnable> loop = new ArrayDeque<>();
    final Map<SimulatedNetwork.End, EndLink> links = new HashMap<>();
    final SimulatedCoordinator coordinator =
        new SimulatedCoordinator(cluster.store(), SimConfig.CLUSTER, SimConfig.STORE_TIMES);
    final SimulatedLog log = disk.log();
    final SimSnapshots snapshots =
        new SimSnapshots(disk, log, this::execute, what -> cluster.trace().add(name, what));
    final Node node;
    boolean dead;
    boolean paused;

    Process(boolean mayCreate) {
      coordinator.link().always(step -> cluster.fate(name));
      Coordinator port = cluster.coordinatorFor(coordinator);
      NodePorts ports =
          new NodePorts(
              disk,
              port,
              log,
              address -> link(cluster.network().dial(name, address, this)),
              cluster.time()::nanos,
              () -> 0,
              cluster.random()::nextInt,
              this::execute,
              this::execute,
              snapshots,
              this);
      node =
          SabotagedAssembly.node(
              cluster.config().node(name, mayCreate), ports, cluster.config().sabotage());
    }

    void begin() {
      cluster.network().attach(name, this);
      execute(node::start);
      repeat(TICK_NANOS, this::tick);
      if (cluster.config().snapshots()) {
        repeat(SNAPSHOT_NANOS, () -> snapshots.work(node, cluster.random().nextInt(4) > 0));
      }
      if (cluster.config().mode() == SimulatedLog.Mode.DISK) {
        repeat(FORCE_NANOS, this::force);
      }
    }

    private void repeat(long everyNanos, Runnable action) {
      long jitter = cluster.random().nextInt(1000);
      cluster
          .time()
          .after(
              everyNanos + jitter,
              () -> {
                if (!dead) {
                  if (!paused) {
                    execute(action);
                  }
                  repeat(everyNanos, action);
                }
              });
    }

    private void tick() {
      node.tick();
      node.master().ifPresent(Master::tick);
      if (node.role() == NodeRole.HALTED && node.why().contains("the log failed")) {
        cluster.time().after(RESTART_NANOS, this::startOver);
      }
    }

    /** Crash-only: what a process does whose log failed. */
    private void startOver() {
      if (!dead) {
        cluster.trace().add(name, "starts over");
        kill();
        start(false);
      }
    }

    private void force() {
      try {
        log.force();
      } catch (LogFailureException failed) {
        cluster.trace().add(name, "can't force: " + failed.getMessage());
      }
    }

    void execute(Runnable task) {
      loop.add(task);
      scheduleOne();
    }

    private void scheduleOne() {
      cluster.time().after(cluster.random().nextInt(30_000), this::runOne);
    }

    private void runOne() {
      if (!dead && !paused && !loop.isEmpty()) {
        loop.poll().run();
      }
    }

    void wake() {
      loop.forEach(task -> scheduleOne());
    }

    private EndLink link(SimulatedNetwork.End end) {
      return links.computeIfAbsent(end, EndLink::new);
    }

    // ---- the network

    @Override
    public void opened(SimulatedNetwork.End end) {
      execute(() -> node.opened(link(end)));
    }

    @Override
    public void message(SimulatedNetwork.End end, byte[] bytes) {
      execute(
          () -> {
            EndLink link = link(end);
            if (!link.closed) {
              node.message(link, bytes);
            }
          });
    }

    @Override
    public void closed(SimulatedNetwork.End end) {
      execute(
          () -> {
            EndLink link = links.remove(end);
            if (link != null && !link.closed) {
              node.closed(link);
            }
          });
    }

    /** A stream as the node holds it. */
    private final class EndLink implements Link {
      private final SimulatedNetwork.End end;
      private boolean closed;

      EndLink(SimulatedNetwork.End end) {
        this.end = end;
      }

      @Override
      public void send(byte[] message) {
        if (!dead) {
          end.send(message);
        }
      }

      @Override
      public void close() {
        closed = true;
        end.close();
      }
    }

    // ---- what the node tells

    @Override
    public void role(NodeRole role, String why) {
      cluster.trace().add(name, role + ": " + why);
    }

    /** As in a real process, so that what lies between core and log is simulated, too. */
    @Override
    public OperationLog watched(OperationLog term) {
      return new TimedLog(term, new DurationCounts(), cluster.time()::nanos);
    }

    @Override
    public void serving(Master master, Leadership leadership) {
      cluster.trace().add(name, "serves epoch " + leadership.epoch());
    }

    @Override
    public void published(long viewVersion) {
      cluster.trace().add(name, "published as " + viewVersion);
    }

    @Override
    public void notServing() {
      cluster.trace().add(name, "serves no more");
    }

    @Override
    public void alarm(String what) {
      cluster.trace().add(name, "ALARM " + what);
      cluster.alarms().add(name + ": " + what);
    }

    @Override
    public void commandFailed(String command, RuntimeException broken) {
      throw new Violation(name + " failed to decide on " + command, broken);
    }
  }
}
