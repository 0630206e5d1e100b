package io.tidemark.benchmarks.figures;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A leader with one standby and an etcd, all on this machine: Tidemark with the standby in sync,
 * Mooncake in its own form of the same, which answers before its log is durable.
 */
final class WithStandby implements Lineup {
  private static final String CLUSTER = "figures";
  private static final int LIMIT_SECONDS = 60;

  /** Mooncake's standby says nowhere that it is ready; it is within this time. */
  private static final int MOONCAKE_SETTLES_SECONDS = 9;

  private final List<AutoCloseable> beside = new ArrayList<>();

  @Override
  public String part() {
    return "standby";
  }

  @Override
  public String title() {
    return "With a standby, beside Mooncake's masters with theirs";
  }

  @Override
  public List<String> releases() {
    return List.of(SideBySide.OLDER);
  }

  @Override
  public double limit(LoadCase load, String release) {
    return load.limitWithStandby();
  }

  @Override
  public List<Subject> open(Bench bench) throws IOException, InterruptedException {
    MasterProcess tidemark = tidemark(bench);
    List<Subject> subjects = new ArrayList<>(List.of(SideBySide.subject(tidemark)));
    for (String release : releases()) {
      subjects.add(SideBySide.subject(mooncake(bench, release)));
    }
    return subjects;
  }

  private MasterProcess tidemark(Bench bench) throws IOException, InterruptedException {
    EtcdServer etcd = etcd(bench, "etcd-tidemark");
    MasterProcess leader =
        MasterProcess.start(
            bench.tidemarkPlan(part(), "", memberFlags(etcd, "--new_cluster", "--min_in_sync=2")));
    await("the first Tidemark leads", () -> leader.admin().metric("tidemark_epoch") > 0);
    MasterProcess standby =
        MasterProcess.start(
            bench.tidemarkPlan(part() + "-2", "", memberFlags(etcd, "--min_in_sync=2")));
    beside.add(0, standby);
    await(
        "the second one is in sync", () -> leader.admin().metric("tidemark_in_sync_members") == 2);
    return leader;
  }

  private static String[] memberFlags(EtcdServer etcd, String... more) throws IOException {
    List<String> flags = new ArrayList<>(haFlags(etcd));
    flags.add("--replication_port=" + MasterProcess.freePort());
    flags.addAll(List.of(more));
    return flags.toArray(String[]::new);
  }

  private MasterProcess mooncake(Bench bench, String release)
      throws IOException, InterruptedException {
    EtcdServer etcd = etcd(bench, "etcd-" + release);
    List<String> flags = new ArrayList<>(haFlags(etcd));
    flags.add("--enable_oplog");
    MasterProcess leader = MasterProcess.start(bench.mooncakePlan(release, release, flags));
    beside.add(0, MasterProcess.launch(bench.mooncakePlan(release, release + "-2", flags)));
    TimeUnit.SECONDS.sleep(MOONCAKE_SETTLES_SECONDS);
    return leader;
  }

  private static List<String> haFlags(EtcdServer etcd) {
    return List.of(
        "--enable_ha",
        "--ha_backend_type=etcd",
        "--etcd_endpoints=" + etcd.endpoint(),
        "--cluster_id=" + CLUSTER);
  }

  private EtcdServer etcd(Bench bench, String name) throws IOException, InterruptedException {
    EtcdServer etcd = EtcdServer.start(bench.work(), name);
    beside.add(etcd);
    return etcd;
  }

  /** Something that is to come true. */
  private interface Condition {
    boolean holds() throws IOException, InterruptedException;
  }

  private static void await(String what, Condition condition)
      throws IOException, InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (!condition.holds()) {
      if (System.nanoTime() > until) {
        throw new IOException(what + ": not within " + LIMIT_SECONDS + " s");
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  @Override
  public List<String> conditions(Bench bench) {
    return List.of(
        "Each leader has one standby and an etcd of its own, all on this machine's cores. Tidemark:"
            + " `--min_in_sync=2`, so every answer waits for the standby. Mooncake:"
            + " `--enable_ha --enable_oplog`; it answers before its log is in etcd. Processor"
            + " seconds are the leader's.");
  }

  @Override
  public void close() throws IOException {
    for (AutoCloseable one : beside) {
      try {
        one.close();
      } catch (IOException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException("could not end " + one, e);
      }
    }
  }
}
