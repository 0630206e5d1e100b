package io.tidemark.chaos.wheel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.chaos.process.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Writer threads inside a wheel's client. They try a failed key again until it is stored, and the
 * client remembers every key that it was told is stored.
 */
final class Writers {
  private static final int WRITTEN_BYTES = 512;
  private static final int MOST_KEYS = 60_000;
  private static final int MOST_SHOWN = 5;

  private final WheelClient client;
  private final Duration limit;

  /**
   * @param limit how long anything may take that needs the master to be there again
   */
  private Writers(WheelClient client, Duration limit) {
    this.client = client;
    this.limit = limit;
  }

  /** Lets a client's threads write keys that begin with {@code prefix}. */
  static Writers start(WheelClient client, String prefix, int threads, Duration limit) {
    client.call(
        "writers_start",
        Map.of("prefix", prefix, "threads", threads, "size", WRITTEN_BYTES, "max_keys", MOST_KEYS));
    return new Writers(client, limit);
  }

  /** Waits until so many more keys are stored. */
  void awaitMore(int more) {
    int before = stored();
    Await.until(more + " more keys stored", limit, this::stored, now -> now >= before + more);
  }

  private int stored() {
    return client.call("writers_status", Map.of()).get("stored").asInt();
  }

  /**
   * Waits until a put is stored that began after a moment; gives the time from there to its end.
   *
   * @param nanos of {@link System#nanoTime}, which on Linux is the clock of the client too
   */
  Duration awaitFirstBehind(long nanos) {
    double since = nanos / (double) TimeUnit.SECONDS.toNanos(1);
    JsonNode seconds =
        Await.until(
            "a put is stored",
            limit,
            () -> client.call("writers_first_behind", Map.of("since_s", since)),
            JsonNode::isNumber);
    return Duration.ofMillis(Math.round(seconds.asDouble() * TimeUnit.SECONDS.toMillis(1)));
  }

  /** Stops the threads and says how it went; gives the keys that are stored. */
  List<String> stop(String occasion) {
    JsonNode written = client.call("writers_stop", Map.of("limit_s", limit.toSeconds()));
    System.out.printf(
        "%s, %s: %s keys stored, failed puts by code %s, longest gap %s s%n",
        client.release(),
        occasion,
        written.get("stored"),
        written.get("failures"),
        written.get("longest_gap_s"));
    assertThat(written.get("failures"))
        .as("puts that failed while the master was away")
        .isNotEmpty();
    return WheelClient.strings(written.get("keys"));
  }

  /** Requires that a client reads all of these keys with the bytes that were written. */
  static void assertAllEqual(WheelClient client, List<String> keys) {
    JsonNode result = client.call("verify", Map.of("keys", keys, "size", WRITTEN_BYTES));
    List<String> missing = WheelClient.strings(result.get("missing"));
    List<String> wrong = WheelClient.strings(result.get("wrong"));
    assertThat(result.get("equal").asInt())
        .as("equal for %s; missing: %s; wrong: %s", client, shown(missing), shown(wrong))
        .isEqualTo(keys.size());
  }

  private static String shown(List<String> keys) {
    return keys.size() + " " + keys.subList(0, Math.min(MOST_SHOWN, keys.size()));
  }
}
