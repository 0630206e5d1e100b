package io.tidemark.oplog;

import io.tidemark.api.log.RecoveryReport;

/**
 * A log that is open for appending, and what opening it found.
 *
 * @param identity as it holds from this start on
 * @param entriesMayBeMissing whether entries that were acknowledged once may be gone: the host
 *     restarted under {@code persist=page} without a clean stop, or the scan had to drop an entry
 *     that was complete. Memory replicas can't be trusted then (COR-13), and the incarnation is a
 *     new one (COR-16)
 */
public record OpenedLog(
    ChronicleLog log, RecoveryReport report, LogIdentity identity, boolean entriesMayBeMissing) {}
