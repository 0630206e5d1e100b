package io.tidemark.server.config;

/**
 * The client port.
 *
 * @param port 0 lets the system choose; only tests do that, the flag's 0 means its default
 * @param threads event loops
 * @param idleTimeoutSec 0 for never
 * @param defaultRelease release assumed for clients that do not reveal theirs
 * @param maxFrameBytes largest request body; a larger one closes its connection
 * @param maxOutstandingRequests requests of one connection that may wait for answers before reading
 *     pauses
 * @param maxOutstandingBytes bytes of such requests
 * @param writeQueueBytes unsent answer bytes of one connection before reading pauses
 */
public record RpcConfig(
    String host,
    int port,
    int threads,
    boolean noDelay,
    int idleTimeoutSec,
    String defaultRelease,
    int maxFrameBytes,
    int maxOutstandingRequests,
    long maxOutstandingBytes,
    int writeQueueBytes) {}
