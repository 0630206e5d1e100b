package io.tidemark.benchmarks.figures;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Single masters with their defaults. */
final class SingleMasters implements Lineup {

  @Override
  public String part() {
    return "side-by-side";
  }

  @Override
  public String title() {
    return "Beside Mooncake's masters";
  }

  @Override
  public List<String> releases() {
    return SideBySide.RELEASES;
  }

  @Override
  public double limit(LoadCase load, String release) {
    return load.limit(release);
  }

  @Override
  public List<Subject> open(Bench bench) throws IOException, InterruptedException {
    List<Subject> subjects = new ArrayList<>();
    subjects.add(SideBySide.subject(bench.tidemark(part(), "")));
    for (String release : releases()) {
      subjects.add(SideBySide.subject(bench.mooncake(release)));
    }
    return subjects;
  }

  @Override
  public List<String> conditions(Bench bench) {
    return List.of(
        "Tidemark: defaults (`persist=page`, every mutation in the log, snapshots by"
            + " themselves; -Xmx2g, G1)"
            + (bench.options().flags().isEmpty() ? "" : ", " + bench.options().flags())
            + ". Mooncake: defaults, memory only.");
  }

  @Override
  public void close() {}
}
