package io.tidemark.chaos.ha;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.chaos.ha.FollowingCaller.Answer;
import io.tidemark.chaos.history.Change;
import io.tidemark.chaos.history.History;
import io.tidemark.chaos.history.KeyHistory;
import io.tidemark.chaos.history.MemoryRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Puts, upserts, revokes and removes keys of its own, one change after the other, each called for
 * until a master decides. Every write has another size, so that readers can tell them apart.
 */
final class LoadWriter extends LoadThread {
  static final String TENANT = "default";
  private static final int KEYS = 12;
  private static final int LEAST_BYTES = 1_000;
  private static final int PAUSE_MICROS = 8_000;
  private static final long ALREADY_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Uuid id;
  private final LongAdder acknowledged;
  private final List<KeyHistory> keys = new ArrayList<>();
  private int writes;

  LoadWriter(
      int number,
      FollowingCaller master,
      SplittableRandom random,
      History history,
      LongAdder acknowledged) {
    super("writer-" + number, master, random, PAUSE_MICROS);
    this.id = new Uuid(0xABC, number);
    this.acknowledged = acknowledged;
    for (int i = 0; i < KEYS; i++) {
      keys.add(history.of("w" + number + "/k" + i));
    }
  }

  List<KeyHistory> keys() {
    return keys;
  }

  @Override
  void step() throws IOException {
    KeyHistory key = keys.get(random().nextInt(KEYS));
    int dice = random().nextInt(8);
    switch (key.state()) {
      case ABSENT -> start(key, dice < 2 ? Rpc.UPSERT_START : Rpc.PUT_START);
      case OPEN -> {
        // Some are left open for a while: their ranges have to stay reserved meanwhile.
        if (dice == 1) {
          revoke(key);
        } else if (dice > 1) {
          end(key);
        }
      }
      case STORED -> {
        if (dice < 2) {
          start(key, Rpc.UPSERT_START);
        } else if (dice < 5) {
          remove(key);
        }
      }
    }
  }

  private void start(KeyHistory key, Rpc rpc) throws IOException {
    long size = LEAST_BYTES + ++writes;
    Request request =
        new Request.WriteStart(rpc, id, key.key(), size, ReplicateConfig.DEFAULT, TENANT);
    Change start = key.starting();
    boolean unclear = false;
    long giveUp = System.nanoTime() + ALREADY_LIMIT_NANOS;
    while (true) {
      Answer answer = master().decided(request);
      unclear |= answer.unclear();
      if (answer.isOk()) {
        key.started(start, MemoryRange.of((List<?>) answer.result().value()));
        acknowledged.increment();
        return;
      }
      // A try whose connection has not ended yet for the master is still its writer (COR-11).
      boolean notYet = unclear && answer.is(ErrorCode.OBJECT_ALREADY_EXISTS);
      if (!notYet || System.nanoTime() - giveUp > 0) {
        throw refused(key, "start", answer);
      }
    }
  }

  private void end(KeyHistory key) throws IOException {
    Change end = key.ending();
    Answer answer =
        master()
            .decided(
                new Request.WriteEnd(
                    Rpc.PUT_END, id, key.key(), OptionalLong.of(7), ReplicaType.MEMORY, TENANT));
    if (!answer.isOk()) {
      throw refused(key, "end", answer);
    }
    done(key, end);
  }

  private void revoke(KeyHistory key) throws IOException {
    Change revocation = key.revoking();
    Answer answer =
        master()
            .decided(
                new Request.WriteRevoke(Rpc.PUT_REVOKE, id, key.key(), ReplicaType.MEMORY, TENANT));
    boolean before = answer.unclear() && answer.is(ErrorCode.OBJECT_NOT_FOUND);
    if (!answer.isOk() && !before) {
      throw refused(key, "revocation", answer);
    }
    done(key, revocation);
  }

  /** While somebody has a lease on it, it is refused; it is called for again then. */
  private void remove(KeyHistory key) throws IOException {
    Change removal = key.removing();
    boolean unclear = false;
    while (true) {
      Answer answer = master().decided(new Request.Remove(key.key(), false, TENANT));
      unclear |= answer.unclear();
      if (answer.isOk() || unclear && answer.is(ErrorCode.OBJECT_NOT_FOUND)) {
        done(key, removal);
        return;
      }
      if (!answer.is(ErrorCode.OBJECT_HAS_LEASE)) {
        throw refused(key, "removal", answer);
      }
      if (!unclear) {
        key.refused(removal);
        return;
      }
    }
  }

  private void done(KeyHistory key, Change change) {
    key.done(change);
    acknowledged.increment();
  }

  private static IllegalStateException refused(KeyHistory key, String what, Answer answer) {
    return new IllegalStateException(
        "the "
            + what
            + " of "
            + key.key()
            + " was refused by "
            + answer.from()
            + ": "
            + ErrorCode.nameOf(answer.result().code())
            + (answer.unclear() ? ", an earlier try was not answered" : ""));
  }
}
