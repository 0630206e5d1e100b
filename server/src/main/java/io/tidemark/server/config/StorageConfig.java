package io.tidemark.server.config;

import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * The operation log of this node.
 *
 * @param dataDir absolute
 * @param forceToDisk whether an answer waits until its event is forced to disk ({@code
 *     persist=disk})
 * @param cutFromIndex an operator's consent to give up the damaged entries from this index on
 * @param forcedStart whether the operator ordered a start on a possibly incomplete log
 */
public record StorageConfig(
    Path dataDir, boolean forceToDisk, OptionalLong cutFromIndex, boolean forcedStart) {}
