package io.tidemark.api.rpc;

/**
 * Mooncake's {@code ReplicaType} numbers. Requests carry the raw number: an unknown one is legal
 * input.
 */
public final class ReplicaType {
  public static final int MEMORY = 0;
  public static final int DISK = 1;
  public static final int LOCAL_DISK = 2;
  public static final int NOF_SSD = 3;

  /** Selector on End and Revoke: MEMORY, NOF_SSD and DFS, but neither DISK nor LOCAL_DISK. */
  public static final int ALL = 4;

  public static final int DFS = 100;

  private ReplicaType() {}
}
