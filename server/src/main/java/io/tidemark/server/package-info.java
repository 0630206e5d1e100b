/**
 * The process: composition root, listeners, configuration, metrics.
 *
 * <p>{@link io.tidemark.server.Main} reads the settings, opens the log, starts the state machine
 * over it and opens the ports; {@link io.tidemark.server.Edges} is everything that faces the
 * outside.
 */
package io.tidemark.server;
