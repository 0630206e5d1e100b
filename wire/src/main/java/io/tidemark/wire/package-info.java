/**
 * coro_rpc frames and struct_pack bodies of the Mooncake releases: pure codecs without sockets.
 *
 * <p>A server feeds received bytes to a {@link io.tidemark.wire.FrameAssembler}, hands each request
 * to a {@link io.tidemark.wire.RequestDecoder} and writes the answer with {@link
 * io.tidemark.wire.ReplyEncoder}. A client uses {@link io.tidemark.wire.RequestEncoder}, {@link
 * io.tidemark.wire.ResponseAssembler} and {@link io.tidemark.wire.ReplyDecoder}. {@link
 * io.tidemark.wire.DynamicCodec} reads and writes every message of every release as plain trees.
 *
 * <p>"coro-rpc wire, section N" in comments names the protocol description this follows.
 */
package io.tidemark.wire;
