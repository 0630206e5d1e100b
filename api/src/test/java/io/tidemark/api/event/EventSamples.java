package io.tidemark.api.event;

import io.tidemark.api.ObjectKey;
import io.tidemark.api.Uuid;
import io.tidemark.api.WireText;
import io.tidemark.api.event.Event.PlacedReplica;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.api.rpc.SoftPinAction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Events to encode: one fixed specimen of each type, and random ones. */
final class EventSamples {
  private static final Uuid CLIENT = new Uuid(0x0102030405060708L, -1);
  private static final ObjectKey KEY = new ObjectKey("default", "k\u0000\u00ff");
  private static final ObjectKey TENANT_KEY = new ObjectKey("t1", "key");

  private EventSamples() {}

  /** Specimens by name; the name begins with the type. */
  static Map<String, Event> specimens() {
    Map<String, Event> all = new LinkedHashMap<>();
    objectEvents(all);
    otherEvents(all);
    return all;
  }

  private static void objectEvents(Map<String, Event> all) {
    all.put(
        "WRITE_STARTED full",
        new Event.WriteStarted(
            TENANT_KEY,
            CLIENT,
            300,
            List.of(new PlacedReplica(5, 2, 4096, 320), new PlacedReplica(6, 3, 0, 320)),
            7,
            "/r/c/a/b/key",
            true,
            200,
            "g",
            SoftPinAction.ENABLE,
            1_800_000,
            OptionalLong.of(99)));
    all.put(
        "WRITE_STARTED least",
        new Event.WriteStarted(
            KEY,
            CLIENT,
            1,
            List.of(new PlacedReplica(1, 1, 0, 1)),
            0,
            "",
            false,
            0,
            "",
            SoftPinAction.PRESERVE,
            0,
            OptionalLong.empty()));
    all.put("WRITE_RESUMED", new Event.WriteResumed(KEY, SoftPinAction.DISABLE, 0));
    all.put("WRITE_REOPENED", new Event.WriteReopened(KEY, CLIENT, SoftPinAction.ENABLE, 5));
    all.put(
        "REPLICAS_COMPLETED",
        new Event.ReplicasCompleted(
            KEY,
            new long[] {1, 300},
            true,
            OptionalLong.of(-2),
            OptionalLong.of(1000),
            true,
            false));
    all.put(
        "REPLICAS_COMPLETED empty",
        new Event.ReplicasCompleted(
            KEY, new long[0], false, OptionalLong.empty(), OptionalLong.empty(), false, true));
    all.put(
        "REPLICAS_DROPPED",
        new Event.ReplicasDropped(
            KEY, new long[] {1}, Reason.EVICTED_WATERMARK, 120_000, true, false, true));
    all.put(
        "SOFT_PIN_CHANGED",
        new Event.SoftPinChanged(KEY, OptionalLong.empty(), Reason.PIN_EXPIRED));
    all.put("DISCARD_RELEASED", new Event.DiscardReleased(new long[] {1, 128, 16_384}));
  }

  private static void otherEvents(Map<String, Event> all) {
    SegmentInfo segment =
        new SegmentInfo(
            new Uuid(1, 2), "host", 0x7f00_0000_0000L, 1 << 24, "127.0.0.1:5", "tcp", "h1");
    all.put("SEGMENT_MOUNTED", new Event.SegmentMounted(9, segment, CLIENT));
    all.put("SEGMENT_GRACE_STARTED", new Event.SegmentGraceStarted(9, 77));
    all.put("SEGMENT_UNMOUNTING", new Event.SegmentUnmounting(9, Reason.CLIENT_EXPIRED));
    all.put("SEGMENT_UNMOUNTED", new Event.SegmentUnmounted(9));
    all.put(
        "CLIENT_CHANGED", new Event.ClientChanged(CLIENT, ClientState.SUSPECTED, Reason.SILENT));
    all.put("HOST_ID_LEARNED", new Event.HostIdLearned(CLIENT, WireText.encode("h\u00fc")));
    all.put("CLIENT_RELEASE_LEARNED", new Event.ClientReleaseLearned(CLIENT, "v0.3.14"));
    all.put("EPOCH_STARTED", new Event.EpochStarted(3, new Uuid(4, 5), 10_000, true));
    all.put("TICK", new Event.Tick());
    all.put("STATE_DIGEST", new Event.StateDigest(-3, 12));
  }

  // ---- random ones

  static Event random(SplittableRandom random) {
    EventType[] types = EventType.values();
    EventType type = types[random.nextInt(types.length)];
    return switch (type) {
      case WRITE_STARTED -> randomStart(random);
      case WRITE_RESUMED -> new Event.WriteResumed(key(random), action(random), number(random));
      case WRITE_REOPENED ->
          new Event.WriteReopened(key(random), uuid(random), action(random), number(random));
      case REPLICAS_COMPLETED ->
          new Event.ReplicasCompleted(
              key(random),
              numbers(random),
              random.nextBoolean(),
              optional(random),
              optional(random),
              random.nextBoolean(),
              random.nextBoolean());
      case REPLICAS_DROPPED ->
          new Event.ReplicasDropped(
              key(random),
              numbers(random),
              reason(random),
              number(random),
              random.nextBoolean(),
              random.nextBoolean(),
              random.nextBoolean());
      case SOFT_PIN_CHANGED ->
          new Event.SoftPinChanged(key(random), optional(random), reason(random));
      case DISCARD_RELEASED -> new Event.DiscardReleased(numbers(random));
      default -> randomOther(type, random);
    };
  }

  private static Event randomOther(EventType type, SplittableRandom random) {
    return switch (type) {
      case SEGMENT_MOUNTED ->
          new Event.SegmentMounted(random.nextInt(), segment(random), uuid(random));
      case SEGMENT_GRACE_STARTED ->
          new Event.SegmentGraceStarted(random.nextInt(), random.nextLong());
      case SEGMENT_UNMOUNTING -> new Event.SegmentUnmounting(random.nextInt(), reason(random));
      case SEGMENT_UNMOUNTED -> new Event.SegmentUnmounted(random.nextInt());
      case CLIENT_CHANGED ->
          new Event.ClientChanged(uuid(random), ClientState.of(random.nextInt(4)), reason(random));
      case HOST_ID_LEARNED -> new Event.HostIdLearned(uuid(random), text(random));
      case CLIENT_RELEASE_LEARNED -> new Event.ClientReleaseLearned(uuid(random), text(random));
      case EPOCH_STARTED ->
          new Event.EpochStarted(
              random.nextLong(), uuid(random), random.nextLong(), random.nextBoolean());
      case TICK -> new Event.Tick();
      case STATE_DIGEST -> new Event.StateDigest(random.nextLong(), random.nextLong());
      default -> throw new IllegalArgumentException("no random " + type);
    };
  }

  private static Event randomStart(SplittableRandom random) {
    List<PlacedReplica> replicas = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      replicas.add(
          new PlacedReplica(
              number(random), random.nextInt(Integer.MAX_VALUE), number(random), number(random)));
    }
    return new Event.WriteStarted(
        key(random),
        uuid(random),
        number(random),
        replicas,
        number(random),
        text(random),
        random.nextBoolean(),
        random.nextInt(256),
        text(random),
        action(random),
        number(random),
        optional(random));
  }

  private static ObjectKey key(SplittableRandom random) {
    String tenant = random.nextBoolean() ? ObjectKey.DEFAULT_TENANT : "t" + text(random);
    return new ObjectKey(tenant, text(random));
  }

  private static SegmentInfo segment(SplittableRandom random) {
    return new SegmentInfo(
        uuid(random),
        text(random),
        random.nextLong(),
        random.nextLong(),
        text(random),
        text(random),
        text(random));
  }

  private static Uuid uuid(SplittableRandom random) {
    return new Uuid(random.nextLong(), random.nextLong());
  }

  private static SoftPinAction action(SplittableRandom random) {
    return SoftPinAction.values()[random.nextInt(3)];
  }

  private static Reason reason(SplittableRandom random) {
    return Reason.values()[random.nextInt(Reason.values().length)];
  }

  /** Of every magnitude, the sign bit included. */
  private static long number(SplittableRandom random) {
    return random.nextLong() >>> random.nextInt(64);
  }

  private static long[] numbers(SplittableRandom random) {
    return random.longs(random.nextInt(6)).map(n -> n >>> random.nextInt(64)).toArray();
  }

  private static OptionalLong optional(SplittableRandom random) {
    return random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextLong());
  }

  private static String text(SplittableRandom random) {
    byte[] bytes = new byte[random.nextInt(10) == 0 ? random.nextInt(3000) : random.nextInt(20)];
    random.nextBytes(bytes);
    return WireText.of(bytes);
  }
}
