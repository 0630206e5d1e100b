package io.tidemark.chaos.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.HaCluster;
import io.tidemark.chaos.process.KeyWatch.Sight;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Every change that a cluster's masters made in etcd was the present leader's: epochs rise, the
 * in-sync set is changed and the view published only by who leads (HA-REQ-020, HA-REQ-023).
 */
final class ElectionRecord {
  private long epoch;
  private int leader = -1;
  private int leaderships;

  private ElectionRecord() {}

  /** Looks through what etcd told; gives how many leaderships there were. */
  static int check(HaCluster cluster) {
    List<Sight> changes = new ArrayList<>(cluster.records().all());
    changes.addAll(cluster.watch().all());
    changes.removeIf(change -> change.value().isEmpty());
    // The campaign's own change of the set has the revision of its leader key.
    changes.sort(
        Comparator.comparingLong(Sight::revision)
            .thenComparing(change -> !change.key().endsWith("/leader")));
    ElectionRecord record = new ElectionRecord();
    changes.forEach(change -> record.check(cluster, change));
    return record.leaderships;
  }

  private void check(HaCluster cluster, Sight change) {
    String value = change.value().orElseThrow();
    if (change.key().endsWith("/leader")) {
      assertThat(number(value)).as("epoch of %s", change).isGreaterThan(epoch);
      epoch = number(value);
      leader = cluster.replicatesAt(line(value, "replication").orElseThrow());
      leaderships++;
    } else if (change.key().endsWith("/in_sync")) {
      assertThat(number(value)).as("epoch of %s", change).isEqualTo(epoch);
    } else {
      assertThat(cluster.numberOf(value)).as("who is named by %s", change).isEqualTo(leader);
    }
  }

  private static long number(String value) {
    return Long.parseLong(line(value, "epoch").orElseThrow());
  }

  private static Optional<String> line(String value, String name) {
    return value
        .lines()
        .filter(line -> line.startsWith(name + "="))
        .map(line -> line.substring(name.length() + 1))
        .findFirst();
  }
}
