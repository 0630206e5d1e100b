package io.tidemark.api.state;

import io.tidemark.api.Uuid;
import io.tidemark.api.event.EventBuffer;

/**
 * An object as its holder keeps it, so that a table can be written out without a copy of each
 * record as an object of its own. The fields are those of {@link StateRecord.StoredObject}, but for
 * the group, which a holder may know by a number.
 *
 * <p>Valid only while whoever hands it over says so; by one thread.
 */
public interface ObjectView {

  /** Appends tenant and key as {@link io.tidemark.api.event.FieldCodec#writeKey} does. */
  void writeKey(EventBuffer out);

  Uuid clientId();

  long sizeBytes();

  long startMs();

  long lastIndex();

  long leaseUntilMs();

  boolean hasChecksum();

  /** Of no meaning without {@link #hasChecksum}. */
  long checksum();

  long pinDeadlineMs();

  boolean isHardPinned();

  boolean isWriting();

  boolean isReissued();

  int dataType();

  int replicaCount();

  long replicaId(int i);

  /** A number of {@link io.tidemark.api.rpc.ReplicaType}. */
  int replicaKind(int i);

  int replicaSegment(int i);

  /** Offset from the segment's base. */
  long replicaOffset(int i);

  /** Bytes taken from the segment's pool. */
  long replicaBlock(int i);

  /** A number of {@link io.tidemark.api.rpc.ReplicaStatus}. */
  int replicaStatus(int i);
}
