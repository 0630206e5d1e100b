package io.tidemark.oplog;

import io.tidemark.api.log.LogPosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Names and small files of a log directory:
 *
 * <ul>
 *   <li>{@code LOCK}: held by the writer, see {@link DirectoryLock}
 *   <li>{@code FORMAT}: format version, identity, and how the log was last started
 *   <li>{@code CLEAN-STOP}: where the log ended when it was closed in order (COR-16)
 *   <li>{@code BASE}: where the log begins, if its oldest segments were removed, see {@link
 *       LogBase}
 *   <li>{@code EPOCH}: the highest epoch that the node accepted, if it did (COR-18)
 *   <li>{@code segments/}: the entries
 *   <li>{@code set-aside/}: what repairs and truncations cut off, for people
 *   <li>{@code repair/}: a segment that is being rewritten, or evidence that is being gathered;
 *       removed at every start
 * </ul>
 */
record LogDirectory(Path root) {
  private static final String FORMAT_TITLE = "tidemark-log ";

  /** 1: records of version 1 only. 2: records of versions 1 and 2. */
  private static final int FORMAT_VERSION = 2;

  private static final String STOP_TITLE = "tidemark-clean-stop 1";
  private static final String BASE_TITLE = "tidemark-log-base 1";
  private static final String EPOCH_TITLE = "tidemark-log-epoch 1";
  private static final SecureRandom RANDOM = new SecureRandom();

  /**
   * What FORMAT says.
   *
   * @param bootId run of the host's kernel at the last start
   * @param persist mode of the last start
   * @param lossOpen whether a start found that entries may be missing and nobody has said yet that
   *     the consequences were drawn
   */
  record State(LogIdentity identity, String bootId, Persist persist, boolean lossOpen) {}

  Path lock() {
    return root.resolve("LOCK");
  }

  Path format() {
    return root.resolve("FORMAT");
  }

  Path cleanStop() {
    return root.resolve("CLEAN-STOP");
  }

  Path base() {
    return root.resolve("BASE");
  }

  Path epoch() {
    return root.resolve("EPOCH");
  }

  Path segments() {
    return root.resolve("segments");
  }

  Path setAside() {
    return root.resolve("set-aside");
  }

  Path repair() {
    return root.resolve("repair");
  }

  /** Makes the directories that are missing. */
  void create() throws IOException {
    Files.createDirectories(root);
    Files.createDirectories(segments());
    Disk.forceNames(root);
    Path parent = root.toAbsolutePath().getParent();
    if (parent != null) {
      Disk.forceNames(parent);
    }
  }

  /**
   * Reads FORMAT.
   *
   * @return nothing if the directory holds no log yet
   * @throws LogFormatException if it is damaged, of a newer release, or missing beside segments
   */
  Optional<State> readState() throws IOException {
    if (!Files.exists(format())) {
      if (Files.isDirectory(segments()) && !SegmentName.list(segments()).isEmpty()) {
        throw new LogFormatException(
            root
                + " holds segment files but no FORMAT file: it is not a whole log; restore FORMAT"
                + " from a copy, or use an empty directory");
      }
      return Optional.empty();
    }
    checkVersion(StateFile.title(format()));
    Map<String, String> values = StateFile.read(format());
    try {
      return Optional.of(
          new State(
              new LogIdentity(
                  UUID.fromString(values.get("cluster")),
                  UUID.fromString(values.get("node")),
                  UUID.fromString(values.get("incarnation"))),
              values.get("boot"),
              Persist.valueOf(values.get("persist")),
              "yes".equals(values.get("loss-open"))));
    } catch (RuntimeException e) {
      throw new LogFormatException(
          format() + " lacks a value or has one that can't be read: " + e.getMessage(), e);
    }
  }

  void writeState(State state) throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("cluster", state.identity().cluster().toString());
    values.put("node", state.identity().node().toString());
    values.put("incarnation", state.identity().incarnation().toString());
    values.put("boot", state.bootId());
    values.put("persist", state.persist().name());
    values.put("loss-open", state.lossOpen() ? "yes" : "no");
    StateFile.write(format(), FORMAT_TITLE + FORMAT_VERSION, values);
  }

  /** Whether FORMAT is there and of an earlier version than this program writes. */
  boolean formatIsOld() throws IOException {
    return Files.exists(format())
        && !StateFile.title(format()).equals(FORMAT_TITLE + FORMAT_VERSION);
  }

  /**
   * The highest epoch that was accepted, 0 if none was.
   *
   * @throws LogFormatException if EPOCH is damaged
   */
  long readEpoch() throws IOException {
    if (!Files.exists(epoch())) {
      return 0;
    }
    if (!StateFile.title(epoch()).equals(EPOCH_TITLE)) {
      throw new LogFormatException(
          epoch() + " is not an EPOCH file of this log; restore it from a copy of the directory");
    }
    try {
      return Long.parseLong(StateFile.read(epoch()).get("epoch"));
    } catch (NumberFormatException e) {
      throw new LogFormatException(epoch() + " has no epoch that can be read", e);
    }
  }

  /** Says which epoch was accepted; on the disk when this returns. */
  void writeEpoch(long accepted) throws IOException {
    StateFile.write(epoch(), EPOCH_TITLE, Map.of("epoch", Long.toString(accepted)));
  }

  /** The clean-stop mark, if there is one that can be read. A mark that can't is no mark. */
  Optional<LogPosition> readCleanStop() throws IOException {
    if (!Files.exists(cleanStop())) {
      return Optional.empty();
    }
    try {
      if (!StateFile.title(cleanStop()).equals(STOP_TITLE)) {
        return Optional.empty();
      }
      Map<String, String> values = StateFile.read(cleanStop());
      return Optional.of(StateFile.position(values, ""));
    } catch (LogFormatException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Leaves the clean-stop mark; everything up to {@code end} must have been forced. */
  void writeCleanStop(LogPosition end) throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    StateFile.putPosition(values, "", end);
    StateFile.write(cleanStop(), STOP_TITLE, values);
  }

  /**
   * Where the log begins.
   *
   * @throws LogFormatException if BASE is damaged
   */
  LogBase readBase() throws IOException {
    if (!Files.exists(base())) {
      return LogBase.FIRST_ENTRY;
    }
    if (!StateFile.title(base()).equals(BASE_TITLE)) {
      throw new LogFormatException(
          base() + " is not a BASE file of this log; restore it from a copy of the directory");
    }
    Map<String, String> values = StateFile.read(base());
    try {
      return new LogBase(
          Integer.parseInt(values.get("first-segment")), StateFile.position(values, ""));
    } catch (NumberFormatException e) {
      throw new LogFormatException(
          base() + " has a value that can't be read: " + e.getMessage(), e);
    }
  }

  /** Says where the log begins; on the disk when this returns. */
  void writeBase(LogBase base) throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("first-segment", Integer.toString(base.firstSegment()));
    StateFile.putPosition(values, "", base.position());
    StateFile.write(base(), BASE_TITLE, values);
  }

  /** Removes what an interrupted repair left. */
  void clearRepair() throws IOException {
    if (!Files.isDirectory(repair())) {
      return;
    }
    try (var files = Files.list(repair())) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.delete(file);
      }
    }
    Files.delete(repair());
    Disk.forceNames(root);
  }

  /** Segment files in order, without leftovers below the log's base. */
  List<SegmentName> listSegments() throws IOException {
    return contents().segments();
  }

  /**
   * Where the log begins, the segment files from there on, and older ones that are leftovers.
   *
   * <p>The names are read before the base: a master that removes old segments meanwhile has raised
   * the base first.
   */
  Contents contents() throws IOException {
    List<SegmentName> all =
        Files.isDirectory(segments()) ? SegmentName.list(segments()) : List.of();
    LogBase base = readBase();
    return new Contents(
        base,
        all.stream().filter(name -> name.number() >= base.firstSegment()).toList(),
        all.stream().filter(name -> name.number() < base.firstSegment()).toList());
  }

  /** See {@link #contents}. */
  record Contents(LogBase base, List<SegmentName> segments, List<SegmentName> leftovers) {}

  /** A new random id. */
  static UUID newId() {
    return new UUID(
        (RANDOM.nextLong() & ~0xf000L) | 0x4000L,
        (RANDOM.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L);
  }

  private void checkVersion(String title) {
    String version =
        title.startsWith(FORMAT_TITLE) ? title.substring(FORMAT_TITLE.length()).trim() : "";
    if (!version.matches("[0-9]{1,9}")) {
      throw new LogFormatException(
          format() + " is not a FORMAT file of this log; use an empty directory");
    }
    if (Integer.parseInt(version) > FORMAT_VERSION) {
      throw new LogFormatException(
          root
              + " has log format "
              + version
              + ", this release reads up to "
              + FORMAT_VERSION
              + "; start the release that wrote it, or a newer one. Nothing was changed");
    }
  }
}
