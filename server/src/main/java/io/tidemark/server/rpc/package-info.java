/**
 * The client port: sockets, frames, and the way of a request to the state machine and of its answer
 * back.
 *
 * <p>Everything of one connection happens on its event loop, which never waits. An answer that
 * another thread gives hops onto that loop.
 */
package io.tidemark.server.rpc;
