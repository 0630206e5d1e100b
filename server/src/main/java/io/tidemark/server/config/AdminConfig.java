package io.tidemark.server.config;

import java.util.Optional;

/**
 * The admin port.
 *
 * @param port 0 lets the system choose; only tests do that
 * @param token bearer token that changing requests must carry; empty if none is needed
 * @param reportFigures whether a line of figures is logged every 10 s
 * @param fileCapacityBytes capacity shown for the shared file system, 0 without one
 */
public record AdminConfig(
    String host, int port, Optional<String> token, boolean reportFigures, long fileCapacityBytes) {}
