package io.tidemark.client;

import io.tidemark.wire.Frames;
import io.tidemark.wire.schema.WireProfile;
import java.time.Duration;

/**
 * How to talk to a master.
 *
 * @param profile the release whose form requests have and answers are read in
 * @param literal whether requests spell out their types, as upstream's release builds do
 * @param connectTimeout limit for the connection to be accepted
 * @param callTimeout limit for one call; a call that passes it closes the connection
 * @param maxResponseBytes largest answer that is read; above it the connection is closed
 */
public record ClientOptions(
    WireProfile profile,
    boolean literal,
    Duration connectTimeout,
    Duration callTimeout,
    int maxResponseBytes) {

  /** Mooncake's own limits, and the form of a wheel of v0.3.13.post1. */
  public static final ClientOptions DEFAULT =
      new ClientOptions(
          WireProfile.MAIN,
          true,
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          Frames.DEFAULT_MAX_BYTES);

  /** The same with another release. */
  public ClientOptions withProfile(WireProfile other) {
    return new ClientOptions(other, literal, connectTimeout, callTimeout, maxResponseBytes);
  }

  /** The same with another limit for one call. */
  public ClientOptions withCallTimeout(Duration other) {
    return new ClientOptions(profile, literal, connectTimeout, other, maxResponseBytes);
  }
}
