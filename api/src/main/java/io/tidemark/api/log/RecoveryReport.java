package io.tidemark.api.log;

import java.util.List;

/**
 * What opening a log found.
 *
 * @param end position of the last whole batch
 * @param entriesDropped complete or torn entries that were cut from the tail
 * @param bytesDropped bytes that were cut
 * @param cleanStop whether a valid clean-stop mark matched the end
 * @param hostRebooted whether the host's boot id differs from the one of the last start
 * @param newDirectory whether the log was created by this start
 * @param findings one sentence for every repair: file, offset, what was dropped
 */
public record RecoveryReport(
    LogPosition end,
    long entriesDropped,
    long bytesDropped,
    boolean cleanStop,
    boolean hostRebooted,
    boolean newDirectory,
    List<String> findings) {}
