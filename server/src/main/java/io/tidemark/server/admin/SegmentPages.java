package io.tidemark.server.admin;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.WireText;
import io.tidemark.api.rpc.SegmentStatus;
import io.tidemark.core.MasterView;
import io.tidemark.core.MasterView.SegmentView;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/** Inspection of segments, straight from the view. */
final class SegmentPages {

  private static final double BYTES_PER_GIB = 1L << 30;

  /** Most available first; what a name with several segments shows. */
  private static final List<SegmentStatus> BY_AVAILABILITY =
      List.of(
          SegmentStatus.OK,
          SegmentStatus.DRAINING,
          SegmentStatus.GRACEFULLY_UNMOUNTING,
          SegmentStatus.DRAINED,
          SegmentStatus.UNMOUNTING,
          SegmentStatus.UNDEFINED);

  private final MasterView view;

  SegmentPages(MasterView view) {
    this.view = view;
  }

  AdminResponse allSegments(AdminRequest request) {
    StringBuilder names = new StringBuilder();
    view.segments().stream()
        .filter(segment -> segment.status() == SegmentStatus.OK)
        .map(segment -> segment.info().name())
        .distinct()
        .forEach(name -> names.append(name).append('\n'));
    return AdminResponse.text(200, names.toString());
  }

  AdminResponse details(AdminRequest request) {
    List<SegmentView> segments = view.segments();
    StringJoiner items = new StringJoiner(",", "[", "]");
    segments.forEach(segment -> items.add(detail(segment)));
    return AdminResponse.json(
        200, "{\"total_segments\":" + segments.size() + ",\"segments\":" + items + "}");
  }

  private static String detail(SegmentView segment) {
    long sizeBytes = segment.info().sizeBytes();
    double percent = sizeBytes == 0 ? 0 : segment.allocatedBytes() * 100.0 / sizeBytes;
    return "{\"segment_name\":"
        + Json.quotedWire(segment.info().name())
        + ",\"segment_id\":\""
        + segment.info().id()
        + "\",\"client_id\":\""
        + segment.clientId()
        + "\",\"base_address\":\"0x"
        + Long.toHexString(segment.info().base())
        + "\",\"size_bytes\":"
        + sizeBytes
        + ",\"size_human\":\""
        + Json.plain(sizeBytes / BYTES_PER_GIB)
        + " GiB\",\"te_endpoint\":"
        + Json.quotedWire(segment.info().teEndpoint())
        + ",\"protocol\":"
        + Json.quotedWire(segment.info().protocol())
        + ",\"status\":\""
        + segment.status().name()
        + "\",\"allocator_used_bytes\":"
        + segment.allocatedBytes()
        + ",\"allocator_capacity_bytes\":"
        + sizeBytes
        + ",\"allocator_usage_percent\":"
        + Json.scientific(percent)
        + "}";
  }

  AdminResponse usage(AdminRequest request) {
    List<SegmentView> named = named(request.rawParameter("segment").orElse(""));
    if (named.isEmpty()) {
      return AdminResponse.text(500, "Failed to query segment");
    }
    long used = named.stream().mapToLong(SegmentView::allocatedBytes).sum();
    long capacity = named.stream().mapToLong(segment -> segment.info().sizeBytes()).sum();
    return AdminResponse.text(
        200,
        named.get(0).info().name()
            + "\nUsed(bytes): "
            + used
            + "\nCapacity(bytes) : "
            + capacity
            + "\n");
  }

  AdminResponse status(AdminRequest request) {
    Optional<String> name = request.parameter("segment").filter(text -> !text.isEmpty());
    if (name.isEmpty()) {
      return AdminResponse.badRequest("Missing segment query parameter");
    }
    Optional<SegmentStatus> status =
        named(name.get()).stream()
            .map(SegmentView::status)
            .min(Comparator.comparingInt(BY_AVAILABILITY::indexOf));
    if (status.isEmpty()) {
      return AdminResponse.error(ErrorCode.SEGMENT_NOT_FOUND.value());
    }
    return AdminResponse.json(
        200,
        "{\"success\":true,\"segment\":"
            + Json.quoted(WireText.display(name.get()))
            + ",\"status\":"
            + status.get().code()
            + ",\"status_name\":\""
            + status.get().name()
            + "\",\"error_code\":0,\"error_message\":\"\"}");
  }

  private List<SegmentView> named(String wireName) {
    return view.segments().stream()
        .filter(segment -> segment.info().name().equals(wireName))
        .toList();
  }
}
