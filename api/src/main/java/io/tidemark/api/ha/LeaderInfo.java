package io.tidemark.api.ha;

/**
 * The present leader as its key says.
 *
 * @param replicationAddress {@code HOST:PORT} that standbys connect to
 * @param createRevision revision of the store at which the key was made; the fencing token
 */
public record LeaderInfo(
    Member member, long epoch, String replicationAddress, long createRevision) {}
