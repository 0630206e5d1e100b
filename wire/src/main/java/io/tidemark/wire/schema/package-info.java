/**
 * What travels on the wire of the supported Mooncake releases, as data: types, calls, releases.
 *
 * <p>The one description is the resource {@code mooncake.schema}; type literals, type hashes and
 * function ids follow from it (coro-rpc wire, sections 4 to 8). Nothing here reads or writes a
 * message.
 */
package io.tidemark.wire.schema;
