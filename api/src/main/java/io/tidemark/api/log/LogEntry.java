package io.tidemark.api.log;

/**
 * An entry read back from the log, already verified (checksum, index, chain).
 *
 * @param chainHash hash over this entry and, through its predecessor's hash, over the whole log up
 *     to it
 * @param payload encoded events of this entry ({@link io.tidemark.api.event.EventCodec}); owned by
 *     the receiver
 */
public record LogEntry(EntryHeader header, long chainHash, byte[] payload) {}
