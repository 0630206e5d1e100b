package io.tidemark.oplog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A segment file: its number and its path. Chronicle names files by day; a segment's number is the
 * day since 1970-01-01 that its queue is told.
 */
record SegmentName(int number, Path file) implements Comparable<SegmentName> {
  private static final String SUFFIX = "F.cq4";

  /** The last number that has a name of eight digits: 9999-12-31. */
  static final int MAX_NUMBER = 2_932_896;

  static SegmentName of(int number, Path directory) {
    String day = DateTimeFormatter.BASIC_ISO_DATE.format(LocalDate.ofEpochDay(number));
    return new SegmentName(number, directory.resolve(day + SUFFIX));
  }

  /** Segments of a directory in their order; files of other names are not looked at. */
  static List<SegmentName> list(Path directory) throws IOException {
    List<SegmentName> found = new ArrayList<>();
    try (var files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
      for (Path file : files) {
        parse(file).ifPresent(found::add);
      }
    }
    found.sort(null);
    return found;
  }

  private static Optional<SegmentName> parse(Path file) {
    String name = file.getFileName().toString();
    String day = name.substring(0, name.length() - SUFFIX.length());
    try {
      long number = LocalDate.parse(day, DateTimeFormatter.BASIC_ISO_DATE).toEpochDay();
      return number >= 0 && number <= MAX_NUMBER
          ? Optional.of(new SegmentName((int) number, file))
          : Optional.empty();
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  @Override
  public int compareTo(SegmentName other) {
    return Integer.compare(number, other.number);
  }
}
