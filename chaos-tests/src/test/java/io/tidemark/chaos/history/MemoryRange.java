package io.tidemark.chaos.history;

import io.tidemark.api.rpc.ReplicaDescriptor;
import java.util.List;

/** A range of a lent segment, as clients are told it. */
public record MemoryRange(String endpoint, long address, long sizeBytes) {

  /** The range of an object with one replica in memory. */
  public static MemoryRange of(List<?> replicas) {
    if (replicas.size() != 1 || !(replicas.get(0) instanceof ReplicaDescriptor.Memory memory)) {
      throw new IllegalStateException("not one replica in memory: " + replicas);
    }
    return new MemoryRange(memory.transportEndpoint(), memory.bufferAddress(), memory.sizeBytes());
  }

  boolean overlaps(MemoryRange other) {
    return endpoint.equals(other.endpoint)
        && address < other.address + other.sizeBytes
        && other.address < address + sizeBytes;
  }

  @Override
  public String toString() {
    return String.format("%s 0x%x+%d", endpoint, address, sizeBytes);
  }
}
