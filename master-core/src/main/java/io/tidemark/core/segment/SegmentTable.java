package io.tidemark.core.segment;

import io.tidemark.api.Uuid;
import io.tidemark.api.event.ClientState;
import io.tidemark.api.event.Reason;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.api.rpc.SegmentStatus;
import io.tidemark.api.state.StateRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Mounted segments and the clients that lend them.
 *
 * <p>Changed by the holder of the core role. {@link #get}, {@link #lastChangeIndex} and {@link
 * #snapshot} are for any thread.
 */
public final class SegmentTable {
  private final AllocatorKind allocatorKind;
  private final Map<Integer, MountedSegment> byNumber = new LinkedHashMap<>();
  private final Map<Uuid, MountedSegment> byId = new LinkedHashMap<>();
  private final Map<String, List<MountedSegment>> allocatableByName = new LinkedHashMap<>();
  private final List<String> allocatableNames = new ArrayList<>();
  private final Map<Uuid, ClientRecord> clients = new LinkedHashMap<>();
  private volatile SegmentIndex index = SegmentIndex.EMPTY;
  private volatile List<MountedSegment> snapshot = List.of();
  private volatile long lastChangeIndex;
  private volatile long joiningClients;
  private volatile long activeClients;
  private volatile long suspectedClients;
  private int lastNumber;

  public SegmentTable(AllocatorKind allocatorKind) {
    this.allocatorKind = allocatorKind;
  }

  // ---- reading

  /** The mount of a number, or null. */
  public MountedSegment get(int number) {
    return index.get(number);
  }

  /** The latest mount of a segment id, or null. */
  public MountedSegment byId(Uuid id) {
    return byId.get(id);
  }

  /** All mounts in mount order; immutable. */
  public List<MountedSegment> snapshot() {
    return snapshot;
  }

  /**
   * Log index of the last change to segments or liveness: what a read waits for (COR-02). To be
   * read after what it guards.
   */
  public long lastChangeIndex() {
    return lastChangeIndex;
  }

  /**
   * Names that take allocations, in Mooncake's order: insertion, a removal swaps the last one into
   * the hole.
   */
  List<String> allocatableNames() {
    return allocatableNames;
  }

  /** Segments of a name that take allocations. */
  List<MountedSegment> allocatable(String name) {
    return allocatableByName.getOrDefault(name, List.of());
  }

  /** Number of names that take allocations. */
  public int allocatableNameCount() {
    return allocatableNames.size();
  }

  /** A client, or null if it is not known. */
  public ClientRecord client(Uuid id) {
    return clients.get(id);
  }

  public Collection<ClientRecord> clients() {
    return Collections.unmodifiableCollection(clients.values());
  }

  /** Segments of a client in mount order, every status. */
  public List<MountedSegment> segmentsOf(Uuid clientId) {
    return snapshot.stream().filter(segment -> segment.clientId().equals(clientId)).toList();
  }

  public long clientCount(ClientState state) {
    return switch (state) {
      case JOINING -> joiningClients;
      case ACTIVE -> activeClients;
      case SUSPECTED -> suspectedClients;
      case OFFLINE -> 0;
    };
  }

  /** Status by name: the most available of the siblings (REQ-023), or null for an unknown name. */
  public SegmentStatus statusOf(String name) {
    SegmentStatus best = null;
    for (MountedSegment segment : snapshot) {
      if (segment.info().name().equals(name)
          && (best == null || rank(segment.status()) < rank(best))) {
        best = segment.status();
      }
    }
    return best;
  }

  private static int rank(SegmentStatus status) {
    return switch (status) {
      case OK -> 0;
      case DRAINING -> 1;
      case GRACEFULLY_UNMOUNTING -> 2;
      case DRAINED -> 3;
      case UNMOUNTING -> 4;
      case UNDEFINED -> 5;
    };
  }

  /** Number that the next mount gets. */
  int nextNumber() {
    return lastNumber + 1;
  }

  // ---- changing (appliers)

  /** Adds a mount. */
  public MountedSegment mount(int number, SegmentInfo info, Uuid clientId, long logIndex) {
    announce(logIndex);
    lastNumber = Math.max(lastNumber, number);
    MountedSegment segment = new MountedSegment(number, info, clientId, allocatorKind);
    ClientRecord owner = clients.get(clientId);
    segment.owner(owner);
    segment.ownerSuspected(owner != null && owner.state() == ClientState.SUSPECTED);
    byNumber.put(number, segment);
    byId.put(info.id(), segment);
    refreshAllocatable(segment);
    publish();
    return segment;
  }

  /** Stops allocations; the deadline ends the mount. */
  public void startGrace(int number, long deadlineMs, long logIndex) {
    announce(logIndex);
    MountedSegment segment = require(number);
    segment.startGrace(deadlineMs);
    refreshAllocatable(segment);
    publish();
  }

  /** Hides the segment's replicas at once. */
  public MountedSegment startUnmounting(int number, Reason reason, long logIndex) {
    announce(logIndex);
    MountedSegment segment = require(number);
    segment.startUnmounting(reason);
    refreshAllocatable(segment);
    publish();
    return segment;
  }

  /** Forgets a mount whose replicas are all dropped. */
  public void unmounted(int number, long logIndex) {
    announce(logIndex);
    MountedSegment segment = require(number);
    byNumber.remove(number);
    byId.remove(segment.info().id(), segment);
    publish();
  }

  /** Records a client's liveness; OFFLINE forgets it. */
  public void clientChanged(Uuid clientId, ClientState state, long nowMs, long logIndex) {
    announce(logIndex);
    if (state == ClientState.OFFLINE) {
      clients.remove(clientId);
    } else {
      ClientRecord client = clients.get(clientId);
      if (client == null) {
        client = new ClientRecord(clientId);
        client.heard(nowMs);
        clients.put(clientId, client);
      }
      client.state(state);
    }
    for (MountedSegment segment : snapshot) {
      if (segment.clientId().equals(clientId)) {
        segment.owner(clients.get(clientId));
        segment.ownerSuspected(state == ClientState.SUSPECTED);
        refreshAllocatable(segment);
      }
    }
    publish();
  }

  public void releaseLearned(Uuid clientId, String release) {
    ClientRecord client = clients.get(clientId);
    if (client != null) {
      client.release(release);
    }
  }

  public void hostIdLearned(Uuid clientId, String hostId) {
    ClientRecord client = clients.get(clientId);
    if (client != null) {
      client.hostId(hostId);
    }
  }

  /** Highest mount number ever used. */
  public int lastNumber() {
    return lastNumber;
  }

  /** Puts a client back at a restore. */
  public void restore(StateRecord.Client record) {
    ClientRecord client = new ClientRecord(record.clientId());
    client.state(record.state());
    client.hostId(record.hostId());
    client.release(record.release());
    clients.put(record.clientId(), client);
    publish();
  }

  /** Puts a mount back at a restore; its ranges are taken by the caller. */
  public MountedSegment restore(StateRecord.Segment record, long logIndex) {
    MountedSegment segment = mount(record.number(), record.info(), record.clientId(), logIndex);
    segment.restore(record.status(), record.graceDeadlineMs(), record.unmountReason());
    refreshAllocatable(segment);
    return segment;
  }

  /** Sets the highest mount number ever used, at a restore. */
  public void restoreLastNumber(int number) {
    lastNumber = number;
  }

  /** A term begins at log time {@code nowMs}: nobody was heard yet. */
  public void termStarted(long nowMs) {
    clients.values().forEach(client -> client.termStarted(nowMs));
  }

  /** Before anything changes: a reader that sees the change also sees the index it depends on. */
  private void announce(long logIndex) {
    lastChangeIndex = logIndex;
  }

  private MountedSegment require(int number) {
    MountedSegment segment = byNumber.get(number);
    if (segment == null) {
      throw new IllegalStateException(
          "an event names segment mount " + number + ", which does not exist");
    }
    return segment;
  }

  private void refreshAllocatable(MountedSegment segment) {
    String name = segment.info().name();
    List<MountedSegment> siblings = allocatableByName.get(name);
    boolean listed = siblings != null && siblings.contains(segment);
    if (segment.isAllocatable() && !listed) {
      if (siblings == null) {
        siblings = new ArrayList<>();
        allocatableByName.put(name, siblings);
        allocatableNames.add(name);
      }
      siblings.add(segment);
    } else if (!segment.isAllocatable() && listed) {
      siblings.remove(segment);
      if (siblings.isEmpty()) {
        allocatableByName.remove(name);
        removeName(name);
      }
    }
  }

  private void removeName(String name) {
    int hole = allocatableNames.indexOf(name);
    String last = allocatableNames.remove(allocatableNames.size() - 1);
    if (hole < allocatableNames.size()) {
      allocatableNames.set(hole, last);
    }
  }

  private void publish() {
    index = SegmentIndex.of(byNumber.values());
    snapshot = List.copyOf(byNumber.values());
    joiningClients = count(ClientState.JOINING);
    activeClients = count(ClientState.ACTIVE);
    suspectedClients = count(ClientState.SUSPECTED);
  }

  private long count(ClientState state) {
    return clients.values().stream().filter(client -> client.state() == state).count();
  }
}
