package io.tidemark.chaos.load;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * A client that puts, upserts and removes keys of its own, one call at a time, repeats what was cut
 * off, and writes down what it was told.
 */
final class Writer implements Runnable {
  private static final int KEYS = 24;
  private static final String TENANT = "default";

  private final Uuid id;
  private final String name;
  private final SplittableRandom random;
  private final RangeBook ranges;
  private final RetryingCaller master;
  private final List<KeyRecord> keys = new ArrayList<>();
  private volatile boolean stop;
  private volatile Throwable failure;
  private long acknowledged;

  Writer(int number, long seed, InetSocketAddress address, Gate gate, RangeBook ranges) {
    this.id = new Uuid(0xABC, number);
    this.name = "writer-" + number;
    this.random = new SplittableRandom(seed * 1_000 + number);
    this.ranges = ranges;
    this.master = new RetryingCaller(address, gate);
    for (int i = 0; i < KEYS; i++) {
      keys.add(new KeyRecord("w" + number + "/k" + i));
    }
  }

  @Override
  public void run() {
    try {
      while (!stop) {
        step(keys.get(random.nextInt(keys.size())));
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      failure = e;
    } finally {
      master.close();
    }
  }

  private void step(KeyRecord key) throws IOException, InterruptedException {
    switch (key.state()) {
      case ABSENT -> start(key, random.nextInt(4) == 0 ? Rpc.UPSERT_START : Rpc.PUT_START);
      case OPEN -> {
        // One in eight is left open for a while: its range must stay reserved meanwhile.
        switch (random.nextInt(8)) {
          case 0 -> {}
          case 1 -> revoke(key);
          default -> end(key);
        }
      }
      case STORED -> {
        if (random.nextInt(3) == 0) {
          start(key, Rpc.UPSERT_START);
        } else {
          remove(key);
        }
      }
    }
  }

  private void start(KeyRecord key, Rpc rpc) throws IOException, InterruptedException {
    long size = 1 + random.nextInt(20_000);
    key.asking();
    Result<?> result =
        master.one(new Request.WriteStart(rpc, id, key.key, size, ReplicateConfig.DEFAULT, TENANT));
    if (!result.isOk()) {
      throw refused(key, result);
    }
    List<?> replicas = (List<?>) result.value();
    RangeBook.Range range = RangeBook.Range.of((ReplicaDescriptor) replicas.get(0));
    // A range that an upsert leaves stays in the book: its readers may still be reading.
    ranges.claim(range, key.key);
    acknowledged++;
    key.is(KeyRecord.State.OPEN, range);
  }

  private void end(KeyRecord key) throws IOException, InterruptedException {
    key.asking();
    Result<?> result =
        master.one(
            new Request.WriteEnd(
                Rpc.PUT_END, id, key.key, OptionalLong.of(7), ReplicaType.MEMORY, TENANT));
    if (!result.isOk()) {
      throw refused(key, result);
    }
    acknowledged++;
    key.is(KeyRecord.State.STORED, key.range().orElseThrow());
  }

  /** A removal that was cut off may have happened: then the repetition finds nothing. */
  private void remove(KeyRecord key) throws IOException, InterruptedException {
    RangeBook.Range range = key.range().orElseThrow();
    key.asking();
    ranges.releasing(range);
    int lost = master.lostConnections();
    Result<?> result = master.one(new Request.Remove(key.key, false, TENANT));
    boolean repeated = master.lostConnections() > lost;
    boolean gone = result.isOk() || repeated && result.code() == ErrorCode.OBJECT_NOT_FOUND.value();
    if (gone) {
      ranges.released(range, key.key);
      acknowledged++;
      key.is(KeyRecord.State.ABSENT, null);
    } else if (result.code() == ErrorCode.OBJECT_HAS_LEASE.value()) {
      ranges.kept(range, key.key);
      key.unchanged();
    } else {
      throw refused(key, result);
    }
  }

  /** The range stays in the book: this writer's bytes may still be under way. */
  private void revoke(KeyRecord key) throws IOException, InterruptedException {
    key.asking();
    int lost = master.lostConnections();
    Result<?> result =
        master.one(
            new Request.WriteRevoke(Rpc.PUT_REVOKE, id, key.key, ReplicaType.MEMORY, TENANT));
    boolean repeated = master.lostConnections() > lost;
    if (!result.isOk() && !(repeated && result.code() == ErrorCode.OBJECT_NOT_FOUND.value())) {
      throw refused(key, result);
    }
    acknowledged++;
    key.is(KeyRecord.State.ABSENT, null);
  }

  private IllegalStateException refused(KeyRecord key, Result<?> result) {
    return new IllegalStateException(
        name + ": a call about " + key + " was refused: " + ErrorCode.nameOf(result.code()));
  }

  void stop() {
    stop = true;
  }

  /** Why it ended before it was told to, or null. */
  Throwable failure() {
    return failure;
  }

  List<KeyRecord> keys() {
    return keys;
  }

  Uuid id() {
    return id;
  }

  /** Calls that were answered with success. */
  long acknowledged() {
    return acknowledged;
  }
}
