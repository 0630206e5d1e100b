package io.tidemark.benchmarks.figures;

import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.client.ClientOptions;
import io.tidemark.client.MasterConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Time from the start of a killed master's process to its first answer about a stored object. */
final class RestartPart implements Part {
  private static final long LIVE = 1_000_000;
  private static final long CHURNED_EVENTS = 20_000_000;
  private static final long REPLAYED_EVENTS = 1_000_000;
  private static final int ROUNDS = 5;
  private static final int CONNECTIONS = 64;
  private static final int BATCHING = 4;
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int RETRY_MS = 5;

  /** A log, and how long starts on it took. */
  private record Outcome(String log, double events, double objects, List<Double> seconds) {}

  @Override
  public String name() {
    return "restart";
  }

  @Override
  public Report run(Bench bench) throws IOException, InterruptedException {
    Outcome churned = afterChurn(bench);
    Outcome replayed = withoutSnapshot(bench);
    List<Target> targets =
        List.of(
            Target.atMost(
                "restart to serving, 1 M objects after 20 M events",
                "kill -9, snapshots on",
                3,
                "s",
                Spread.of(churned.seconds())),
            Target.atMost(
                "restart to serving, replay of 1 M events",
                "kill -9, no snapshot",
                10,
                "s",
                Spread.of(replayed.seconds())));
    return new Report(
        name(),
        "Restart",
        conditions(bench),
        targets,
        List.of(table(List.of(churned, replayed))),
        List.of(data(churned), data(replayed)));
  }

  private static Outcome afterChurn(Bench bench) throws IOException, InterruptedException {
    long live = bench.objects(LIVE);
    long events = bench.objects(CHURNED_EVENTS);
    MasterProcess.Plan plan = bench.tidemarkPlan("restart-churned", "");
    bench.dropData(plan.label());
    MasterProcess master = MasterProcess.start(plan);
    try (Subject subject = new Subject(master, BATCHING, Subject.SEGMENT_BYTES)) {
      List<KeyRange> ranges = subject.newRanges(BATCHING);
      double applied = 0;
      while (applied < events) {
        subject.fill(subject.requests(), ranges, live);
        applied = master.admin().metric("tidemark_events_applied_total");
        bench.say(String.format("%,.0f of %,d events", applied, events));
        if (applied < events) {
          subject.shrink(ranges, live / BATCHING / 2);
        }
      }
      double objects = master.admin().metric("master_key_count");
      String key = ranges.get(0).key(ranges.get(0).first());
      master.kill();
      return new Outcome(
          "snapshots and the log behind them", applied, objects, restarts(bench, plan, key));
    } finally {
      bench.dropData(plan.label());
    }
  }

  private static Outcome withoutSnapshot(Bench bench) throws IOException, InterruptedException {
    MasterProcess.Plan plan = bench.tidemarkPlan("restart-replayed", "", "--noenable_snapshot");
    bench.dropData(plan.label());
    MasterProcess master = MasterProcess.start(plan);
    try (Subject subject = new Subject(master, CONNECTIONS, Subject.SEGMENT_BYTES)) {
      List<KeyRange> ranges = subject.newRanges(CONNECTIONS);
      long each = bench.objects(REPLAYED_EVENTS) / 2 / CONNECTIONS + 1;
      Requests requests = subject.requests();
      new ClosedLoop(
              subject.links(CONNECTIONS), i -> new Scripts.Put(requests, ranges.get(i), 1, each))
          .runOut(LIMIT);
      Admin admin = master.admin();
      double applied = admin.metric("tidemark_events_applied_total");
      double objects = admin.metric("master_key_count");
      String key = ranges.get(0).key(0);
      master.kill();
      return new Outcome(
          "the whole log, no snapshot", applied, objects, restarts(bench, plan, key));
    } finally {
      bench.dropData(plan.label());
    }
  }

  private static List<Double> restarts(Bench bench, MasterProcess.Plan plan, String key)
      throws IOException, InterruptedException {
    List<Double> seconds = new ArrayList<>();
    int rounds = bench.rounds(ROUNDS);
    for (int round = 0; round < rounds; round++) {
      MasterProcess master = MasterProcess.launch(plan);
      try {
        seconds.add(secondsToAnswer(master, key));
        bench.say(String.format("%s: first answer after %.2f s", plan.label(), seconds.get(round)));
      } finally {
        master.kill();
      }
    }
    return seconds;
  }

  private static double secondsToAnswer(MasterProcess master, String key)
      throws IOException, InterruptedException {
    Request get = new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, key, Requests.TENANT);
    long until = System.nanoTime() + LIMIT.toNanos();
    while (System.nanoTime() < until) {
      master.requireAlive();
      try (MasterConnection connection =
          MasterConnection.open(master.address(), ClientOptions.DEFAULT)) {
        Reply reply = connection.call(get);
        if (reply instanceof Reply.One one && one.result().isOk()) {
          return (System.nanoTime() - master.startedNanos()) / 1e9;
        }
        throw new IOException("the restarted master answers " + reply + " for " + key);
      } catch (java.net.ConnectException notYet) {
        TimeUnit.MILLISECONDS.sleep(RETRY_MS);
      }
    }
    throw new IOException("no answer within " + LIMIT.toSeconds() + " s of the restart");
  }

  private static Report.Table table(List<Outcome> outcomes) {
    List<List<String>> rows =
        outcomes.stream()
            .map(
                outcome ->
                    List.of(
                        outcome.log(),
                        String.format("%,.0f", outcome.events()),
                        String.format("%,.0f", outcome.objects()),
                        Text.numbers(Spread.of(outcome.seconds()))))
            .toList();
    return new Report.Table(
        "Seconds from the start of the process to the first answered Get, median (lowest–highest)",
        List.of("start on", "events before the kill", "objects", "seconds"),
        rows);
  }

  private static List<String> conditions(Bench bench) {
    return List.of(
        String.format(
            "Ended by `kill -9` right after the load, then started and killed %d times; the start of"
                + " the JVM counts, the files are in the page cache.",
            bench.rounds(ROUNDS)),
        "20 M events: 1 M objects put in batches of 128, then half of them removed and as many put,"
            + " over and over; snapshots as the defaults have them.",
        "1 M events without a snapshot: 500 k PutStart and as many PutEnd from 64 connections, each"
            + " an entry of its own unless they meet in a batch.");
  }

  private static Map<String, Object> data(Outcome outcome) {
    return Json.object(
        "start_on", outcome.log(),
        "events", outcome.events(),
        "objects", outcome.objects(),
        "seconds", outcome.seconds());
  }
}
