package io.tidemark.chaos.conformance;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.chaos.conformance.LooseOp.Kind;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Does the loose arm's operations to one master and notes what it answers. */
final class LooseRun {
  private static final String TENANT = "default";
  private static final int MOST_TRIES = 40;
  private static final long RETRY_MS = 25;
  private static final long DAY_MS = 86_400_000;
  private static final Uuid CLIENT = new Uuid(0x1005E, 1);

  private final Side master;
  private final LooseLedger ledger;

  LooseRun(Side master, long leaseMs) {
    this.master = master;
    this.ledger = new LooseLedger(leaseMs, this::read);
  }

  LooseLedger run(List<LooseOp> ops) {
    mount();
    for (LooseOp op : ops) {
      switch (op.kind()) {
        case GET -> get(op.key());
        case EXIST -> exist(op.key());
        case REMOVE -> remove(op.key());
        case UPSERT -> write(op, Rpc.UPSERT_START);
        default -> write(op, Rpc.PUT_START);
      }
    }
    ledger.takeStock();
    return ledger;
  }

  private void mount() {
    for (int i = 0; i < LooseOp.SEGMENTS; i++) {
      String endpoint = "127.0.0.1:" + (16_000 + i);
      long base = 0x3000_0000_0000L + i * 4 * LooseOp.SEGMENT_BYTES;
      SegmentInfo segment =
          new SegmentInfo(
              new Uuid(0x1005E, 10 + i),
              endpoint,
              base,
              LooseOp.SEGMENT_BYTES,
              endpoint,
              "tcp",
              "");
      if (!one(new Request.MountSegment(segment, CLIENT)).isOk()) {
        throw new AssertionError("a mount was refused");
      }
      ledger.mounted(segment);
    }
  }

  private Result<?> one(Request request) {
    Reply reply = master.call(0, request);
    if (reply instanceof Reply.One one) {
      return one.result();
    }
    throw new AssertionError(request + " was answered with " + reply);
  }

  private Optional<List<ReplicaDescriptor>> read(String key) {
    Result<?> result = one(new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, key, TENANT));
    return result.isOk()
        ? Optional.of(((Reply.ReplicaList) result.value()).replicas())
        : Optional.empty();
  }

  private void get(String key) {
    ledger.wasRead(key, read(key));
  }

  private void exist(String key) {
    Result<?> result = one(new Request.ExistKey(Rpc.EXIST_KEY, key, TENANT));
    ledger.existed(key, Boolean.TRUE.equals(result.value()));
  }

  private void remove(String key) {
    ledger.removed(key, one(new Request.Remove(key, false, TENANT)).code());
  }

  /** As clients do, a write that finds no memory is tried again a little later. */
  private Result<?> start(LooseOp op, Rpc rpc) {
    Request request =
        new Request.WriteStart(rpc, CLIENT, op.key(), op.sizeBytes(), config(op), TENANT);
    Result<?> started = one(request);
    for (int i = 0; i < MOST_TRIES && !started.isOk(); i++) {
      boolean full = started.code() == ErrorCode.NO_AVAILABLE_HANDLE.value();
      ledger.refused(op, full);
      if (!full) {
        return started;
      }
      ProtocolWait.until(ProtocolWait.nowMs() + RETRY_MS);
      started = one(request);
    }
    return started;
  }

  private void write(LooseOp op, Rpc rpc) {
    Result<?> started = start(op, rpc);
    if (!started.isOk()) {
      ledger.gaveUp();
      return;
    }
    List<ReplicaDescriptor> replicas =
        ((List<?>) started.value()).stream().map(ReplicaDescriptor.class::cast).toList();
    ledger.started(op, replicas);
    if (op.kind() == Kind.PUT_LEFT_OPEN) {
      return;
    }
    if (op.kind() == Kind.PUT_REVOKED) {
      ledger.revoked(
          op.key(),
          one(new Request.WriteRevoke(Rpc.PUT_REVOKE, CLIENT, op.key(), ReplicaType.ALL, TENANT))
              .code());
      return;
    }
    ledger.ended(
        op.key(),
        one(new Request.WriteEnd(
                Rpc.PUT_END, CLIENT, op.key(), OptionalLong.empty(), ReplicaType.MEMORY, TENANT))
            .code());
  }

  private static ReplicateConfig config(LooseOp op) {
    boolean soft = op.kind() == Kind.PUT_SOFT_PINNED;
    return new ReplicateConfig(
        op.replicas(),
        0,
        0,
        soft ? 1 : 0,
        soft ? OptionalLong.of(DAY_MS) : OptionalLong.empty(),
        op.kind() == Kind.PUT_HARD_PINNED,
        List.of(),
        "",
        List.of(),
        false,
        0,
        "",
        Optional.empty());
  }
}
