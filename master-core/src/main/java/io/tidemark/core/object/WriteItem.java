package io.tidemark.core.object;

import io.tidemark.api.ObjectKey;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.core.table.ScopedKey;
import java.util.Optional;

/**
 * One key of a Start call.
 *
 * @param lengthBytes u64
 * @param groupId absent if the request names no groups; empty text means ungrouped
 * @param preferredSegment overrides the configuration's; set by same-node chaining of batches
 */
public record WriteItem(
    Uuid clientId,
    ObjectKey key,
    ScopedKey scopedKey,
    long lengthBytes,
    ReplicateConfig config,
    Optional<String> groupId,
    String preferredSegment) {}
