package io.tidemark.api.state;

import io.tidemark.api.Uuid;
import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.event.FieldCodec;
import io.tidemark.api.state.StateRecord.StoredObject;

/** A state record as a view. */
record RecordView(StoredObject object) implements ObjectView {
  @Override
  public void writeKey(EventBuffer out) {
    FieldCodec.writeKey(object.key(), out);
  }

  @Override
  public Uuid clientId() {
    return object.clientId();
  }

  @Override
  public long sizeBytes() {
    return object.sizeBytes();
  }

  @Override
  public long startMs() {
    return object.startMs();
  }

  @Override
  public long lastIndex() {
    return object.lastIndex();
  }

  @Override
  public long leaseUntilMs() {
    return object.leaseUntilMs();
  }

  @Override
  public boolean hasChecksum() {
    return object.checksum().isPresent();
  }

  @Override
  public long checksum() {
    return object.checksum().orElse(0);
  }

  @Override
  public long pinDeadlineMs() {
    return object.pinDeadlineMs();
  }

  @Override
  public boolean isHardPinned() {
    return object.hardPin();
  }

  @Override
  public boolean isWriting() {
    return object.writing();
  }

  @Override
  public boolean isReissued() {
    return object.reissued();
  }

  @Override
  public int dataType() {
    return object.dataType();
  }

  @Override
  public int replicaCount() {
    return object.replicas().size();
  }

  @Override
  public long replicaId(int i) {
    return object.replicas().get(i).id();
  }

  @Override
  public int replicaKind(int i) {
    return object.replicas().get(i).kind();
  }

  @Override
  public int replicaSegment(int i) {
    return object.replicas().get(i).segmentNumber();
  }

  @Override
  public long replicaOffset(int i) {
    return object.replicas().get(i).offsetBytes();
  }

  @Override
  public long replicaBlock(int i) {
    return object.replicas().get(i).blockBytes();
  }

  @Override
  public int replicaStatus(int i) {
    return object.replicas().get(i).status();
  }
}
