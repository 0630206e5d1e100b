package io.tidemark.api.rpc;

import io.tidemark.api.Uuid;

/** Where one replica of an object lies, as clients see it (coro-rpc wire, section 6.4). */
public sealed interface ReplicaDescriptor {

  /** Replica id, unique in the life of the log. */
  long id();

  /** Raw {@link ReplicaStatus} number. */
  int status();

  /**
   * A range of a client's memory; {@code protocol} is "tcp" whatever transport the segment uses.
   */
  record Memory(
      long id,
      long sizeBytes,
      long bufferAddress,
      String protocol,
      String transportEndpoint,
      int status)
      implements ReplicaDescriptor {}

  /** A range of an NVMe-oF segment. */
  record Nof(
      long id,
      long sizeBytes,
      long bufferAddress,
      String protocol,
      String transportEndpoint,
      int status)
      implements ReplicaDescriptor {}

  /** A file on a shared file system. */
  record Disk(long id, String filePath, long objectSizeBytes, int status)
      implements ReplicaDescriptor {}

  /** A file in one client's SSD pool. */
  record LocalDisk(
      long id, Uuid clientId, long objectSizeBytes, String transportEndpoint, int status)
      implements ReplicaDescriptor {}

  /** A slot in a shared distributed file. */
  record Dfs(
      long id,
      String filePath,
      long offset,
      long objectSizeBytes,
      long alignedSizeBytes,
      int shardIdx,
      int status)
      implements ReplicaDescriptor {}
}
