package io.tidemark.election;

import io.etcd.jetcd.ByteSequence;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Names of a cluster's keys. None of ours begins with the bytes of a view key: clients watch the
 * view's name as a prefix, and such a key would wake them all (HA-REQ-006).
 */
final class EtcdKeys {
  /** As upstream restricts it; without {@code /}, so that no cluster's keys lie in another's. */
  private static final Pattern CLUSTER_ID = Pattern.compile("[A-Za-z0-9_.-]{1,128}");

  private final String clusterId;

  EtcdKeys(String clusterId) {
    this.clusterId = check(clusterId);
  }

  static String check(String clusterId) {
    if (!CLUSTER_ID.matcher(clusterId).matches()) {
      throw new IllegalArgumentException(
          "cluster id \"" + clusterId + "\" is not 1 to 128 of A-Z a-z 0-9 _ . -");
    }
    return clusterId;
  }

  /** Where unmodified clients look for the leader's address; bound to the leader's lease. */
  ByteSequence view() {
    return bytes("mooncake-store/" + clusterId + "/master_view");
  }

  /** Who leads; bound to its lease. */
  ByteSequence leader() {
    return bytes("tidemark/" + clusterId + "/leader");
  }

  /** Who may lead; stays. */
  ByteSequence inSync() {
    return bytes("tidemark/" + clusterId + "/in_sync");
  }

  /** Written only to raise etcd's revision; outside of {@link #prefix}, so that no watch wakes. */
  ByteSequence raise() {
    return bytes("tidemark-raise/" + clusterId);
  }

  /** What {@link #leader} and {@link #inSync} begin with, and nothing else. */
  ByteSequence prefix() {
    return bytes("tidemark/" + clusterId + "/");
  }

  static ByteSequence bytes(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }
}
