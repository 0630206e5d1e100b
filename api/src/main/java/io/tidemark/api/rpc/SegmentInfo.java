package io.tidemark.api.rpc;

import io.tidemark.api.Uuid;

/**
 * A range of client memory that a client lends to the store; Mooncake's {@code Segment}.
 *
 * @param name wire string; what a client sends is its host name, the same for all its segments, so
 *     names are not unique
 * @param base first address, u64
 * @param sizeBytes length, u64
 * @param teEndpoint transfer-engine address that readers and writers connect to
 * @param hostId placement hint; empty for releases before v0.3.12
 */
public record SegmentInfo(
    Uuid id,
    String name,
    long base,
    long sizeBytes,
    String teEndpoint,
    String protocol,
    String hostId) {}
