package io.tidemark.api.event;

import io.tidemark.api.ObjectKey;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.api.rpc.SoftPinAction;

/** Layouts of fields that events and state records share. */
public final class FieldCodec {

  private FieldCodec() {}

  /** Tenant first; empty stands for the default one, which nearly every object has. */
  public static void writeKey(ObjectKey key, EventBuffer out) {
    out.putText(key.tenant().equals(ObjectKey.DEFAULT_TENANT) ? "" : key.tenant());
    out.putText(key.key());
  }

  /** Reads what {@link #writeKey} wrote. */
  public static ObjectKey readKey(EventBuffer in) {
    String tenant = in.getText();
    return new ObjectKey(tenant.isEmpty() ? ObjectKey.DEFAULT_TENANT : tenant, in.getText());
  }

  /** All fields of a segment in declaration order. */
  public static void writeSegment(SegmentInfo segment, EventBuffer out) {
    out.putUuid(segment.id());
    out.putText(segment.name());
    out.putLong(segment.base());
    out.putLong(segment.sizeBytes());
    out.putText(segment.teEndpoint());
    out.putText(segment.protocol());
    out.putText(segment.hostId());
  }

  /** Reads what {@link #writeSegment} wrote. */
  public static SegmentInfo readSegment(EventBuffer in) {
    return new SegmentInfo(
        in.getUuid(),
        in.getText(),
        in.getLong(),
        in.getLong(),
        in.getText(),
        in.getText(),
        in.getText());
  }

  /**
   * Reads a soft pin action byte.
   *
   * @throws IllegalStateException if no release defines it
   */
  public static SoftPinAction readAction(EventBuffer in) {
    int code = in.getByte();
    return SoftPinAction.of(code)
        .orElseThrow(
            () -> new IllegalStateException("unknown soft pin action " + code + " in a record"));
  }
}
