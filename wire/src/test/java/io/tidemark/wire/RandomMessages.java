package io.tidemark.wire;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ClientStatus;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Supplier;

/** Random requests and replies with a bias to the borders of size widths; seeded. */
final class RandomMessages {

  private static final int[] SIZES = {0, 1, 2, 3, 7, 20, 20, 20, 20, 255, 256, 300};

  private final Random random;

  RandomMessages(long seed) {
    random = new Random(seed);
  }

  private boolean coin() {
    return random.nextBoolean();
  }

  String text() {
    int length = random.nextInt(500) == 0 ? 65_536 : SIZES[random.nextInt(SIZES.length)];
    StringBuilder text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append((char) random.nextInt(256));
    }
    return text.toString();
  }

  private String tenant() {
    return coin() ? "default" : text();
  }

  Uuid uuid() {
    return new Uuid(random.nextLong(), random.nextLong());
  }

  private int count() {
    return random.nextInt(40) == 0 ? SIZES[random.nextInt(SIZES.length)] : random.nextInt(5);
  }

  private <T> List<T> list(Supplier<T> element) {
    return list(count(), element);
  }

  private <T> List<T> list(int count, Supplier<T> element) {
    List<T> list = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      list.add(element.get());
    }
    return list;
  }

  private OptionalLong optionalLong() {
    return coin() ? OptionalLong.of(random.nextLong()) : OptionalLong.empty();
  }

  private ReplicateConfig config() {
    return new ReplicateConfig(
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        random.nextInt(256),
        optionalLong(),
        coin(),
        list(this::text),
        text(),
        list(this::text),
        coin(),
        random.nextInt(256),
        text(),
        coin() ? Optional.of(list(this::text)) : Optional.empty());
  }

  SegmentInfo segment() {
    return new SegmentInfo(
        uuid(), text(), random.nextLong(), random.nextLong(), text(), text(), text());
  }

  Request request(Rpc rpc) {
    return switch (rpc) {
      case EXIST_KEY, PROBE_KEY -> new Request.ExistKey(rpc, text(), tenant());
      case BATCH_EXIST_KEY -> new Request.BatchExistKey(rpc, list(this::text), tenant(), 0, 0);
      case BATCH_PROBE_KEY ->
          new Request.BatchExistKey(
              rpc, list(this::text), tenant(), random.nextInt(256), random.nextLong());
      case GET_REPLICA_LIST -> new Request.GetReplicaList(rpc, text(), tenant());
      case BATCH_GET_REPLICA_LIST ->
          new Request.BatchGetReplicaList(rpc, list(this::text), tenant());
      case PUT_START, UPSERT_START ->
          new Request.WriteStart(rpc, uuid(), text(), random.nextLong(), config(), tenant());
      case PUT_END, UPSERT_END ->
          new Request.WriteEnd(rpc, uuid(), text(), optionalLong(), random.nextInt(), tenant());
      case PUT_REVOKE, UPSERT_REVOKE ->
          new Request.WriteRevoke(rpc, uuid(), text(), random.nextInt(), tenant());
      case REMOVE -> new Request.Remove(text(), coin(), tenant());
      case PING -> new Request.Ping(uuid());
      case MOUNT_SEGMENT -> new Request.MountSegment(segment(), uuid());
      case BATCH_PUT_START, BATCH_UPSERT_START ->
          new Request.BatchWriteStart(
              rpc, uuid(), list(this::text), random.longs(count()).toArray(), config(), tenant());
      case BATCH_PUT_END -> batchEnd(rpc);
      default -> throw new IllegalArgumentException("no random " + rpc);
    };
  }

  private Request batchEnd(Rpc rpc) {
    List<String> keys = list(this::text);
    List<OptionalLong> checksums = list(keys.size(), this::optionalLong);
    return new Request.BatchWriteEnd(rpc, uuid(), keys, checksums, random.nextInt(), tenant());
  }

  Reply reply(Rpc rpc) {
    return switch (rpc) {
      case EXIST_KEY -> new Reply.One(result(this::coin));
      case GET_REPLICA_LIST -> new Reply.One(result(this::replicaList));
      case PUT_START, UPSERT_START -> new Reply.One(result(() -> list(this::descriptor)));
      case PUT_END, PUT_REVOKE, REMOVE, UPSERT_END -> new Reply.One(result(() -> null));
      case PING ->
          new Reply.One(
              result(
                  () ->
                      new Reply.PingResponse(
                          random.nextLong(), ClientStatus.values()[random.nextInt(3)])));
      case BATCH_EXIST_KEY -> new Reply.Many(list(() -> result(this::coin)));
      case BATCH_GET_REPLICA_LIST -> new Reply.Many(list(() -> result(this::replicaList)));
      case BATCH_PUT_START, BATCH_UPSERT_START ->
          new Reply.Many(list(() -> result(() -> list(this::descriptor))));
      case BATCH_PUT_END -> new Reply.Many(list(() -> result(() -> null)));
      default -> throw new IllegalArgumentException("no random " + rpc);
    };
  }

  private <T> Result<T> result(Supplier<T> value) {
    ErrorCode[] codes = ErrorCode.values();
    return random.nextInt(4) == 0
        ? Result.error(codes[1 + random.nextInt(codes.length - 1)])
        : Result.ok(value.get());
  }

  private Reply.ReplicaList replicaList() {
    return new Reply.ReplicaList(list(this::descriptor), random.nextLong(), optionalLong());
  }

  ReplicaDescriptor descriptor() {
    long id = random.nextLong();
    int status = random.nextInt(6);
    long a = random.nextLong();
    long b = random.nextLong();
    return switch (random.nextInt(5)) {
      case 0 -> new ReplicaDescriptor.Memory(id, a, b, text(), text(), status);
      case 1 -> new ReplicaDescriptor.Nof(id, a, b, text(), text(), status);
      case 2 -> new ReplicaDescriptor.Disk(id, text(), a, status);
      case 3 -> new ReplicaDescriptor.LocalDisk(id, uuid(), a, text(), status);
      default -> new ReplicaDescriptor.Dfs(id, text(), a, b, a ^ b, random.nextInt(), status);
    };
  }
}
