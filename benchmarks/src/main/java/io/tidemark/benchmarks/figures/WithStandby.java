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
            bench.tidemarkPlan(
                part(), "", HaFlags.tidemark(etcd, "--new_cluster", "--min_in_sync=2")));
    HaFlags.awaitInSync(leader, 1);
    beside.add(
        0,
        MasterProcess.start(
            bench.tidemarkPlan(part() + "-2", "", HaFlags.tidemark(etcd, "--min_in_sync=2"))));
    HaFlags.awaitInSync(leader, 2);
    return leader;
  }

  private MasterProcess mooncake(Bench bench, String release)
      throws IOException, InterruptedException {
    EtcdServer etcd = etcd(bench, "etcd-" + release);
    List<String> flags = new ArrayList<>(HaFlags.common(etcd));
    flags.add("--enable_oplog");
    MasterProcess leader = MasterProcess.start(bench.mooncakePlan(release, release, flags));
    beside.add(0, MasterProcess.launch(bench.mooncakePlan(release, release + "-2", flags)));
    TimeUnit.SECONDS.sleep(MOONCAKE_SETTLES_SECONDS);
    return leader;
  }

  private EtcdServer etcd(Bench bench, String name) throws IOException, InterruptedException {
    EtcdServer etcd = EtcdServer.start(bench.work(), name);
    beside.add(etcd);
    return etcd;
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
