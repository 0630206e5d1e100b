package io.tidemark.api.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.ObjectKey;
import io.tidemark.api.Uuid;
import io.tidemark.api.event.ClientState;
import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.event.UnknownEventException;
import io.tidemark.api.rpc.SoftPinAction;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** State records in their stored form: read back as written, and checked without being made. */
class StateRecordCodecTest {

  private static List<StateRecord> some(Random random) {
    List<StateRecord> records = new ArrayList<>();
    records.add(new StateRecord.Facts(9, 1, 10_000, 77, 3, 1));
    records.add(new StateRecord.Client(new Uuid(1, 2), ClientState.ACTIVE, "host", "0.3.14"));
    records.add(
        new StateRecord.Discard(
            1, "h:1", 0x1000, 64, 99, List.of(new StateRecord.Claim(1, 64, 64, 60))));
    records.add(
        new StateRecord.Write(
            new ObjectKey("default", "w"),
            1,
            2,
            SoftPinAction.values()[0],
            3,
            true,
            new long[] {4, 1 << 20}));
    for (int i = 0; i < 50; i++) {
      records.add(object(random));
    }
    return records;
  }

  private static StateRecord.StoredObject object(Random random) {
    List<StateRecord.Replica> replicas = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      replicas.add(
          new StateRecord.Replica(
              random.nextLong(),
              random.nextInt(3),
              random.nextInt() & 0x7fffffff,
              random.nextLong(),
              random.nextInt(1 << 20),
              random.nextInt(6)));
    }
    return new StateRecord.StoredObject(
        new ObjectKey(random.nextBoolean() ? "default" : "tenant", "k".repeat(random.nextInt(300))),
        new Uuid(random.nextLong(), random.nextLong()),
        random.nextLong(),
        random.nextInt(1 << 30),
        random.nextInt(1 << 30),
        random.nextLong(),
        random.nextBoolean() ? OptionalLong.of(random.nextLong()) : OptionalLong.empty(),
        random.nextInt(1 << 30),
        random.nextBoolean() ? "" : "group",
        random.nextBoolean(),
        random.nextBoolean(),
        random.nextBoolean(),
        random.nextInt(256),
        replicas);
  }

  private static EventBuffer written(StateRecord record) {
    EventBuffer out = new EventBuffer(16);
    StateRecordCodec.write(record, out);
    return out;
  }

  /** What an attempt came to, with the place at which it ended; a refusal is named by its class. */
  private static String attempt(EventBuffer in, Runnable what) {
    try {
      what.run();
      return "fine up to " + in.position();
    } catch (IllegalStateException | UnknownEventException | IllegalArgumentException refused) {
      return refused.getClass().getSimpleName();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  @DisplayName("an object is read back as it was written, with every field it may have")
  void objectsAreReadBack(long seed) {
    for (StateRecord record : some(new Random(seed))) {
      EventBuffer out = written(record);
      EventBuffer in = EventBuffer.reading(out.array(), 0, out.position());
      StateRecord read = StateRecordCodec.read(in);
      assertThat(in.hasRemaining()).isFalse();
      if (!(record instanceof StateRecord.Write)) {
        assertThat(read).as("seed %d", seed).isEqualTo(record);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  @DisplayName("checking says of whole, cut and altered records what reading says of them")
  void checkingAgreesWithReading(long seed) {
    Random random = new Random(seed);
    for (StateRecord record : some(random)) {
      EventBuffer out = written(record);
      for (int i = 0; i < 40; i++) {
        byte[] bytes = out.array().clone();
        int length = i == 0 ? out.position() : random.nextInt(out.position() + 1);
        if (i > 20) {
          length = out.position();
          bytes[random.nextInt(length)] ^= (byte) (1 << random.nextInt(8));
        }
        EventBuffer read = EventBuffer.reading(bytes, 0, length);
        EventBuffer checked = EventBuffer.reading(bytes, 0, length);
        assertThat(attempt(checked, () -> StateRecordCodec.check(checked)))
            .as("seed %d, attempt %d at %s", seed, i, record)
            .isEqualTo(attempt(read, () -> StateRecordCodec.read(read)));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 255})
  @DisplayName("a layout that this release does not know is refused by both")
  void anUnknownLayoutIsRefused(int version) {
    EventBuffer out = written(object(new Random(7)));
    out.array()[1] = (byte) version;
    assertThatThrownBy(
            () -> StateRecordCodec.check(EventBuffer.reading(out.array(), 0, out.position())))
        .isInstanceOf(UnknownEventException.class);
    assertThatThrownBy(
            () -> StateRecordCodec.read(EventBuffer.reading(out.array(), 0, out.position())))
        .isInstanceOf(UnknownEventException.class);
  }
}
