package io.tidemark.election;

/**
 * Where unmodified clients are sent.
 *
 * @param address {@code HOST:PORT}
 * @param version revision of the store at which it was published
 */
public record PublishedView(String address, long version) {}
