package io.tidemark.wire;

import io.tidemark.api.Uuid;
import io.tidemark.wire.schema.WireProfile;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What is known of the releases of clients, by client id and by source address, so that a
 * connection that shows nothing of its own is answered in the right form (coro-rpc wire, section
 * 8.2). Thread-safe; both maps are bounded and forget what was used longest ago.
 */
public final class ProfileRegistry {

  /** Default bound of either map. */
  public static final int DEFAULT_CAPACITY = 100_000;

  /**
   * Counters for metrics.
   *
   * @param ambiguousAnswers answers whose form had to be taken from the default
   * @param contradictions requests that no release fits that sent the earlier ones
   * @param clients client ids known
   * @param addresses source addresses known
   */
  public record Stats(long ambiguousAnswers, long contradictions, int clients, int addresses) {}

  private final WireProfile defaultProfile;
  private final Map<Uuid, Integer> clients;
  private final Map<String, AddressKnowledge> addresses;
  private final AtomicLong addressVersion = new AtomicLong();
  private final LongAdder ambiguousAnswers = new LongAdder();
  private final LongAdder contradictions = new LongAdder();

  /** A registry of the default capacity that answers as {@link WireProfile#MAIN} when in doubt. */
  public ProfileRegistry() {
    this(WireProfile.MAIN, DEFAULT_CAPACITY);
  }

  /**
   * A registry.
   *
   * @param defaultProfile the release to assume when nothing tells
   * @param capacity largest number of client ids, and of source addresses, to remember
   */
  public ProfileRegistry(WireProfile defaultProfile, int capacity) {
    this.defaultProfile = defaultProfile;
    this.clients = new Lru<>(capacity);
    this.addresses = new Lru<>(capacity);
  }

  /**
   * A new connection.
   *
   * @param sourceAddress host part of the peer's address, without its port
   */
  public PeerProfile connection(String sourceAddress) {
    return new PeerProfile(this, sourceAddress, ProfileSet.ALL);
  }

  /** A new connection on a listener that serves one release; requests of others are refused. */
  public PeerProfile pinnedConnection(WireProfile profile) {
    return new PeerProfile(this, "", ProfileSet.sameAnswers(profile));
  }

  public WireProfile defaultProfile() {
    return defaultProfile;
  }

  /** Puts back what an earlier process knew of a client. */
  public void remember(Uuid client, WireProfile release) {
    synchronized (clients) {
      clients.put(client, ProfileSet.sameAnswers(release));
    }
  }

  /** A snapshot of the counters. */
  public Stats stats() {
    int knownClients;
    int knownAddresses;
    synchronized (clients) {
      knownClients = clients.size();
    }
    synchronized (addresses) {
      knownAddresses = addresses.size();
    }
    return new Stats(ambiguousAnswers.sum(), contradictions.sum(), knownClients, knownAddresses);
  }

  /**
   * Combines what a connection shows of its client with what is known of it. What a client shows
   * now wins over what was remembered.
   *
   * @return what is known now
   */
  int clientEvidence(Uuid client, int candidates) {
    synchronized (clients) {
      int known = clients.getOrDefault(client, ProfileSet.ALL);
      int combined = known & candidates;
      int result = combined == 0 ? candidates : combined;
      if (result != ProfileSet.ALL) {
        clients.put(client, result);
      }
      return result;
    }
  }

  /** A connection from an address changed from showing one set to showing another. */
  void addressEvidence(String address, int before, int after) {
    if (before == after) {
      return;
    }
    synchronized (addresses) {
      addresses.computeIfAbsent(address, a -> new AddressKnowledge()).change(before, after);
    }
    addressVersion.incrementAndGet();
  }

  /** A client process starts: what its address showed earlier may be another release. */
  void processStarted(String address) {
    boolean forgot;
    synchronized (addresses) {
      AddressKnowledge known = addresses.get(address);
      forgot = known != null && known.forgetTheGone();
    }
    if (forgot) {
      addressVersion.incrementAndGet();
    }
  }

  /** What the connections of an address show. */
  int addressHint(String address) {
    synchronized (addresses) {
      AddressKnowledge known = addresses.get(address);
      return known == null ? ProfileSet.ALL : known.profiles();
    }
  }

  /** Changes whenever any address's hint may have changed. */
  long addressVersion() {
    return addressVersion.get();
  }

  void ambiguousAnswer() {
    ambiguousAnswers.increment();
  }

  void contradiction() {
    contradictions.increment();
  }

  /** What the connections of one address show. Guarded by the map it is in. */
  private static final class AddressKnowledge {
    /** Open connections by the set that they show; a set that says nothing is not counted. */
    private final int[] openBySet = new int[ProfileSet.ALL];

    private int profiles = ProfileSet.ALL;

    void change(int before, int after) {
      if (before != ProfileSet.ALL && openBySet[before] > 0) {
        openBySet[before]--;
      }
      if (after != ProfileSet.ALL) {
        openBySet[after]++;
      }
      refresh();
    }

    /**
     * Connections that agree narrow the set, also after they are gone; several releases behind one
     * address say nothing.
     */
    private void refresh() {
      int common = common();
      if (common == 0) {
        profiles = ProfileSet.ALL;
      } else {
        int narrowed = profiles & common;
        profiles = narrowed == 0 ? common : narrowed;
      }
    }

    /** What all open connections can be, 0 if they contradict each other. */
    private int common() {
      int common = ProfileSet.ALL;
      for (int set = 1; set < openBySet.length; set++) {
        if (openBySet[set] > 0) {
          common &= set;
        }
      }
      return common;
    }

    /** Forgets what only connections that are gone showed; returns whether that was anything. */
    boolean forgetTheGone() {
      for (int set = 1; set < openBySet.length; set++) {
        if (openBySet[set] > 0 && (set & ~profiles) == 0) {
          return false;
        }
      }
      int before = profiles;
      profiles = ProfileSet.ALL;
      refresh();
      return profiles != before;
    }

    int profiles() {
      return profiles;
    }
  }

  /** A map that drops the entry used longest ago. */
  private static final class Lru<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    private final int capacity;

    Lru(int capacity) {
      super(16, 0.75f, true);
      this.capacity = capacity;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > capacity;
    }
  }
}
