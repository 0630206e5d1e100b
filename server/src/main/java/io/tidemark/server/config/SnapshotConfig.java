package io.tidemark.server.config;

/**
 * When snapshots of the state are taken, and what a start does without one.
 *
 * @param enabled whether they are taken by themselves; on demand they always are
 * @param logBytes one is taken when so much was appended to the log since the last
 * @param intervalMs one is taken after this time if anything was appended, 0 for never
 * @param kept how many verified ones are kept, 2 at least
 * @param bytesPerSecond most that is written a second, 0 for no limit
 * @param startEmpty an operator's consent to start without what no snapshot and no log gives
 */
public record SnapshotConfig(
    boolean enabled,
    long logBytes,
    long intervalMs,
    int kept,
    long bytesPerSecond,
    boolean startEmpty) {}
