package io.tidemark.core.object;

import io.tidemark.api.ObjectKey;
import io.tidemark.api.WireText;
import io.tidemark.core.table.ScopedKey;

/**
 * Files of DISK replicas: {@code root/cluster/d1/d2/name}, where d1 and d2 are letters from the
 * key's hash (objects specification, section 16.3). Clients write to the path they are told, so any
 * stable rule serves them; Mooncake's own hash is its C++ library's and is not reproduced.
 */
public final class DiskPaths {
  private final String rootFsDir;
  private final String clusterId;

  public DiskPaths(String rootFsDir, String clusterId) {
    this.rootFsDir = rootFsDir;
    this.clusterId = clusterId;
  }

  /** Whether objects get a DISK replica. */
  public boolean isEnabled() {
    return !rootFsDir.isEmpty();
  }

  /**
   * Root directory joined with the cluster id; empty without DISK replicas. What GetFsdir answers.
   */
  public String fsdir() {
    return isEnabled() ? rootFsDir + "/" + clusterId : "";
  }

  /** File of an object's DISK replica, a wire string. */
  public String of(ObjectKey key) {
    long hash = ScopedKey.of(key).hash();
    char d1 = (char) ('a' + (hash & 0xf));
    char d2 = (char) ('a' + (hash >>> 4 & 0xf));
    String tenant =
        key.tenant().equals(ObjectKey.DEFAULT_TENANT) ? "" : sanitise(key.tenant()) + "%2f";
    return fsdir() + "/" + d1 + "/" + d2 + "/" + tenant + sanitise(key.key());
  }

  private static String sanitise(String wire) {
    StringBuilder name = new StringBuilder(wire.length());
    for (byte b : WireText.bytes(wire)) {
      char c = (char) (b & 0xff);
      boolean plain =
          c >= 'a' && c <= 'z'
              || c >= 'A' && c <= 'Z'
              || c >= '0' && c <= '9'
              || c == '_'
              || c == '-';
      if (plain) {
        name.append(c);
      } else {
        name.append('%')
            .append(Character.forDigit(c >>> 4, 16))
            .append(Character.forDigit(c & 0xf, 16));
      }
    }
    return name.toString();
  }
}
