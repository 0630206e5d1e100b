package io.tidemark.testkit.ha;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * A coordination store in memory: keys with revisions, leases that end by simulated time, and
 * everything that is under way to and from its {@link SimulatedCoordinator clients}.
 *
 * <p>Time stands still except in {@link #advanceTo}, on whose caller's thread everything happens,
 * in the order of time and, at the same instant, of scheduling; so the same calls give the same
 * run. Not thread-safe.
 *
 * <p>Fault model beside that of the clients: the store forgets everything ({@link #wipe}), or comes
 * back from an older copy ({@link #restore}); revisions start over in the same way. A lease ends at
 * its TTL after the last renewal arrived, or {@link #leaseLag} later: never earlier, as etcd
 * promises.
 */
public final class SimulatedStore {
  /** A bound against a simulation that schedules more than it runs. */
  private static final int MAX_SCHEDULED = 1_000_000;

  private final PriorityQueue<Scheduled> scheduled =
      new PriorityQueue<>(
          Comparator.comparingLong(Scheduled::atNanos).thenComparingLong(Scheduled::order));
  private final List<Runnable> watchers = new ArrayList<>();
  private TreeMap<String, Entry> keys = new TreeMap<>();
  private TreeMap<Long, Lease> leases = new TreeMap<>();
  private long revision = 1;
  private long nowNanos;
  private long order;
  private long lastLease;
  private long leaseLagNanos;
  private Throwable failure;

  /**
   * A key as the store has it.
   *
   * @param lease 0 for a key that stays
   */
  public record Entry(Object value, long createRevision, long modRevision, long lease) {}

  /** A state of the store to go back to. */
  public static final class Copy {
    private final Map<String, Entry> keys;
    private final Map<Long, Lease> leases;
    private final long revision;

    private Copy(SimulatedStore store) {
      keys = Map.copyOf(store.keys);
      leases = Map.copyOf(store.leases);
      revision = store.revision;
    }
  }

  private record Lease(long ttlNanos, long endNanos) {}

  private record Scheduled(long atNanos, long order, Runnable event) {}

  /** Simulated time, also the monotonic clock of the nodes. */
  public long nowNanos() {
    return nowNanos;
  }

  /** When something happens next, for a scheduler that jumps there; empty if nothing will. */
  public OptionalLong nextEventNanos() {
    OptionalLong lease = leases.values().stream().mapToLong(this::endOf).min();
    OptionalLong event =
        scheduled.isEmpty() ? OptionalLong.empty() : OptionalLong.of(scheduled.element().atNanos());
    return lease.isPresent() && event.isPresent()
        ? OptionalLong.of(Math.min(lease.getAsLong(), event.getAsLong()))
        : lease.isPresent() ? lease : event;
  }

  /** Lets time go on, and everything happen that is due until then. */
  public void advanceTo(long nanos) {
    if (nanos < nowNanos) {
      throw new IllegalArgumentException("time goes forward: " + nowNanos + " to " + nanos);
    }
    for (OptionalLong next = nextEventNanos();
        next.isPresent() && next.getAsLong() <= nanos;
        next = nextEventNanos()) {
      nowNanos = Math.max(nowNanos, next.getAsLong());
      endLeases();
      if (!scheduled.isEmpty() && scheduled.element().atNanos() <= nowNanos) {
        scheduled.remove().event().run();
      }
      if (failure != null) {
        throw new IllegalStateException("what hung on a call failed", failure);
      }
    }
    nowNanos = nanos;
  }

  /** The same by a duration. */
  public void advance(long nanos) {
    advanceTo(nowNanos + nanos);
  }

  /** How much later than promised leases end from now on. */
  public void leaseLag(long nanos) {
    leaseLagNanos = nanos;
  }

  /** Forgets everything, as an etcd that was set up anew. */
  public void wipe() {
    keys = new TreeMap<>();
    leases = new TreeMap<>();
    revision = 1;
    tellWatchers();
  }

  /** The present state, for {@link #restore}. */
  public Copy copy() {
    return new Copy(this);
  }

  /** Goes back to an older state; the leases in it begin their time anew. */
  public void restore(Copy copy) {
    keys = new TreeMap<>(copy.keys);
    leases = new TreeMap<>();
    copy.leases.forEach((id, lease) -> leases.put(id, restarted(lease.ttlNanos())));
    revision = copy.revision;
    tellWatchers();
  }

  /** All keys, in order. */
  public Map<String, Entry> keys() {
    return Map.copyOf(keys);
  }

  /** How many leases there are. */
  public int leases() {
    return leases.size();
  }

  /** Rises with every write. */
  public long revision() {
    return revision;
  }

  /** One write of several keys; returns its revision. */
  long put(Map<String, Object> values, long lease) {
    revision++;
    values.forEach((key, value) -> store(key, value, lease));
    tellWatchers();
    return revision;
  }

  /** One write: a key on a lease, and one that stays. */
  long put(String leased, Object leasedValue, long lease, String staying, Object stayingValue) {
    revision++;
    store(leased, leasedValue, lease);
    store(staying, stayingValue, 0);
    tellWatchers();
    return revision;
  }

  /** Writes a key that nobody's leadership stands behind, as another program would. */
  public long putForeign(String key, Object value) {
    return put(Map.of(key, value), 0);
  }

  /** Removes a key that is there. */
  void delete(String key) {
    revision++;
    keys.remove(key);
    tellWatchers();
  }

  Optional<Entry> get(String key) {
    return Optional.ofNullable(keys.get(key));
  }

  long grant(long ttlNanos) {
    leases.put(++lastLease, restarted(ttlNanos));
    return lastLease;
  }

  boolean hasLease(long id) {
    return leases.containsKey(id);
  }

  boolean renew(long id) {
    return leases.computeIfPresent(id, (same, lease) -> restarted(lease.ttlNanos())) != null;
  }

  /** As many writes of no meaning as it takes. */
  void raiseTo(long least) {
    revision = Math.max(revision, least);
  }

  void revoke(long id) {
    if (leases.remove(id) != null) {
      Set<String> bound = new LinkedHashSet<>();
      keys.forEach((key, entry) -> addIf(entry.lease() == id, bound, key));
      if (!bound.isEmpty()) {
        revision++;
        bound.forEach(keys::remove);
        tellWatchers();
      }
    }
  }

  /** Lets {@link #advanceTo} fail if what hangs on a call throws: a future would keep it. */
  void follow(CompletableFuture<?> call) {
    CompletableFuture<?> ignored =
        call.whenComplete(
            (value, thrown) -> {
              if (thrown != null && failure == null) {
                failure = thrown;
              }
            });
  }

  /** Runs an event at a time that is not in the past. */
  void at(long atNanos, Runnable event) {
    if (scheduled.size() >= MAX_SCHEDULED) {
      throw new IllegalStateException(MAX_SCHEDULED + " events are scheduled");
    }
    scheduled.add(new Scheduled(Math.max(atNanos, nowNanos), order++, event));
  }

  void watch(Runnable watcher) {
    watchers.add(watcher);
  }

  void unwatch(Runnable watcher) {
    watchers.remove(watcher);
  }

  private static void addIf(boolean wanted, Set<String> keys, String key) {
    if (wanted) {
      keys.add(key);
    }
  }

  private void store(String key, Object value, long lease) {
    long created = get(key).map(Entry::createRevision).orElse(revision);
    keys.put(key, new Entry(value, created, revision, lease));
  }

  private void endLeases() {
    leases.entrySet().stream()
        .filter(lease -> endOf(lease.getValue()) <= nowNanos)
        .map(Map.Entry::getKey)
        .toList()
        .forEach(this::revoke);
  }

  private long endOf(Lease lease) {
    return lease.endNanos() + leaseLagNanos;
  }

  private Lease restarted(long ttlNanos) {
    return new Lease(ttlNanos, nowNanos + ttlNanos);
  }

  private void tellWatchers() {
    List.copyOf(watchers).forEach(Runnable::run);
  }
}
