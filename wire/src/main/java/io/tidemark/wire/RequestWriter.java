package io.tidemark.wire;

import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.api.rpc.SoftPinAction;
import io.tidemark.wire.schema.WireProfile;
import java.util.List;
import java.util.OptionalLong;

/** Writes the payload of one request: the mirror of {@link RequestReader}. */
final class RequestWriter {

  /** Members of ReplicateConfig behind the payload in v0.3.14 (coro-rpc wire, section 8.3). */
  private static final int CONFIG_EXTENSIONS = 4;

  private static final int SEGMENT_EXTENSIONS = 1;

  private final RequestLayout layout;
  private final boolean extensions;
  private final WireBuffer out;

  RequestWriter(WireProfile profile, WireBuffer out) {
    this.layout = RequestLayout.of(profile);
    this.extensions = profile == WireProfile.V0_3_14;
    this.out = out;
  }

  void write(Request request) {
    if (request instanceof Request.Query query) {
      query(query);
    } else if (request instanceof Request.WriteStart start) {
      writeStart(start);
    } else if (request instanceof Request.BatchWriteStart start) {
      batchWriteStart(start);
    } else if (request instanceof Request.WriteEnd end) {
      out.putUuid(end.clientId());
      keyAndChecksum(end.key(), end.checksum());
      out.putInt(end.replicaType());
      tenant(end.tenant());
    } else if (request instanceof Request.BatchWriteEnd end) {
      batchWriteEnd(end);
    } else if (request instanceof Request.WriteRevoke revoke) {
      out.putUuid(revoke.clientId());
      out.putText(revoke.key());
      out.putInt(revoke.replicaType());
      tenant(revoke.tenant());
    } else if (request instanceof Request.BatchWriteRevoke revoke) {
      out.putUuid(revoke.clientId());
      texts(revoke.keys());
      batchReplicaType(revoke.rpc(), revoke.replicaType());
      tenant(revoke.tenant());
    } else if (request instanceof Request.Ping ping) {
      out.putUuid(ping.clientId());
    } else {
      removalOrSegmentCall(request);
    }
  }

  private void query(Request.Query query) {
    if (query instanceof Request.ExistKey exist) {
      out.putText(exist.key());
      tenant(exist.tenant());
    } else if (query instanceof Request.BatchExistKey exist) {
      batchExist(exist);
    } else if (query instanceof Request.GetReplicaList get) {
      out.putText(get.key());
      tenant(get.tenant());
    } else if (query instanceof Request.BatchGetReplicaList get) {
      texts(get.keys());
      tenant(get.tenant());
    } else if (query instanceof Request.GetReplicaListByRegex get) {
      out.putText(get.regex());
      tenant(get.tenant());
    } else if (query instanceof Request.QuerySegmentStatus status) {
      out.putText(status.segmentName());
    } else if (query instanceof Request.QuerySegmentStatusById status) {
      out.putUuid(status.segmentId());
    } else if (query instanceof Request.BatchQueryIp ips) {
      out.putSize(ips.clientIds().size());
      ips.clientIds().forEach(out::putUuid);
    } else {
      Request.FetchTasks fetch = (Request.FetchTasks) query;
      out.putUuid(fetch.clientId());
      out.putLong(fetch.batchSize());
    }
  }

  private void removalOrSegmentCall(Request request) {
    if (request instanceof Request.Remove remove) {
      out.putText(remove.key());
      out.putBool(remove.force());
      tenant(remove.tenant());
    } else if (request instanceof Request.RemoveByRegex remove) {
      out.putText(remove.regex());
      out.putBool(remove.force());
      tenant(remove.tenant());
    } else if (request instanceof Request.RemoveAll remove) {
      out.putBool(remove.force());
      tenant(remove.tenant());
    } else if (request instanceof Request.BatchRemove remove) {
      texts(remove.keys());
      out.putBool(remove.force());
      tenant(remove.tenant());
    } else if (request instanceof Request.BatchReplicaClear clear) {
      batchReplicaClear(clear);
    } else if (request instanceof Request.MountSegment mount) {
      segment(mount.segment());
      out.putUuid(mount.clientId());
      extensions(SEGMENT_EXTENSIONS);
    } else if (request instanceof Request.ReMountSegment mount) {
      out.putSize(mount.segments().size());
      mount.segments().forEach(this::segment);
      out.putUuid(mount.clientId());
      extensions(SEGMENT_EXTENSIONS * mount.segments().size());
    } else if (request instanceof Request.UnmountSegment unmount) {
      out.putUuid(unmount.segmentId());
      out.putUuid(unmount.clientId());
    } else {
      Request.GracefulUnmountSegment unmount = (Request.GracefulUnmountSegment) request;
      out.putUuid(unmount.segmentId());
      out.putUuid(unmount.clientId());
      out.putLong(unmount.gracePeriodMs());
    }
  }

  private void tenant(String tenant) {
    if (layout.tenants()) {
      out.putText(tenant);
    }
  }

  private void texts(List<String> texts) {
    out.putSize(texts.size());
    texts.forEach(out::putText);
  }

  private void batchExist(Request.BatchExistKey exist) {
    if (exist.rpc() == Rpc.BATCH_PROBE_KEY) {
      // ExistOptions is a memory image: the byte, seven bytes of padding, the number.
      out.putLong(exist.probePolicy());
      out.putLong(exist.candidateSize());
    }
    texts(exist.keys());
    tenant(exist.tenant());
  }

  private void batchReplicaClear(Request.BatchReplicaClear clear) {
    texts(clear.keys());
    out.putUuid(clear.clientId());
    out.putText(clear.segmentName());
    if (layout.clearTenant()) {
      out.putText(clear.tenant());
    }
  }

  private void writeStart(Request.WriteStart start) {
    out.putUuid(start.clientId());
    out.putText(start.key());
    out.putLong(start.sliceLength());
    config(start.config());
    tenant(start.tenant());
    extensions(CONFIG_EXTENSIONS);
  }

  private void batchWriteStart(Request.BatchWriteStart start) {
    out.putUuid(start.clientId());
    texts(start.keys());
    out.putSize(start.sliceLengths().length);
    for (long length : start.sliceLengths()) {
      out.putLong(length);
    }
    config(start.config());
    tenant(start.tenant());
    extensions(CONFIG_EXTENSIONS);
  }

  private void batchWriteEnd(Request.BatchWriteEnd end) {
    out.putUuid(end.clientId());
    List<String> keys = end.keys();
    out.putSize(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      keyAndChecksum(keys.get(i), end.checksums().get(i));
    }
    batchReplicaType(end.rpc(), end.replicaType());
    tenant(end.tenant());
  }

  private void keyAndChecksum(String key, OptionalLong checksum) {
    out.putText(key);
    if (layout.main()) {
      optionalLong(checksum);
    }
  }

  private void optionalLong(OptionalLong value) {
    out.putBool(value.isPresent());
    value.ifPresent(out::putLong);
  }

  private void batchReplicaType(Rpc rpc, int replicaType) {
    if (layout.namesReplicaType(rpc)) {
      out.putInt(replicaType);
    }
  }

  private void config(ReplicateConfig config) {
    out.putLong(config.replicaNum());
    if (layout.nof()) {
      out.putLong(config.nofReplicaNum());
    }
    if (layout.main()) {
      out.putLong(config.dfsReplicaNum());
      out.putByte(config.softPinAction());
      optionalLong(config.softPinTtlMs());
    } else {
      out.putBool(config.softPinAction() == SoftPinAction.ENABLE.ordinal());
    }
    out.putBool(config.hardPin());
    texts(config.preferredSegments());
    out.putText(config.preferredSegment());
    if (layout.nof()) {
      texts(config.preferredNofSegments());
    }
    out.putBool(config.preferAllocInSameNode());
    if (layout.nof()) {
      out.putByte(config.dataType());
    }
    if (layout.tenants()) {
      out.putText(config.hostId());
      out.putBool(config.groupIds().isPresent());
      config.groupIds().ifPresent(this::texts);
    }
  }

  private void segment(SegmentInfo segment) {
    out.putUuid(segment.id());
    out.putText(segment.name());
    out.putLong(segment.base());
    out.putLong(segment.sizeBytes());
    out.putText(segment.teEndpoint());
    out.putText(segment.protocol());
    if (layout.tenants()) {
      out.putText(segment.hostId());
    }
  }

  /** Members behind the payload, all absent. */
  private void extensions(int count) {
    for (int i = 0; extensions && i < count; i++) {
      out.putByte(0);
    }
  }
}
