package io.tidemark.benchmarks.figures;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** How masters become members of a cluster, and how one waits for them. */
final class HaFlags {
  private static final String CLUSTER = "figures";
  private static final int LIMIT_SECONDS = 120;
  private static final int LOOK_MS = 20;

  private HaFlags() {}

  /** Flags that both kinds of masters have. */
  static List<String> common(EtcdServer etcd) {
    return List.of(
        "--enable_ha",
        "--ha_backend_type=etcd",
        "--etcd_endpoints=" + etcd.endpoint(),
        "--cluster_id=" + CLUSTER);
  }

  /** Flags of a Tidemark, and more. */
  static String[] tidemark(EtcdServer etcd, String... more) throws IOException {
    List<String> flags = new ArrayList<>(common(etcd));
    flags.add("--replication_port=" + MasterProcess.freePort());
    flags.addAll(List.of(more));
    return flags.toArray(String[]::new);
  }

  /** Waits until a leader has so many members in sync, itself among them. */
  static void awaitInSync(MasterProcess leader, int members)
      throws IOException, InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (leader.admin().metric("tidemark_in_sync_members") != members) {
      if (System.nanoTime() > until) {
        throw new IOException(
            leader.label() + " has no " + members + " members in sync in " + LIMIT_SECONDS + " s");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }
}
