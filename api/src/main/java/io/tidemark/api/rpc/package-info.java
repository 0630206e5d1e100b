/**
 * Decoded requests and replies of Mooncake's master RPCs, independent of the release that sent
 * them.
 *
 * <p>The {@code wire} module turns bytes into these records and back; {@code master-core} decides
 * over them.
 */
package io.tidemark.api.rpc;
