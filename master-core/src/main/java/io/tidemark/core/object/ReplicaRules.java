package io.tidemark.core.object;

import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.core.segment.MountedSegment;
import io.tidemark.core.segment.SegmentTable;
import io.tidemark.core.table.ObjectCursor;
import java.util.ArrayList;
import java.util.List;

/**
 * What counts as valid and readable, and how replicas look to clients (objects specification,
 * sections 2.3, 2.4, 4.1).
 *
 * <p>Any thread that holds the record's stripe lock.
 */
public final class ReplicaRules {
  /** What Mooncake writes as protocol whatever transport the segment uses. */
  private static final String PROTOCOL = "tcp";

  private final SegmentTable segments;
  private final DiskPaths diskPaths;

  public ReplicaRules(SegmentTable segments, DiskPaths diskPaths) {
    this.segments = segments;
    this.diskPaths = diskPaths;
  }

  /** Whether the handle of replica {@code i} still means something, whatever its status. */
  public boolean isValid(ObjectCursor object, int i) {
    if (object.replicaKind(i) != ReplicaType.MEMORY) {
      return true;
    }
    MountedSegment segment = segments.get(object.replicaSegment(i));
    return segment != null && segment.isValid();
  }

  /** Whether readers may be shown replica {@code i}. */
  public boolean isReadable(ObjectCursor object, int i) {
    if (!object.isComplete(i)) {
      return false;
    }
    if (object.replicaKind(i) != ReplicaType.MEMORY) {
      return true;
    }
    MountedSegment segment = segments.get(object.replicaSegment(i));
    return segment != null && segment.isReadable();
  }

  /**
   * Whether the object is there at all; one without a valid replica is treated as absent
   * everywhere.
   */
  public boolean isPresent(ObjectCursor object) {
    for (int i = 0; i < object.replicaCount(); i++) {
      if (isValid(object, i)) {
        return true;
      }
    }
    return false;
  }

  /** Whether any valid replica is COMPLETE. */
  public boolean hasComplete(ObjectCursor object) {
    for (int i = 0; i < object.replicaCount(); i++) {
      if (object.isComplete(i) && isValid(object, i)) {
        return true;
      }
    }
    return false;
  }

  /** Whether every valid replica is COMPLETE. */
  public boolean isAllComplete(ObjectCursor object) {
    for (int i = 0; i < object.replicaCount(); i++) {
      if (!object.isComplete(i) && isValid(object, i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether any replica is readable. */
  public boolean hasReadable(ObjectCursor object) {
    for (int i = 0; i < object.replicaCount(); i++) {
      if (isReadable(object, i)) {
        return true;
      }
    }
    return false;
  }

  /** Whether eviction could free memory of the object: a readable memory replica. */
  public boolean hasEvictable(ObjectCursor object) {
    for (int i = 0; i < object.replicaCount(); i++) {
      if (object.replicaKind(i) == ReplicaType.MEMORY && isReadable(object, i)) {
        return true;
      }
    }
    return false;
  }

  /** Descriptors of the readable replicas in stored order. */
  public List<ReplicaDescriptor> readable(ObjectCursor object) {
    int count = object.replicaCount();
    List<ReplicaDescriptor> shown = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      if (isReadable(object, i)) {
        shown.add(describe(object, i));
      }
    }
    return shown;
  }

  /** Descriptors of all valid replicas, as a Start answers them. */
  public List<ReplicaDescriptor> valid(ObjectCursor object) {
    List<ReplicaDescriptor> all = new ArrayList<>(object.replicaCount());
    for (int i = 0; i < object.replicaCount(); i++) {
      if (isValid(object, i)) {
        all.add(describe(object, i));
      }
    }
    return all;
  }

  private ReplicaDescriptor describe(ObjectCursor object, int i) {
    long id = object.replicaId(i);
    int status = object.replicaStatus(i);
    if (object.replicaKind(i) == ReplicaType.DISK) {
      return new ReplicaDescriptor.Disk(
          id, diskPaths.of(object.objectKey()), object.sizeBytes(), status);
    }
    MountedSegment segment = segments.get(object.replicaSegment(i));
    return new ReplicaDescriptor.Memory(
        id,
        object.sizeBytes(),
        segment.info().base() + object.replicaOffset(i),
        PROTOCOL,
        segment.info().teEndpoint(),
        status);
  }
}
