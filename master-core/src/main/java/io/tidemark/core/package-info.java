/**
 * The state machine: tables, deciders, appliers, queries, and the single writer that runs them.
 *
 * <p>{@link io.tidemark.core.Master} is what the server starts; {@link
 * io.tidemark.core.MasterService} what its edges call.
 */
package io.tidemark.core;
