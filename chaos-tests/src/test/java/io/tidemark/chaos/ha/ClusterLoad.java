package io.tidemark.chaos.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.history.History;
import io.tidemark.chaos.history.HistoryChecker;
import io.tidemark.chaos.history.KeyHistory;
import io.tidemark.chaos.history.Read;
import io.tidemark.chaos.process.Await;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.HaCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;

/**
 * Writers, readers and a lender against a cluster, all of whose calls are written down and judged
 * at the end. Readers follow the view; one more for each master stays with it, whatever it is.
 */
final class ClusterLoad {
  static final Duration PATIENCE = Duration.ofSeconds(90);

  /** How a cluster that is judged by {@link #check} has to be started. */
  private static final Map<String, String> FLAGS =
      Map.of(
          "min_in_sync", "2",
          "default_kv_lease_ttl", "100",
          "writer_quarantine_sec", "5",
          "put_start_discard_timeout_sec", "300",
          "client_ttl", "120");

  private static final long QUARANTINE_MS = 5_000;
  private static final int MASTERS = 3;
  private static final int WRITERS = 16;
  private static final int FOLLOWING_READERS = 3;

  /** Who gives up a call soon goes on with the next leader. */
  private static final Duration HASTY = Duration.ofSeconds(1);

  /** Who waits for long hears what an old leader says when it comes back. */
  private static final Duration STUBBORN = Duration.ofSeconds(30);

  private static final Duration STOP_LIMIT = Duration.ofSeconds(120);
  private static final int MOST_SHOWN = 20;

  private final HaCluster cluster;
  private final History history = new History();
  private final LongAdder acknowledged = new LongAdder();
  private final List<KeyHistory> keys = new ArrayList<>();
  private final List<LoadThread> parts = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final LoadLender lender;

  /** Who reads. */
  enum Readers {
    /** Three that follow the view. */
    FOLLOWING,
    /** One more for each master, which stays with it. */
    ALSO_PINNED
  }

  private ClusterLoad(HaCluster cluster, long seed, Readers readers) {
    this.cluster = cluster;
    SplittableRandom random = new SplittableRandom(seed);
    lender = new LoadLender(following(HASTY), random.split());
    parts.add(lender);
    for (int i = 0; i < WRITERS; i++) {
      FollowingCaller caller = following(i % 2 == 0 ? HASTY : STUBBORN);
      LoadWriter writer = new LoadWriter(i, caller, random.split(), history, acknowledged);
      keys.addAll(writer.keys());
      parts.add(writer);
    }
    for (int i = 0; i < FOLLOWING_READERS; i++) {
      parts.add(new LoadReader("reader-" + i, following(HASTY), random.split(), keys));
    }
    int pinnedReaders = readers == Readers.ALSO_PINNED ? cluster.size() : 0;
    for (int i = 0; i < pinnedReaders; i++) {
      FollowingCaller pinned = FollowingCaller.pinned(cluster, i, STUBBORN);
      parts.add(new LoadReader("reader-of-master-" + i, pinned, random.split(), keys));
    }
  }

  private FollowingCaller following(Duration callLimit) {
    return new FollowingCaller(cluster, PATIENCE, callLimit);
  }

  /** Three masters whose leader has a lease of so many seconds. */
  static HaCluster.Plan plan(int ttlSec) {
    Map<String, String> flags = new HashMap<>(FLAGS);
    flags.put("ha_leader_lease_ttl_sec", Integer.toString(ttlSec));
    return HaCluster.Plan.of(MASTERS, flags).soon();
  }

  /** Two of them, of which one alone may go on while the other is away. */
  static HaCluster.Plan planOfTwo(int ttlSec) {
    Map<String, String> flags = new HashMap<>(plan(ttlSec).flags());
    flags.put("min_in_sync", "1");
    return HaCluster.Plan.of(2, flags).soon();
  }

  /** Starts it. */
  static ClusterLoad begin(HaCluster cluster, long seed) {
    return begin(cluster, seed, Readers.ALSO_PINNED);
  }

  /** The same with other readers. */
  static ClusterLoad begin(HaCluster cluster, long seed, Readers readers) {
    ClusterLoad load = new ClusterLoad(cluster, seed, readers);
    load.onHost("mounts", load.lender::begin);
    load.parts.forEach(load::launch);
    return load;
  }

  private void launch(LoadThread part) {
    Thread thread = cluster.here().thread(part.toString(), part);
    threads.add(thread);
    thread.start();
  }

  /** Changes that were acknowledged. */
  long acknowledged() {
    return acknowledged.sum();
  }

  /** Reads that were sent after one moment and before another, and were answered. */
  List<Read> readsSentBetween(long fromNanos, long toNanos) {
    return history.readsSentBetween(fromNanos, toNanos);
  }

  /** Waits until so many more changes were acknowledged. */
  void awaitMore(int more) {
    long before = acknowledged();
    Await.until(
        more + " more changes are acknowledged",
        PATIENCE,
        () -> {
          requireSound();
          return acknowledged();
        },
        now -> now >= before + more);
  }

  /** Waits until so many more reads were answered. */
  void awaitMoreReads(int more) {
    long before = history.reads();
    Await.until(more + " more reads", PATIENCE, history::reads, now -> now >= before + more);
  }

  /** Fails if a client gave up. */
  void requireSound() {
    parts.forEach(LoadThread::requireSound);
  }

  /** Ends it, asks once more for everything, and judges what everybody was told. */
  void check(Evidence evidence, String occasion) throws IOException, InterruptedException {
    parts.forEach(LoadThread::stop);
    for (Thread thread : threads) {
      thread.join(STOP_LIMIT.toMillis());
      assertThat(thread.isAlive()).as("%s still runs", thread.getName()).isFalse();
    }
    List<String> wrong = new ArrayList<>();
    onHost(
        "asks for everything",
        () -> {
          try (FollowingCaller caller = following(STUBBORN)) {
            LoadReader.readAll(caller, keys);
            wrong.addAll(lender.missing(caller));
          }
        });
    wrong.addAll(HistoryChecker.violations(history, QUARANTINE_MS));
    System.out.printf(
        "%s: %d changes acknowledged, %d reads answered, %d violations%n",
        occasion, acknowledged(), history.reads(), wrong.size());
    if (!wrong.isEmpty()) {
      history.write(evidence.folder().resolve("history.txt"));
    }
    assertThat(wrong.subList(0, Math.min(MOST_SHOWN, wrong.size()))).as(occasion).isEmpty();
    requireSound();
  }

  @FunctionalInterface
  private interface Calls {
    void make() throws IOException;
  }

  private void onHost(String name, Calls calls) {
    Throwable[] failure = new Throwable[1];
    Thread thread =
        cluster
            .here()
            .thread(
                name,
                () -> {
                  try {
                    calls.make();
                  } catch (IOException | RuntimeException | Error e) {
                    failure[0] = e;
                  }
                });
    thread.start();
    try {
      thread.join(STOP_LIMIT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive() || failure[0] != null) {
      throw new AssertionError(name + " did not come to its end", failure[0]);
    }
  }
}
