package io.tidemark.api.ha;

import java.util.UUID;

/**
 * Who campaigns.
 *
 * @param highestEpoch the highest epoch in its log or accepted by it; the won one is above
 * @param replicationAddress {@code HOST:PORT} for standbys
 */
public record Candidate(Member self, UUID cluster, long highestEpoch, String replicationAddress) {}
