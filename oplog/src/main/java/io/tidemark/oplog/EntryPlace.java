package io.tidemark.oplog;

import java.nio.file.Path;

/**
 * Where an entry is stored.
 *
 * @param file segment file
 * @param offsetBytes position of the entry's document header in {@code file}
 * @param lengthBytes length of the entry's record, without document header and padding
 */
public record EntryPlace(Path file, long offsetBytes, int lengthBytes) {}
