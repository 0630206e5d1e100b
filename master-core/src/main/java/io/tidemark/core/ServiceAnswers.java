package io.tidemark.core;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.SegmentStatus;
import io.tidemark.core.segment.MountedSegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Answers of calls about the service, its segments and its clients. Any thread. */
final class ServiceAnswers {
  private final Contexts contexts;

  ServiceAnswers(Contexts contexts) {
    this.contexts = contexts;
  }

  Reply answer(Request.Query query) {
    if (query instanceof Request.NoArguments call) {
      return withoutArguments(call);
    } else if (query instanceof Request.QuerySegmentStatus call) {
      SegmentStatus status = contexts.state().segments().statusOf(call.segmentName());
      return status == null ? Reply.error(ErrorCode.SEGMENT_NOT_FOUND) : Reply.ok(status);
    } else if (query instanceof Request.QuerySegmentStatusById call) {
      return statusById(call.segmentId());
    } else if (query instanceof Request.BatchQueryIp call) {
      return Reply.ok(addresses(call.clientIds()));
    } else if (query instanceof Request.FetchTasks) {
      return Reply.ok(List.of());
    } else if (query instanceof Request.Unserved call) {
      return Replies.refuse(call, ErrorCode.NOT_SUPPORTED);
    }
    throw new IllegalStateException("no answer for " + query.rpc());
  }

  private Reply withoutArguments(Request.NoArguments call) {
    MasterConfig config = contexts.config();
    String fsdir = contexts.diskPaths().fsdir();
    return switch (call.rpc()) {
      case SERVICE_READY -> Reply.ok(config.serviceVersion());
      case GET_FSDIR -> Reply.ok(fsdir);
      case GET_STORAGE_CONFIG ->
          Reply.ok(
              new Reply.StorageConfig(fsdir, config.enableDiskEviction(), config.quotaBytes()));
      default -> Reply.error(ErrorCode.NOT_SUPPORTED);
    };
  }

  private Reply statusById(Uuid id) {
    for (MountedSegment segment : contexts.state().segments().snapshot()) {
      if (segment.info().id().equals(id)) {
        return Reply.ok(segment.status());
      }
    }
    return Reply.error(ErrorCode.SEGMENT_NOT_FOUND);
  }

  /** Host parts of the endpoints of each client that has segments; unknown clients are left out. */
  private List<Reply.ClientAddresses> addresses(List<Uuid> clientIds) {
    List<Reply.ClientAddresses> found = new ArrayList<>();
    for (Uuid id : new LinkedHashSet<>(clientIds)) {
      Set<String> hosts = new LinkedHashSet<>();
      boolean known = false;
      for (MountedSegment segment : contexts.state().segments().segmentsOf(id)) {
        known = true;
        String host = hostOf(segment.info().teEndpoint());
        if (!host.isEmpty()) {
          hosts.add(host);
        }
      }
      if (known) {
        found.add(new Reply.ClientAddresses(id, List.copyOf(hosts)));
      }
    }
    return found;
  }

  /**
   * Host part of {@code host:port}; brackets around an IPv6 address are dropped, a bare one is kept
   * whole.
   */
  static String hostOf(String endpoint) {
    if (endpoint.startsWith("[")) {
      int close = endpoint.indexOf(']');
      return close < 0 ? endpoint : endpoint.substring(1, close);
    }
    int colon = endpoint.lastIndexOf(':');
    if (colon < 0) {
      return endpoint;
    }
    boolean bareIpv6 = endpoint.indexOf(':') != colon && !endpoint.contains("%");
    return bareIpv6 ? endpoint : endpoint.substring(0, colon);
  }
}
