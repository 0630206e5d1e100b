package io.tidemark.oplog;

/**
 * What a log has done since it was opened. Counts never fall.
 *
 * @param entries appended entries
 * @param bytes appended record bytes
 * @param batches ended batches
 * @param segments segment files begun
 * @param refusedForSpace appends refused with {@link io.tidemark.api.log.LogFullException}
 * @param forces forced writes
 * @param forceNanosTotal time spent in forced writes
 * @param forceNanosMax longest forced write
 * @param groupEntriesMax most entries that one forced write committed
 */
public record LogCounters(
    long entries,
    long bytes,
    long batches,
    long segments,
    long refusedForSpace,
    long forces,
    long forceNanosTotal,
    long forceNanosMax,
    long groupEntriesMax) {}
