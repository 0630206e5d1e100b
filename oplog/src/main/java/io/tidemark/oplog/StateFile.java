package io.tidemark.oplog;

import io.tidemark.api.log.LogPosition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * A small text file that a person can read and that can't be half written: a title with a version,
 * lines of {@code key=value}, and a checksum over all of it. Replaced as a whole.
 */
final class StateFile {
  private static final long MAX_BYTES = 4096;
  private static final String CHECKSUM = "crc32c=";

  private StateFile() {}

  /** Writes and forces the file. */
  static void write(Path file, String title, Map<String, String> values) throws IOException {
    StringBuilder text = new StringBuilder(title).append('\n');
    values.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    String content = text.toString();
    Disk.replace(file, content + CHECKSUM + checksum(content) + "\n");
  }

  /** First line of the file, which every version of it has. */
  static String title(Path file) throws IOException {
    String text = text(file);
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }

  /**
   * Values of the file.
   *
   * @throws LogFormatException if the checksum does not fit
   */
  static Map<String, String> read(Path file) throws IOException {
    String text = text(file);
    int at = text.lastIndexOf(CHECKSUM);
    if (at < 0 || !text.substring(at).equals(CHECKSUM + checksum(text.substring(0, at)) + "\n")) {
      throw new LogFormatException(
          file + " is damaged: its checksum does not fit; restore it from a copy of the directory");
    }
    Map<String, String> values = new LinkedHashMap<>();
    text.substring(0, at)
        .lines()
        .skip(1)
        .forEach(
            line -> {
              int equals = line.indexOf('=');
              values.put(line.substring(0, equals), line.substring(equals + 1));
            });
    return values;
  }

  /**
   * A position among the values of a file.
   *
   * @param prefix of its keys
   * @throws NumberFormatException if it is not there
   */
  static LogPosition position(Map<String, String> values, String prefix) {
    return new LogPosition(
        Long.parseLong(values.get(prefix + "epoch")),
        Long.parseLong(values.get(prefix + "index")),
        Long.parseUnsignedLong(values.get(prefix + "chain"), 16));
  }

  static void putPosition(Map<String, String> values, String prefix, LogPosition position) {
    values.put(prefix + "epoch", Long.toString(position.epoch()));
    values.put(prefix + "index", Long.toString(position.index()));
    values.put(prefix + "chain", String.format("%016x", position.chainHash()));
  }

  private static String text(Path file) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      throw new LogFormatException(
          file + " is larger than " + MAX_BYTES + " bytes: it is not a file of this log");
    }
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
  }

  private static String checksum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.ISO_8859_1));
    return String.format("%08x", crc.getValue());
  }
}
