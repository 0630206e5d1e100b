package io.tidemark.server.replication;

/**
 * Bounds of streams.
 *
 * @param messageBytes largest message, bytes
 * @param unsentBytes what may wait to be sent on one stream before it is closed, bytes
 * @param unreadBytes what may wait for the node's loop before receiving pauses, bytes
 * @param acceptedStreams streams of other nodes at a time
 * @param connectMs after which an attempt to dial is given up
 * @param muteMs after which a stream is closed on which its dialer said nothing
 * @param lingerMs for which a closed stream may still send what was given to it
 */
public record LinkLimits(
    int messageBytes,
    long unsentBytes,
    long unreadBytes,
    int acceptedStreams,
    int connectMs,
    long muteMs,
    long lingerMs) {

  /** The defaults: 2 MiB a message, twice a full window under way. */
  public static LinkLimits defaults() {
    return new LinkLimits(2 << 20, 16 << 20, 8 << 20, 64, 2_000, 10_000, 1_000);
  }
}
