package io.tidemark.snapshot;

import io.tidemark.api.log.LogPosition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The manifest as a text that a person can read: a title with the format's number, lines of {@code
 * key=value}, one line a chunk, and a checksum over all of it.
 */
final class ManifestText {
  static final int FORMAT = 1;

  /** Larger files are no manifest; a million chunks fit. */
  static final long MAX_BYTES = 64L << 20;

  private static final String TITLE = "tidemark-snapshot ";
  private static final String CHUNK = "chunk=";
  private static final String CHECKSUM = "crc32c=";

  private ManifestText() {}

  /** The text, its checksum included. */
  static String write(Manifest manifest) {
    LogPosition at = manifest.position();
    StringBuilder text = new StringBuilder(256 + 64 * manifest.chunks().size());
    text.append(TITLE).append(FORMAT).append('\n');
    line(text, "cluster", manifest.cluster());
    line(text, "node", manifest.node());
    line(text, "written-by", manifest.writtenBy());
    line(text, "created-ms", manifest.createdMs());
    line(text, "epoch", at.epoch());
    line(text, "index", at.index());
    line(text, "chain", hex(at.chainHash()));
    line(text, "digest", hex(manifest.digest()));
    line(text, "objects", manifest.objects());
    line(text, "records", manifest.records());
    for (Manifest.Chunk chunk : manifest.chunks()) {
      text.append(
          String.format(
              "%s%s %s %d %d %08x\n",
              CHUNK, chunk.file(), chunk.kind(), chunk.bytes(), chunk.records(), chunk.crc()));
    }
    String content = text.toString();
    return content + CHECKSUM + checksum(content) + "\n";
  }

  /**
   * Reads a manifest.
   *
   * @throws SnapshotException with a clause that says why it can't be used
   */
  static Manifest read(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    checkFormat(text);
    int at = text.lastIndexOf(CHECKSUM);
    if (at < 0 || !text.substring(at).equals(CHECKSUM + checksum(text.substring(0, at)) + "\n")) {
      throw new SnapshotException("its manifest is damaged: the checksum does not fit");
    }
    Map<String, String> values = new LinkedHashMap<>();
    List<Manifest.Chunk> chunks = new ArrayList<>();
    try {
      for (String line : text.substring(0, at).lines().skip(1).toList()) {
        if (line.startsWith(CHUNK)) {
          chunks.add(chunk(line.substring(CHUNK.length()).split(" ")));
        } else {
          int equals = line.indexOf('=');
          values.put(line.substring(0, equals), line.substring(equals + 1));
        }
      }
      return manifest(values, chunks);
    } catch (RuntimeException malformed) {
      throw new SnapshotException("its manifest makes no sense: " + malformed, malformed);
    }
  }

  /** The checksum at the end of a manifest, which names its content. */
  static String checksumOf(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    return text.substring(text.lastIndexOf(CHECKSUM) + CHECKSUM.length()).trim();
  }

  private static void checkFormat(String text) {
    int end = text.indexOf('\n');
    String title = end < 0 ? text : text.substring(0, end);
    if (!title.matches(TITLE + "[0-9]{1,9}")) {
      throw new SnapshotException("its manifest is damaged: the first line is no title");
    }
    int format = Integer.parseInt(title.substring(TITLE.length()));
    if (format > FORMAT) {
      throw new SnapshotException(
          "it has snapshot format "
              + format
              + ", this release reads up to "
              + FORMAT
              + "; start the release that wrote it, or a newer one");
    }
  }

  private static Manifest manifest(Map<String, String> values, List<Manifest.Chunk> chunks) {
    return new Manifest(
        UUID.fromString(values.get("cluster")),
        UUID.fromString(values.get("node")),
        values.get("written-by"),
        Long.parseLong(values.get("created-ms")),
        new LogPosition(
            Long.parseLong(values.get("epoch")),
            Long.parseLong(values.get("index")),
            Long.parseUnsignedLong(values.get("chain"), 16)),
        Long.parseUnsignedLong(values.get("digest"), 16),
        Long.parseLong(values.get("objects")),
        Long.parseLong(values.get("records")),
        chunks);
  }

  private static Manifest.Chunk chunk(String[] words) {
    String kind = ChunkKind.ofWord(words[1]).word();
    if (words[0].contains("/") || !words[0].endsWith(".chunk")) {
      throw new IllegalArgumentException("no name of a chunk: " + words[0]);
    }
    return new Manifest.Chunk(
        words[0],
        kind,
        Long.parseLong(words[2]),
        Integer.parseInt(words[3]),
        Integer.parseUnsignedInt(words[4], 16));
  }

  private static void line(StringBuilder text, String key, Object value) {
    text.append(key).append('=').append(value).append('\n');
  }

  private static String hex(long value) {
    return String.format("%016x", value);
  }

  private static String checksum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.ISO_8859_1));
    return String.format("%08x", crc.getValue());
  }
}
