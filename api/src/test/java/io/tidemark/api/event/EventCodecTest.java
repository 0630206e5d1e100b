package io.tidemark.api.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events in the log: golden bytes, round trips, and what must not be read. */
class EventCodecTest {
  private static final HexFormat HEX = HexFormat.of();

  private static byte[] encode(Event event) {
    EventBuffer out = new EventBuffer(1);
    EventCodec.write(event, out);
    return Arrays.copyOf(out.array(), out.position());
  }

  private static Event decode(byte[] bytes) {
    EventBuffer in = EventBuffer.reading(bytes, 0, bytes.length);
    Event event = EventCodec.read(in);
    assertThat(in.hasRemaining()).as("bytes left of %s", event).isFalse();
    return event;
  }

  /** Name and hex of each specimen, as the first release wrote them. */
  private static Map<String, String> golden() throws IOException {
    Map<String, String> lines = new LinkedHashMap<>();
    try (InputStream in = EventCodecTest.class.getResourceAsStream("events-v1.txt")) {
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .forEach(
              line -> {
                int colon = line.indexOf(':');
                lines.put(line.substring(0, colon), line.substring(colon + 1).strip());
              });
    }
    return lines;
  }

  @Test
  @DisplayName("every event type is written as the golden bytes say, and read back from them")
  void goldenBytes() throws IOException {
    Map<String, String> written = new LinkedHashMap<>();
    EventSamples.specimens()
        .forEach((name, event) -> written.put(name, HEX.formatHex(encode(event))));
    assertThat(written).isEqualTo(golden());
    golden()
        .forEach(
            (name, hex) ->
                assertThat(decode(HEX.parseHex(hex)))
                    .as(name)
                    .usingRecursiveComparison()
                    .isEqualTo(EventSamples.specimens().get(name)));
  }

  @Test
  @DisplayName("there are golden bytes for every type and version that is written")
  void everyTypeIsGolden() throws IOException {
    Set<String> types =
        Arrays.stream(EventType.values()).map(EventType::name).collect(Collectors.toSet());
    assertThat(
            golden().keySet().stream().map(name -> name.split(" ")[0]).collect(Collectors.toSet()))
        .isEqualTo(types);
    for (Map.Entry<String, String> entry : golden().entrySet()) {
      EventType type = EventType.valueOf(entry.getKey().split(" ")[0]);
      assertThat(HEX.parseHex(entry.getValue()))
          .startsWith((byte) type.code(), (byte) type.version());
    }
  }

  @Test
  @DisplayName("numbers of types, reasons and client states never change")
  void numbers() {
    assertThat(Arrays.stream(EventType.values()).mapToInt(EventType::code))
        .containsExactly(1, 2, 3, 4, 5, 6, 7, 20, 21, 22, 23, 24, 25, 26, 40, 41, 42);
    assertThat(List.of(ClientState.values()))
        .startsWith(
            ClientState.JOINING, ClientState.ACTIVE, ClientState.SUSPECTED, ClientState.OFFLINE);
    assertThat(List.of(Reason.values()))
        .startsWith(Reason.NONE, Reason.REMOVED, Reason.REMOVED_FORCED, Reason.REMOVED_BY_REGEX);
    assertThat(Reason.EVICTED_WATERMARK.code()).isEqualTo(12);
    assertThat(Reason.HOST_RESTARTED.code()).isEqualTo(19);
    assertThat(Reason.RETURNED.code()).isEqualTo(23);
  }

  @ParameterizedTest(name = "random events come back as they went (seed {0})")
  @ValueSource(longs = {1, 2, 20261130})
  void roundTrip(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 5_000; i++) {
      Event event = EventSamples.random(random);
      byte[] bytes = encode(event);
      Event back = decode(bytes);
      assertThat(encode(back)).as("seed %d event %d", seed, i).isEqualTo(bytes);
      if (i % 10 == 0) {
        assertThat(back).as("seed %d", seed).usingRecursiveComparison().isEqualTo(event);
      }
    }
  }

  @Test
  @DisplayName("a payload holds events one behind the other")
  void manyEvents() {
    SplittableRandom random = new SplittableRandom(9);
    EventBuffer out = new EventBuffer(16);
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      events.add(EventSamples.random(random));
      EventCodec.write(events.get(i), out);
    }
    List<Event> back = EventCodec.readAll(Arrays.copyOf(out.array(), out.position()));
    assertThat(back).usingRecursiveComparison().isEqualTo(events);
    assertThat(EventCodec.readAll(new byte[0])).isEmpty();
  }

  @Test
  @DisplayName("an unknown type is refused, never skipped")
  void unknownType() {
    for (int type = 0; type < 256; type++) {
      int code = type;
      boolean known = Arrays.stream(EventType.values()).anyMatch(t -> t.code() == code);
      if (!known) {
        assertThatThrownBy(() -> decode(new byte[] {(byte) code, 1, 0, 0, 0, 0}))
            .isInstanceOf(UnknownEventException.class)
            .hasMessageContaining("type " + code);
      }
    }
  }

  @Test
  @DisplayName("an unknown version of a known type is refused")
  void unknownVersion() {
    EventSamples.specimens()
        .forEach(
            (name, event) -> {
              byte[] bytes = encode(event);
              for (int version : new int[] {0, 2, 255}) {
                bytes[1] = (byte) version;
                assertThatThrownBy(() -> decode(bytes))
                    .as(name)
                    .isInstanceOf(UnknownEventException.class)
                    .hasMessageContaining("version " + version)
                    .hasMessageContaining(event.type().name());
              }
            });
  }

  @Test
  @DisplayName("an event that was cut anywhere is refused")
  void cut() {
    EventSamples.specimens()
        .forEach(
            (name, event) -> {
              byte[] bytes = encode(event);
              for (int length = 0; length < bytes.length; length++) {
                byte[] cut = Arrays.copyOf(bytes, length);
                assertThatThrownBy(() -> EventCodec.read(EventBuffer.reading(cut, 0, cut.length)))
                    .as("%s cut to %d bytes", name, length)
                    .isInstanceOf(RuntimeException.class);
              }
            });
  }

  @Test
  @DisplayName("absurd counts and numbers in an event are refused before anything is allocated")
  void absurd() {
    byte[] hugeCount = HEX.parseHex("0701" + "ffffffffffffffff7f");
    assertThatThrownBy(() -> decode(hugeCount)).isInstanceOf(IllegalStateException.class);
    byte[] endlessNumber = HEX.parseHex("0701" + "ff".repeat(11));
    assertThatThrownBy(() -> decode(endlessNumber)).isInstanceOf(IllegalStateException.class);
    byte[] unknownReason = HEX.parseHex("1601" + "09000000" + "ff");
    assertThatThrownBy(() -> decode(unknownReason)).isInstanceOf(IllegalArgumentException.class);
    byte[] unknownAction = HEX.parseHex("0201" + "00" + "016b" + "03" + "00");
    assertThatThrownBy(() -> decode(unknownAction)).isInstanceOf(IllegalStateException.class);
  }
}
