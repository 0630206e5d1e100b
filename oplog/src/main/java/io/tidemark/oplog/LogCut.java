package io.tidemark.oplog;

import io.tidemark.api.log.LogPosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes entries off the end of a log, or all of them, while nothing is open for writing.
 *
 * <p>COR-21: what goes is kept as evidence first ({@link DivergentBranch}), on the disk. A cut then
 * deletes the newest segments first and replaces the one that diverges by temporary file, force and
 * rename; a restart replaces BASE, which is one rename, and deletes after it. So a crash at any
 * instant leaves a log that opens: it ends at {@code keep}, or at a later batch of the branch that
 * goes, or begins behind the new base.
 */
final class LogCut {
  private final LogDirectory directory;
  private final LogOptions options;
  private final SegmentTable table;
  private final LogTrim trim;
  private final FileSteps steps;

  LogCut(
      LogDirectory directory,
      LogOptions options,
      SegmentTable table,
      LogTrim trim,
      FileSteps steps) {
    this.directory = directory;
    this.options = options;
    this.table = table;
    this.trim = trim;
    this.steps = steps;
  }

  /**
   * Keeps everything behind {@code keep} up to {@code end} as evidence: the segment files that hold
   * it get second names in a directory of their own, so that it costs no room until they change.
   *
   * @return that directory
   */
  Path setAside(LogPosition keep, LogPosition end) throws IOException {
    List<SegmentTable.Row> rows = table.from(keep.index() + 1);
    steps.next("gather evidence in " + directory.repair());
    directory.clearRepair();
    Files.createDirectories(directory.repair());
    for (SegmentTable.Row row : rows) {
      Path file = row.name().file();
      steps.next("keep " + file);
      Disk.force(file);
      Disk.link(file, directory.repair().resolve(file.getFileName()));
    }
    steps.next("describe the evidence");
    Map<String, String> values = new LinkedHashMap<>();
    StateFile.putPosition(values, "before-", rows.get(0).before());
    StateFile.putPosition(values, "keep-", keep);
    StateFile.putPosition(values, "end-", end);
    values.put("wall-ms", Long.toString(options.wallClockMs().getAsLong()));
    Path about = directory.repair().resolve(DivergentBranch.ABOUT);
    StateFile.write(about, DivergentBranch.TITLE, values);
    Files.createDirectories(directory.setAside());
    Disk.forceNames(directory.root());
    Path target = freeName(end.epoch(), keep.index() + 1);
    steps.next("name the evidence " + target);
    Disk.rename(directory.repair(), target);
    return target;
  }

  /** Removes the clean-stop mark and the library's cache, which speak of the end. */
  void forgetEnd() throws IOException {
    steps.next("remove " + directory.cleanStop());
    Disk.remove(directory.cleanStop());
    steps.next("remove the library's cache");
    Disk.remove(directory.segments().resolve(SegmentAppender.CACHE_FILE));
  }

  /** Cuts everything behind {@code keep}, of a log that ends at {@code end}. */
  void cutAfter(LogPosition keep, LogPosition end) throws IOException {
    List<SegmentTable.Row> rows = table.rows();
    long last = end.index();
    for (int i = rows.size() - 1; i >= 0 && last > keep.index(); i--) {
      SegmentTable.Row row = rows.get(i);
      if (row.firstIndex() > keep.index()) {
        steps.next("remove " + row.name().file());
        Disk.remove(row.name().file());
      } else {
        new SegmentRewrite(directory, options, steps)
            .run(row.name(), row.firstIndex(), keep.index());
      }
      last = row.before().index();
    }
    table.cutAfter(keep.index());
  }

  /** Lets the log begin behind {@code position}, with segment {@code segment}, and empty. */
  void restartBehind(LogPosition position, int segment) throws IOException {
    List<SegmentTable.Row> rows = table.rows();
    steps.next("begin behind " + position);
    trim.restartBehind(position, segment);
    for (SegmentTable.Row row : rows) {
      steps.next("remove " + row.name().file());
      Disk.remove(row.name().file());
    }
  }

  private Path freeName(long epoch, long index) {
    String name = DivergentBranch.PREFIX + epoch + "-" + index;
    Path target = directory.setAside().resolve(name);
    for (int n = 2; Files.exists(target); n++) {
      target = directory.setAside().resolve(name + "-" + n);
    }
    return target;
  }
}
