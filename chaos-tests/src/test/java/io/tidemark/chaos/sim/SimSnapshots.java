package io.tidemark.chaos.sim;

import io.tidemark.api.log.LogPosition;
import io.tidemark.core.StateImporter;
import io.tidemark.core.segment.AllocatorKind;
import io.tidemark.server.node.Node;
import io.tidemark.server.node.NodeRole;
import io.tidemark.server.node.NodeSnapshots;
import io.tidemark.testkit.log.SimulatedLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** One process's dealings with the snapshots on its host's disk. */
final class SimSnapshots implements NodeSnapshots {
  /** Small, so that logs get shorter within seconds. */
  private static final int KEPT = 2;

  private static final long MAX_PRESERVED_BYTES = 1 << 20;

  private final SimDisk disk;
  private final SimulatedLog log;
  private final Executor later;
  private final Consumer<String> trace;

  SimSnapshots(SimDisk disk, SimulatedLog log, Executor later, Consumer<String> trace) {
    this.disk = disk;
    this.log = log;
    this.later = later;
    this.trace = trace;
  }

  private NavigableMap<Long, SimSnapshot> all() {
    return disk.snapshots();
  }

  @Override
  public void restore(Consumer<Choice> then) {
    Choice choice = choose();
    later.execute(() -> then.accept(choice));
  }

  private Choice choose() {
    for (SimSnapshot snapshot : all().descendingMap().values()) {
      LogPosition at = snapshot.position();
      boolean beyond = at.index() > log.end().index();
      boolean onLog = log.positionAt(at.index()).equals(Optional.of(at));
      if (onLog || (beyond && at.epoch() >= log.end().epoch())) {
        return new Choice(Optional.of(snapshot.restore()), beyond, "from the snapshot of " + at);
      }
    }
    if (log.base().index() > 0) {
      return new Choice(Optional.empty(), false, "no snapshot fits the log");
    }
    StateImporter empty = new StateImporter(AllocatorKind.OFFSET);
    return new Choice(Optional.of(empty.finish(LogPosition.START)), false, "from the log alone");
  }

  @Override
  public void publish(Incoming whole, Consumer<Optional<String>> then) {
    Arrived arrived = (Arrived) whole;
    all().put(arrived.at.index(), new SimSnapshot(arrived.at, arrived.parts.toByteArray()));
    disk.countInstalled();
    trace.accept("got the snapshot of " + arrived.at);
    later.execute(() -> then.accept(Optional.empty()));
  }

  @Override
  public void goOnBehind(LogPosition position) {
    trace.accept("goes on behind " + position);
    disk.renewIncarnation();
    log.restartAt(position, true);
  }

  @Override
  public void setAsideAbove(LogPosition keep) {
    all().tailMap(keep.index(), false).clear();
  }

  @Override
  public Optional<Outgoing> newest(long fromIndex) {
    return Optional.ofNullable(all().lastEntry())
        .map(entry -> entry.getValue())
        .filter(snapshot -> snapshot.position().index() >= fromIndex)
        .map(Sent::new);
  }

  @Override
  public Incoming receive(LogPosition position, long bytes) {
    if (disk.keepsNoSnapshots()) {
      throw new UncheckedIOException("no room for it", new IOException());
    }
    return new Arrived(position);
  }

  // ---- taking them

  /** Takes one if the node is a standby, and lets the log begin behind an older one. */
  void work(Node node, boolean heedsStragglers) {
    if (node.role() == NodeRole.STANDBY) {
      node.capture(
          MAX_PRESERVED_BYTES,
          capture ->
              capture.ifPresent(
                  fixed -> {
                    SimSnapshot.Writer writer = new SimSnapshot.Writer();
                    fixed.writeTo(writer);
                    keep(writer.written());
                  }));
    }
    long needed = node.replication().map(r -> r.neededFrom(heedsStragglers)).orElse(Long.MAX_VALUE);
    if (all().size() >= KEPT && node.role() != NodeRole.RESTORING) {
      log.removeBefore(Math.min(all().firstKey() + 1, needed));
    }
  }

  private void keep(SimSnapshot snapshot) {
    all().put(snapshot.position().index(), snapshot);
    while (all().size() > KEPT) {
      all().pollFirstEntry();
    }
  }

  private static final class Sent implements Outgoing {
    private final SimSnapshot snapshot;
    private int next;

    Sent(SimSnapshot snapshot) {
      this.snapshot = snapshot;
    }

    @Override
    public LogPosition position() {
      return snapshot.position();
    }

    @Override
    public long bytes() {
      return snapshot.bytes().length;
    }

    @Override
    public byte[] read(int max) {
      int end = Math.min(snapshot.bytes().length, next + max);
      byte[] part = Arrays.copyOfRange(snapshot.bytes(), next, end);
      next = end;
      return part;
    }

    @Override
    public void close() {
      next = snapshot.bytes().length;
    }
  }

  private static final class Arrived implements Incoming {
    private final LogPosition at;
    private final ByteArrayOutputStream parts = new ByteArrayOutputStream();

    Arrived(LogPosition at) {
      this.at = at;
    }

    @Override
    public LogPosition position() {
      return at;
    }

    @Override
    public void write(byte[] part) {
      parts.writeBytes(part);
    }

    @Override
    public void abandon() {
      parts.reset();
    }
  }
}
