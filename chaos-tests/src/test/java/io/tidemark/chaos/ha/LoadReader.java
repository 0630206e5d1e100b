package io.tidemark.chaos.ha;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.chaos.ha.FollowingCaller.Answer;
import io.tidemark.chaos.history.KeyHistory;
import io.tidemark.chaos.history.MemoryRange;
import io.tidemark.chaos.history.Read;
import io.tidemark.chaos.history.Read.Seen;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Asks for keys of all writers and writes down what it is told. */
final class LoadReader extends LoadThread {
  private static final int PAUSE_MICROS = 10_000;

  private final List<KeyHistory> keys;

  LoadReader(String name, FollowingCaller master, SplittableRandom random, List<KeyHistory> keys) {
    super(name, master, random, PAUSE_MICROS);
    this.keys = keys;
  }

  @Override
  void step() throws IOException {
    KeyHistory key = keys.get(random().nextInt(keys.size()));
    boolean onlyWhether = random().nextInt(4) == 0;
    Request request =
        onlyWhether
            ? new Request.ExistKey(Rpc.EXIST_KEY, key.key(), LoadWriter.TENANT)
            : new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, key.key(), LoadWriter.TENANT);
    Optional<Answer> answer = master().once(request);
    if (answer.isPresent()) {
      key.read(read(key, onlyWhether, answer.get()));
    }
  }

  private static Read read(KeyHistory key, boolean onlyWhether, Answer answer) {
    if (answer.isOk() && onlyWhether) {
      boolean there = (Boolean) answer.result().value();
      return read(there ? Seen.EXISTS : Seen.EXISTS_NOT, null, 0, answer);
    }
    if (answer.isOk()) {
      Reply.ReplicaList list = (Reply.ReplicaList) answer.result().value();
      return read(Seen.FOUND, MemoryRange.of(list.replicas()), list.leaseTtlMs(), answer);
    }
    if (answer.is(ErrorCode.OBJECT_NOT_FOUND)) {
      return read(Seen.NOT_FOUND, null, 0, answer);
    }
    if (answer.is(ErrorCode.REPLICA_IS_NOT_READY)) {
      return read(Seen.NOT_READY, null, 0, answer);
    }
    throw new IllegalStateException(
        "a read of " + key.key() + " ended " + ErrorCode.nameOf(answer.result().code()));
  }

  private static Read read(Seen seen, MemoryRange range, long leaseMs, Answer answer) {
    return new Read(seen, range, leaseMs, answer.sentNanos(), answer.doneNanos(), answer.from());
  }

  /** Asks once for each key, until somebody decides; what it is told is written down as well. */
  static void readAll(FollowingCaller caller, List<KeyHistory> keys) throws IOException {
    for (KeyHistory key : keys) {
      key.read(
          read(
              key,
              false,
              caller.decided(
                  new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, key.key(), LoadWriter.TENANT))));
    }
  }
}
