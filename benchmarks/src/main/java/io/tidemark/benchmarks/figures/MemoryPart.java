package io.tidemark.benchmarks.figures;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What an object costs at a million objects, beside Mooncake's masters. */
final class MemoryPart implements Part {
  private static final long OBJECTS = 1_000_000;

  /** Put before the first look, so that what is set up once is no part of the growth. */
  private static final long FIRST_OBJECTS = 20_480;

  private static final int ROUNDS = 3;
  private static final int CONNECTIONS = 4;
  private static final String MASTER = MasterProcess.TIDEMARK;

  /** Bytes an object by which a master grew; heap and off-heap only for Tidemark. */
  private record Growth(
      String master, double heap, double offHeap, double resident, double anonymous) {

    /** What was freed beside the heap meanwhile is not set against the objects. */
    double live() {
      return heap + Math.max(0, offHeap);
    }
  }

  private record Look(JavaMemory java, Resident resident) {}

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Report run(Bench bench) throws IOException, InterruptedException {
    List<Growth> all = new ArrayList<>();
    int rounds = bench.rounds(ROUNDS);
    for (int round = 0; round < rounds; round++) {
      bench.say("round " + (round + 1) + " of " + rounds);
      bench.dropData(name());
      all.add(grow(bench, bench.tidemark(name(), JavaMemory.FLAG)));
      for (String release : SideBySide.RELEASES) {
        all.add(grow(bench, bench.mooncake(release)));
      }
    }
    bench.dropData(name());
    return report(bench, all);
  }

  private static Growth grow(Bench bench, MasterProcess master)
      throws IOException, InterruptedException {
    try (master;
        Subject subject = new Subject(master, CONNECTIONS, Subject.SEGMENT_BYTES)) {
      List<KeyRange> ranges = subject.newRanges(CONNECTIONS);
      subject.fill(subject.requests(), ranges, FIRST_OBJECTS);
      Look before = look(subject);
      long first = ranges.stream().mapToLong(KeyRange::size).sum();
      subject.fill(subject.requests(), ranges, FIRST_OBJECTS + bench.objects(OBJECTS));
      Look after = look(subject);
      double objects = ranges.stream().mapToLong(KeyRange::size).sum() - first;
      return new Growth(
          master.plan().name(),
          (after.java().heapBytes() - before.java().heapBytes()) / objects,
          (after.java().otherBytes() - before.java().otherBytes()) / objects,
          (after.resident().all() - before.resident().all()) / objects,
          (after.resident().anonymous() - before.resident().anonymous()) / objects);
    }
  }

  private static Look look(Subject subject) throws IOException, InterruptedException {
    subject.settle();
    MasterProcess master = subject.master();
    // Before the collection: it can give memory back.
    Resident resident = Resident.of(master.pid());
    JavaMemory java =
        master.plan().name().equals(MASTER)
            ? JavaMemory.afterCollection(master.pid())
            : new JavaMemory(0, 0);
    return new Look(java, resident);
  }

  private Report report(Bench bench, List<Growth> all) {
    List<Target> targets = new ArrayList<>();
    String figure = "bytes an object at 1 M objects, heap and off-heap / resident";
    targets.add(Target.atMost(figure, SideBySide.NEWEST, 0.25, "", ratio(all, SideBySide.NEWEST)));
    targets.add(Target.atMost(figure, SideBySide.OLDER, 0.32, "", ratio(all, SideBySide.OLDER)));
    Spread live = Spread.of(of(all, MASTER).map(Growth::live).toList());
    targets.add(
        Target.atMost("bytes an object at 1 M objects, heap and off-heap", MASTER, 250, "B", live));
    return new Report(name(), "Memory", conditions(bench), targets, List.of(table(all)), data(all));
  }

  private static Stream<Growth> of(List<Growth> all, String master) {
    return all.stream().filter(growth -> growth.master().equals(master));
  }

  private static Spread ratio(List<Growth> all, String release) {
    return Spread.ofRatios(
        of(all, MASTER).map(Growth::live).toList(),
        of(all, release).map(Growth::resident).toList());
  }

  private static Report.Table table(List<Growth> all) {
    List<List<String>> rows = new ArrayList<>();
    Spread heap = Spread.of(of(all, MASTER).map(Growth::heap).toList());
    Spread offHeap = Spread.of(of(all, MASTER).map(Growth::offHeap).toList());
    for (String master : Stream.concat(Stream.of(MASTER), SideBySide.RELEASES.stream()).toList()) {
      boolean ours = master.equals(MASTER);
      rows.add(
          List.of(
              master,
              ours ? Text.numbers(heap) : "–",
              ours ? Text.numbers(offHeap) : "–",
              Text.numbers(Spread.of(of(all, master).map(Growth::resident).toList())),
              Text.numbers(Spread.of(of(all, master).map(Growth::anonymous).toList()))));
    }
    return new Report.Table(
        "Growth in bytes an object, median (lowest–highest)",
        List.of(
            "master",
            "heap after collection",
            "off-heap",
            "resident memory",
            "of it not backed by a file"),
        rows);
  }

  private static List<String> conditions(Bench bench) {
    return List.of(
        String.format(
            "%d rounds, in each all three masters one after the other; %,d objects with 34-byte keys"
                + " and one replica put in batches of 128, growth from %,d objects on.",
            bench.rounds(ROUNDS), bench.objects(OBJECTS), FIRST_OBJECTS),
        "Off-heap is what native memory tracking counts outside of the heap: buffers, compiled code,"
            + " classes, the collector's tables, but not the compiler's working memory; what shrinks"
            + " counts as 0. Resident memory of Tidemark is what it is with -Xmx2g and no need to"
            + " collect, and includes pages of the log's files.",
        "Mooncake's masters do not say what their objects take, so both ratios are to the growth of"
            + " their resident memory.");
  }

  private static List<Map<String, Object>> data(List<Growth> all) {
    return all.stream()
        .map(
            growth ->
                Json.object(
                    "master", growth.master(),
                    "heap_bytes", growth.heap(),
                    "off_heap_bytes", growth.offHeap(),
                    "resident_bytes", growth.resident(),
                    "anonymous_bytes", growth.anonymous()))
        .toList();
  }
}
