package io.tidemark.api.log;

import io.tidemark.api.Uuid;

/**
 * What the writer of an entry says about it. The log itself adds the chain hash and the checksum.
 *
 * @param index position of the entry: 1, 2, 3 … without gaps
 * @param epoch leadership number under which it was decided
 * @param logTimeMs log time of the decision; deadlines in events are values of this clock (COR-25)
 * @param wallTimeMs wall clock of the decision in ms since 1970, for people only
 * @param causeCode {@link Cause} of the batch
 * @param actor client that caused the batch, {@link Uuid#ZERO} for the master itself
 * @param batchEnd whether this is the last entry of its batch; recovery keeps or drops a batch as a
 *     whole
 */
public record EntryHeader(
    long index,
    long epoch,
    long logTimeMs,
    long wallTimeMs,
    int causeCode,
    Uuid actor,
    boolean batchEnd) {}
