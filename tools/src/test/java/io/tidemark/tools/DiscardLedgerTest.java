package io.tidemark.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.Uuid;
import io.tidemark.api.event.Event;
import io.tidemark.api.event.Event.PlacedReplica;
import io.tidemark.api.event.EventCodec;
import io.tidemark.api.log.LogEntry;
import io.tidemark.core.Replayer;
import io.tidemark.core.segment.AllocatorKind;
import io.tidemark.oplog.LogReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The discard ids that the tools derive are those of the state machine. */
class DiscardLedgerTest {
  private static final List<String> SEGMENTS = List.of("m1", "m2", "m3");

  @TempDir Path directory;

  @RepeatedTest(5)
  void agreesWithTheDiscardListOnRandomWork(RepetitionInfo repetition) {
    try (Scenario scenario = Scenario.in(directory)) {
      work(scenario, new SplittableRandom(repetition.getCurrentRepetition()));
      Replayer replayer = new Replayer(AllocatorKind.OFFSET);
      Follower follower = new Follower();
      LogReader.open(directory)
          .read(
              1,
              (entry, place) -> {
                replayer.entry(entry);
                follower.entry(entry);
                assertThat(follower.waiting).hasSize(replayer.state().discards().size());
                return true;
              });
      List<Long> expected = new ArrayList<>();
      replayer.state().discards().forEach((endpoint, address, bytes, ms) -> expected.add(address));
      assertThat(new ArrayList<>(follower.waiting.values())).isEqualTo(expected);
      assertThat(follower.released).as("the work released some").isPositive();
    }
  }

  /** Follows the ledger and the releases as the tools do. */
  private static final class Follower {
    final Mounts mounts = new Mounts();
    final DiscardLedger ledger = new DiscardLedger(mounts);
    final Map<Long, PlacedReplica> replicas = new HashMap<>();
    final Map<Long, Long> waiting = new LinkedHashMap<>();
    int released;

    void entry(LogEntry entry) {
      for (Event event : EventCodec.readAll(entry.payload())) {
        long[] ids = ledger.apply(event);
        if (event instanceof Event.WriteStarted e) {
          e.replicas().forEach(replica -> replicas.put(replica.replicaId(), replica));
        } else if (event instanceof Event.ReplicasDropped e) {
          for (int i = 0; i < ids.length; i++) {
            PlacedReplica replica = replicas.remove(e.replicaIds()[i]);
            if (ids[i] != DiscardLedger.NONE) {
              long base = mounts.get(replica.segmentNumber()).info().base();
              waiting.put(ids[i], base + replica.offsetBytes());
            }
          }
        } else if (event instanceof Event.DiscardReleased e) {
          for (long id : e.discardIds()) {
            assertThat(waiting.remove(id)).as("released range %d was listed", id).isNotNull();
            released++;
          }
        }
        mounts.apply(event);
      }
      assertThat(ledger.liveReplicas()).isEqualTo(replicas.size());
    }
  }

  private static void work(Scenario scenario, SplittableRandom random) {
    scenario.mount(Scenario.C1, "m2");
    scenario.mount(Scenario.C1, "m3");
    for (int step = 0; step < 400; step++) {
      String key = "k" + random.nextInt(12);
      Uuid client = random.nextBoolean() ? Scenario.C1 : Scenario.C2;
      try {
        step(scenario, random, key, client);
      } catch (AssertionError refused) {
        // a call that does not fit the state is refused and changes nothing
      }
    }
    scenario.advance(5_000);
  }

  private static void step(Scenario scenario, SplittableRandom random, String key, Uuid client) {
    switch (random.nextInt(10)) {
      case 0, 1 -> scenario.putStart(client, key, 1 + random.nextInt(4096));
      case 2, 3 -> scenario.putEnd(client, key);
      case 4 -> scenario.revoke(client, key);
      case 5 -> scenario.upsertStart(client, key, 1 + random.nextInt(4096));
      case 6 -> scenario.get(key);
      case 7 -> scenario.remove(key, random.nextBoolean());
      case 8 -> scenario.advance(1_000L * (1 + random.nextInt(40)));
      default -> {
        String segment = SEGMENTS.get(random.nextInt(SEGMENTS.size()));
        scenario.unmount(Scenario.C1, segment);
        if (random.nextBoolean()) {
          scenario.advance(10);
        }
        scenario.mount(Scenario.C1, segment);
      }
    }
  }

  @Test
  void replicaMountsAreAMap() {
    ReplicaMounts mounts = new ReplicaMounts();
    Map<Long, Integer> model = new HashMap<>();
    SplittableRandom random = new SplittableRandom(7);
    for (long id = 1; id <= 20_000; id++) {
      mounts.put(id, 1 + (int) (id % 5));
      model.put(id, 1 + (int) (id % 5));
      long victim = 1 + random.nextLong(id);
      Integer mount = model.remove(victim);
      assertThat(mounts.remove(victim)).isEqualTo(mount == null ? ReplicaMounts.NONE : mount);
    }
    assertThat(mounts.size()).isEqualTo(model.size());
  }
}
