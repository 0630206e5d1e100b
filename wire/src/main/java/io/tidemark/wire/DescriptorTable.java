package io.tidemark.wire;

import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.schema.WireProfile;
import io.tidemark.wire.schema.WireType.Expected;
import io.tidemark.wire.schema.WireType.Field;
import io.tidemark.wire.schema.WireType.Struct;
import io.tidemark.wire.schema.WireType.Variant;
import io.tidemark.wire.schema.WireType.Vec;
import java.util.List;
import java.util.Optional;

/** Variant indexes of replica descriptors in one release (coro-rpc wire, section 6.4). */
final class DescriptorTable {

  /** A kind of descriptor; the name is that of the alternative in the schema. */
  enum Kind {
    MEMORY("MemoryDescriptor"),
    NOF("NoFDescriptor"),
    DISK("DiskDescriptor"),
    LOCAL_DISK("LocalDiskDescriptor"),
    DFS("DistributedFSDescriptor");

    private final String alternative;

    Kind(String alternative) {
      this.alternative = alternative;
    }
  }

  private static final int ABSENT = -1;
  private static final DescriptorTable[] TABLES = new DescriptorTable[WireProfile.values().length];

  static {
    for (WireProfile profile : WireProfile.values()) {
      TABLES[profile.ordinal()] = new DescriptorTable(profile);
    }
  }

  private final int[] indexByKind = new int[Kind.values().length];
  private final List<Kind> kindByIndex;

  private DescriptorTable(WireProfile profile) {
    kindByIndex = alternatives(profile).stream().map(DescriptorTable::kindOf).toList();
    for (Kind kind : Kind.values()) {
      indexByKind[kind.ordinal()] = kindByIndex.indexOf(kind);
    }
  }

  static DescriptorTable of(WireProfile profile) {
    return TABLES[profile.ordinal()];
  }

  private static List<Field> alternatives(WireProfile profile) {
    Expected result = (Expected) profile.signature(Rpc.PUT_START).orElseThrow().result().type();
    Struct descriptor = (Struct) ((Vec) result.value().orElseThrow()).element();
    return descriptor.fields().stream()
        .filter(field -> field.type() instanceof Variant)
        .map(field -> ((Variant) field.type()).alternatives())
        .findFirst()
        .orElseThrow();
  }

  private static Kind kindOf(Field alternative) {
    for (Kind kind : Kind.values()) {
      if (kind.alternative.equals(alternative.name())) {
        return kind;
      }
    }
    throw new IllegalStateException("no descriptor record for " + alternative.name());
  }

  static Kind kindOf(ReplicaDescriptor descriptor) {
    if (descriptor instanceof ReplicaDescriptor.Memory) {
      return Kind.MEMORY;
    } else if (descriptor instanceof ReplicaDescriptor.LocalDisk) {
      return Kind.LOCAL_DISK;
    } else if (descriptor instanceof ReplicaDescriptor.Disk) {
      return Kind.DISK;
    } else if (descriptor instanceof ReplicaDescriptor.Nof) {
      return Kind.NOF;
    }
    return Kind.DFS;
  }

  /** The alternative of a wire index, empty if the release has no such index. */
  Optional<Kind> kindAt(int index) {
    return index < kindByIndex.size() ? Optional.of(kindByIndex.get(index)) : Optional.empty();
  }

  /** The wire index of an alternative that the release {@link #expresses}. */
  int indexOf(Kind kind) {
    return indexByKind[kind.ordinal()];
  }

  /** Whether the release can express the descriptor; if not it must be left out. */
  boolean expresses(ReplicaDescriptor descriptor) {
    return indexByKind[kindOf(descriptor).ordinal()] != ABSENT;
  }

  /** How many descriptors of the list the release can express. */
  int expressible(List<ReplicaDescriptor> descriptors) {
    int count = 0;
    for (int i = 0; i < descriptors.size(); i++) {
      count += expresses(descriptors.get(i)) ? 1 : 0;
    }
    return count;
  }
}
