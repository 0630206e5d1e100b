package io.tidemark.tools;

/**
 * On which mount each live memory replica lies: a map from replica id to mount number in two
 * primitive arrays, some 30 bytes a replica, so that a log of many millions of objects can be
 * followed.
 */
final class ReplicaMounts {
  /** Answer for a replica that is unknown or not in memory; mounts are numbered from 1. */
  static final int NONE = 0;

  private static final long EMPTY = 0;

  private long[] ids = new long[1024];
  private int[] mounts = new int[1024];
  private int size;

  /** Adds a replica; ids are above 0 and never used twice. */
  void put(long replicaId, int mount) {
    if ((size + 1) * 2L > ids.length) {
      grow();
    }
    insert(replicaId, mount);
    size++;
  }

  /** Takes a replica out; returns its mount, or {@link #NONE}. */
  int remove(long replicaId) {
    int mask = ids.length - 1;
    int gap = home(replicaId, mask);
    while (ids[gap] != replicaId) {
      if (ids[gap] == EMPTY) {
        return NONE;
      }
      gap = gap + 1 & mask;
    }
    int mount = mounts[gap];
    for (int at = gap + 1 & mask; ids[at] != EMPTY; at = at + 1 & mask) {
      if ((at - home(ids[at], mask) & mask) >= (at - gap & mask)) {
        ids[gap] = ids[at];
        mounts[gap] = mounts[at];
        gap = at;
      }
    }
    ids[gap] = EMPTY;
    size--;
    return mount;
  }

  int size() {
    return size;
  }

  private void insert(long replicaId, int mount) {
    int mask = ids.length - 1;
    int at = home(replicaId, mask);
    while (ids[at] != EMPTY) {
      at = at + 1 & mask;
    }
    ids[at] = replicaId;
    mounts[at] = mount;
  }

  private void grow() {
    long[] oldIds = ids;
    int[] oldMounts = mounts;
    ids = new long[oldIds.length * 2];
    mounts = new int[ids.length];
    for (int i = 0; i < oldIds.length; i++) {
      if (oldIds[i] != EMPTY) {
        insert(oldIds[i], oldMounts[i]);
      }
    }
  }

  private static int home(long replicaId, int mask) {
    long hash = replicaId * 0x9E3779B97F4A7C15L;
    return (int) (hash >>> 32) & mask;
  }
}
