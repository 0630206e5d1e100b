package io.tidemark.core.object;

import io.tidemark.api.Uuid;
import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.state.ObjectView;
import io.tidemark.core.table.ObjectCursor;
import java.util.Map;

/** What is under a cursor, as a snapshot wants it: groups by their id. Moves with the cursor. */
public final class ObjectExport implements ObjectView {
  private final ObjectCursor object;
  private final Map<Integer, String> groupIds;

  /**
   * @param groupIds names the groups by their number
   */
  public ObjectExport(ObjectCursor object, Map<Integer, String> groupIds) {
    this.object = object;
    this.groupIds = groupIds;
  }

  @Override
  public void writeKey(EventBuffer out) {
    object.writeKey(out);
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
    return object.hasChecksum();
  }

  @Override
  public long checksum() {
    return object.checksum();
  }

  @Override
  public long pinDeadlineMs() {
    return object.pinDeadlineMs();
  }

  @Override
  public String groupId() {
    return object.groupNumber() == 0 ? "" : groupIds.get(object.groupNumber());
  }

  @Override
  public boolean isHardPinned() {
    return object.isHardPinned();
  }

  @Override
  public boolean isWriting() {
    return object.isWriting();
  }

  @Override
  public boolean isReissued() {
    return object.isReissued();
  }

  @Override
  public int dataType() {
    return object.dataType();
  }

  @Override
  public int replicaCount() {
    return object.replicaCount();
  }

  @Override
  public long replicaId(int i) {
    return object.replicaId(i);
  }

  @Override
  public int replicaKind(int i) {
    return object.replicaKind(i);
  }

  @Override
  public int replicaSegment(int i) {
    return object.replicaSegment(i);
  }

  @Override
  public long replicaOffset(int i) {
    return object.replicaOffset(i);
  }

  @Override
  public long replicaBlock(int i) {
    return object.replicaBlock(i);
  }

  @Override
  public int replicaStatus(int i) {
    return object.replicaStatus(i);
  }
}
