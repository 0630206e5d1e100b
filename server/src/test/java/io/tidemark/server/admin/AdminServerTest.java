package io.tidemark.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.WireText;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.SegmentStatus;
import io.tidemark.server.FakeMaster;
import io.tidemark.server.TestSettings;
import io.tidemark.server.metrics.MetricSources;
import io.tidemark.server.metrics.MetricsPage;
import io.tidemark.server.metrics.RequestMetrics;
import io.tidemark.server.metrics.ServerMetrics;
import io.tidemark.server.metrics.SummaryText;
import io.tidemark.wire.ProfileRegistry;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdminServerTest {

  private static final String JSON = "application/json; charset=utf-8";
  private static final String TEXT = "text/plain; version=0.0.4";
  private static final String UNAVAILABLE =
      "{\"success\":false,\"error_code\":-1011,\"error_message\":\"UNAVAILABLE_IN_CURRENT_MODE\"}";

  private final FakeMaster master = new FakeMaster();
  private final ServerMetrics serverMetrics = new ServerMetrics();
  private final HttpClient http = HttpClient.newHttpClient();
  private Vertx vertx;
  private AdminServer server;

  @BeforeEach
  void open() {
    start(Optional.empty());
  }

  private void start(Optional<String> token) {
    vertx = Vertx.vertx();
    MetricSources sources =
        new MetricSources(
            master,
            new RequestMetrics(),
            serverMetrics,
            new ProfileRegistry()::stats,
            "tidemark test",
            "2.0.0",
            0);
    AdminContext context =
        new AdminContext(
            master,
            new MetricsPage(sources),
            new SummaryText(sources, System::nanoTime),
            "tidemark test",
            "2.0.0");
    server = new AdminServer(TestSettings.admin(token), context, serverMetrics, vertx);
    server.start().toCompletionStage().toCompletableFuture().join();
  }

  @AfterEach
  void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .timeout(Duration.ofSeconds(20))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return http.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private void expectGet(String path, int status, String contentType, String body) {
    expect(send("GET", path, ""), status, contentType, body);
  }

  private static void expect(
      HttpResponse<String> response, int status, String contentType, String body) {
    assertThat(response.body()).isEqualTo(body);
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type"))
        .isEqualTo(Optional.ofNullable(contentType));
  }

  @Test
  void stateOfAServingMaster() {
    expectGet(
        "/version", 200, JSON, "{\"version\":\"2.0.0\",\"display_version\":\"tidemark test\"}");
    expectGet(
        "/health",
        200,
        JSON,
        "{\"status\":\"ok\",\"role\":\"leader\",\"ha_state\":\"serving\",\"service_ready\":true,"
            + "\"leader_address\":null,\"view_version\":null}");
    expectGet("/role", 200, "text/plain; charset=utf-8", "leader");
    expectGet("/ha_status", 200, "text/plain; charset=utf-8", "serving");
    expectGet(
        "/leader", 200, JSON, "{\"present\":false,\"leader_address\":null,\"view_version\":null}");
    assertThat(send("GET", "/health/live", "").statusCode()).isEqualTo(200);
    assertThat(send("GET", "/health/ready", "").statusCode()).isEqualTo(200);
    assertThat(send("GET", "/health/leader", "").statusCode()).isEqualTo(200);
  }

  @Test
  void stateOfAMasterThatDoesNotServe() {
    master.serving = false;
    assertThat(send("GET", "/health", "").body()).contains("\"service_ready\":false");
    assertThat(send("GET", "/health/live", "").statusCode()).isEqualTo(200);
    assertThat(send("GET", "/health/ready", "").statusCode()).isEqualTo(503);
    assertThat(send("GET", "/health/leader", "").statusCode()).isEqualTo(503);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /nope",
    "POST, /health",
    "HEAD, /health",
    "GET, /api/v1/remove_all",
    "DELETE, /get_all_keys",
    "GET, /"
  })
  void anUnknownPathOrAWrongMethodIsNotFoundWithoutContentType(String method, String path) {
    expect(send(method, path, ""), 404, null, method.equals("HEAD") ? "" : "404 Not Found");
  }

  @Test
  void aClientThatOffersToChangeToHttp2IsAnsweredInHttp1() {
    assertThat(send("GET", "/health", "").version()).isEqualTo(HttpClient.Version.HTTP_1_1);
  }

  @Test
  void metricsAndSummary() {
    HttpResponse<String> metrics = send("GET", "/metrics", "");
    assertThat(metrics.headers().firstValue("Content-Type")).contains(TEXT);
    assertThat(metrics.body()).startsWith("# HELP master_allocated_bytes ");
    assertThat(send("GET", "/metrics/summary", "").body()).startsWith("role=leader, state=serving");
  }

  @Test
  void segments() {
    master.segments.add(FakeMaster.segment(1, "127.0.0.1:17331", SegmentStatus.OK, 5_001));
    expectGet("/get_all_segments", 200, TEXT, "127.0.0.1:17331\n");
    expectGet(
        "/get_segments_detail",
        200,
        JSON,
        "{\"total_segments\":1,\"segments\":[{\"segment_name\":\"127.0.0.1:17331\",\"segment_id\":\"1-2\","
            + "\"client_id\":\"3-4\",\"base_address\":\"0x7f2041000000\",\"size_bytes\":67108864,"
            + "\"size_human\":\"0.0625 GiB\",\"te_endpoint\":\"127.0.0.1:15052\",\"protocol\":\"tcp\","
            + "\"status\":\"OK\",\"allocator_used_bytes\":5001,\"allocator_capacity_bytes\":67108864,"
            + "\"allocator_usage_percent\":7.452070713043213E-3}]}");
    expectGet(
        "/query_segment?segment=127.0.0.1:17331",
        200,
        TEXT,
        "127.0.0.1:17331\nUsed(bytes): 5001\nCapacity(bytes) : 67108864\n");
    expectGet("/query_segment?segment=x", 500, TEXT, "Failed to query segment");
    expectGet("/query_segment", 500, TEXT, "Failed to query segment");
    expectGet(
        "/api/v1/segments/status?segment=127.0.0.1%3A17331",
        200,
        JSON,
        "{\"success\":true,\"segment\":\"127.0.0.1:17331\",\"status\":1,\"status_name\":\"OK\",\"error_code\":0,"
            + "\"error_message\":\"\"}");
    expectGet(
        "/api/v1/segments/status?segment=x",
        404,
        JSON,
        "{\"success\":false,\"error_code\":-101,\"error_message\":\"SEGMENT_NOT_FOUND\"}");
    expectGet(
        "/api/v1/segments/status",
        400,
        JSON,
        "{\"success\":false,\"error_code\":-600,\"error_message\":\"Missing segment query parameter\"}");
  }

  @Test
  void aNameWithSeveralSegmentsShowsTheMostAvailableStatusAndTheSum() {
    master.segments.add(FakeMaster.segment(1, "n", SegmentStatus.UNMOUNTING, 1));
    master.segments.add(FakeMaster.segment(2, "n", SegmentStatus.OK, 2));
    master.segments.add(FakeMaster.segment(3, "gone", SegmentStatus.UNMOUNTING, 0));
    expectGet("/get_all_segments", 200, TEXT, "n\n");
    assertThat(send("GET", "/api/v1/segments/status?segment=n", "").body())
        .contains("\"status_name\":\"OK\"");
    assertThat(send("GET", "/query_segment?segment=n", "").body()).contains("Used(bytes): 3\n");
  }

  @Test
  void anEmptyStoreHasUpstreamsForms() {
    expectGet("/get_all_keys", 200, TEXT, "");
    expectGet("/get_all_segments", 200, TEXT, "");
    expectGet("/get_segments_detail", 200, JSON, "{\"total_segments\":0,\"segments\":[]}");
    expectGet(
        "/kv_events/status",
        200,
        JSON,
        "{\"enabled\":false,\"published_batches\":0,\"published_events\":0,\"dropped_events\":0,"
            + "\"skipped_keyless_events\":0}");
  }

  @Test
  void keysAreListedByteForByteAlsoInGreatNumber() {
    master.keys.add(WireText.encode("schön"));
    expectGet("/get_all_keys", 200, TEXT, "schön\n");
    for (int i = 0; i < 300_000; i++) {
      master.keys.add("key-" + i);
    }
    String body = send("GET", "/get_all_keys", "").body();
    assertThat(body.lines()).hasSize(300_001);
    assertThat(body).endsWith("key-299999\n");
  }

  private static Reply.ReplicaList replicas() {
    return new Reply.ReplicaList(
        List.of(
            new ReplicaDescriptor.Memory(
                1, 1_000, 139_776_506_201_088L, "tcp", "127.0.0.1:15052", 3),
            new ReplicaDescriptor.Disk(2, "/d/k", 1_000, 3)),
        10_000,
        OptionalLong.empty());
  }

  @Test
  void oneKeyIsReadWithoutDecodingAndWithoutALease() {
    master.handler = (request, sink) -> sink.reply(Reply.ok(replicas()));
    expectGet(
        "/query_key?key=k%201",
        200,
        JSON,
        "{\"success\":true,\"data\":[{\"size_\":1000,\"buffer_address_\":139776506201088,\"protocol_\":\"tcp\","
            + "\"transport_endpoint_\":\"127.0.0.1:15052\"}]}");
    Request.GetReplicaList request = (Request.GetReplicaList) master.received.get(0);
    assertThat(request.key()).isEqualTo("k%201");
    assertThat(request.rpc().methodName()).isEqualTo("GetReplicaListForAdmin");
    master.handler = (call, sink) -> sink.reply(Reply.error(ErrorCode.REPLICA_IS_NOT_READY));
    expectGet(
        "/query_key",
        404,
        JSON,
        "{\"success\":false,\"error_code\":-703,\"error_message\":\"REPLICA_IS_NOT_READY\"}");
  }

  @Test
  void severalKeysAreDecodedSplitMergedAndSorted() {
    master.handler =
        (request, sink) ->
            sink.reply(
                new Reply.Many(
                    ((Request.BatchGetReplicaList) request)
                        .keys().stream()
                            .map(
                                k ->
                                    k.equals("k1")
                                        ? Result.ok(replicas())
                                        : Result.error(ErrorCode.OBJECT_NOT_FOUND))
                            .toList()));
    String missing =
        "{\"ok\":false,\"error\":\"OBJECT_NOT_FOUND\",\"values\":null,\"disk_values\":null,"
            + "\"local_disk_values\":null,\"nof_values\":null}";
    expectGet(
        "/batch_query_keys?keys=k1,zz,k1,,sp+ace%2B%2Cb",
        200,
        JSON,
        "{\"success\":true,\"data\":{\"\":"
            + missing
            + ",\"b\":"
            + missing
            + ",\"k1\":{\"ok\":true,\"error\":null,\"values\":[{\"size_\":1000,\"buffer_address_\":139776506201088,"
            + "\"protocol_\":\"tcp\",\"transport_endpoint_\":\"127.0.0.1:15052\"}],\"disk_values\":[{\"file_path\":"
            + "\"/d/k\",\"object_size\":1000}],\"local_disk_values\":null,\"nof_values\":null},\"sp ace+\":"
            + missing
            + ",\"zz\":"
            + missing
            + "}}");
    expectGet(
        "/batch_query_keys",
        400,
        JSON,
        "{\"success\":false,\"error\":\"No keys provided. Use ?keys=key1,key2,...\"}");
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /api/v1/tenant_quotas",
    "PUT, /api/v1/tenant_quotas?tenant_id=a",
    "DELETE, /api/v1/tenant_quotas?tenant_id=a",
    "GET, /api/v1/dfs/shard_count",
    "GET, /api/v1/drain_jobs/query?job_id=1-2",
    "POST, /api/v1/drain_jobs/cancel?job_id=1-2"
  })
  void partsThatAreOffAnswerConflict(String method, String path) {
    expect(send(method, path, ""), 409, JSON, UNAVAILABLE);
  }

  @Test
  void malformedRequestsOfPartsThatAreOffAreStillBadRequests() {
    expect(send("POST", "/api/v1/drain_jobs", "{\"segments\":[\"a\"]}"), 409, JSON, UNAVAILABLE);
    assertThat(send("POST", "/api/v1/drain_jobs", "{bad").statusCode()).isEqualTo(400);
    assertThat(send("POST", "/api/v1/drain_jobs", "").body()).contains("Invalid JSON body");
    expectGet(
        "/api/v1/drain_jobs/query",
        400,
        JSON,
        "{\"success\":false,\"error_code\":-600,\"error_message\":\"Missing or invalid job_id\"}");
    expect(
        send("PUT", "/api/v1/tenant_quotas", ""),
        400,
        JSON,
        "{\"success\":false,\"error_code\":-600,\"error_message\":\"Missing or invalid tenant_id\"}");
  }

  @Test
  void softPinsAreSetAndCleared() {
    master.softPinReply =
        new Reply.Many(List.of(Result.ok(), Result.error(ErrorCode.OBJECT_NOT_FOUND)));
    String answer =
        "{\"results\":[{\"key\":\"a\",\"error_code\":0},{\"key\":\"b\",\"error_code\":-704}]}";
    expect(
        send("POST", "/api/v1/soft_pin", "{\"keys\":[\"a\",\"b\"],\"ttl_ms\":5}"),
        200,
        JSON,
        answer);
    assertThat(master.softPinTtlMs).hasValue(5);
    expect(
        send("POST", "/api/v1/soft_unpin", "{\"keys\":[\"a\",\"b\"],\"x\":1}"), 200, JSON, answer);
    assertThat(master.softPinTtlMs).isEmpty();
    master.softPinReply = Reply.error(ErrorCode.INVALID_PARAMS);
    assertThat(send("POST", "/api/v1/soft_unpin", "{\"keys\":[\"a\"]}").statusCode())
        .isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"keys\":[\"a\"]}",
        "{\"keys\":[],\"ttl_ms\":5}",
        "{\"keys\":[\"a\"],\"ttl_ms\":\"5\"}",
        "{\"keys\":[\"a\"],\"ttl_ms\":5,\"tenant_id\":1}",
        "{\"keys\":\"a\",\"ttl_ms\":5}",
        "[]",
        "",
        "{bad"
      })
  void softPinsThatMakeNoSenseAreBadRequests(String body) {
    HttpResponse<String> response = send("POST", "/api/v1/soft_pin", body);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).startsWith("{\"success\":false,\"error_code\":-600,");
  }

  @Test
  void moreThan4096KeysAreTooManyToPin() {
    String keys = "\"k\",".repeat(4_096) + "\"k\"";
    assertThat(
            send("POST", "/api/v1/soft_pin", "{\"keys\":[" + keys + "],\"ttl_ms\":5}").statusCode())
        .isEqualTo(400);
    assertThat(master.softPinKeys).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "'', false, ''",
    "?force=true, true, ''",
    "?force=1&tenant_id=a, true, a",
    "?force=yes, false, ''"
  })
  void removeAllTakesForceAndTenant(String query, boolean forced, String tenant) {
    master.handler = (request, sink) -> sink.reply(new Reply.Bare(3L));
    expect(
        send("POST", "/api/v1/remove_all" + query, ""),
        200,
        JSON,
        "{\"success\":true,\"removed_count\":3}");
    assertThat(master.received).containsExactly(new Request.RemoveAll(forced, tenant));
  }

  @Test
  void removeAllRefusesABodyThatItDoesNotUnderstand() {
    assertThat(send("POST", "/api/v1/remove_all", "{\"key\":\"a\"}").statusCode()).isEqualTo(400);
    assertThat(master.received).isEmpty();
  }

  @Test
  void withATokenChangesNeedItAndInspectionDoesNot() {
    close();
    start(Optional.of("secret"));
    master.handler = (request, sink) -> sink.reply(new Reply.Bare(0L));
    HttpResponse<String> refused = send("POST", "/api/v1/remove_all", "");
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    assertThat(send("POST", "/api/v1/remove_all", "", "Authorization", "Bearer wrong").statusCode())
        .isEqualTo(401);
    assertThat(master.received).isEmpty();
    assertThat(
            send("POST", "/api/v1/remove_all", "", "Authorization", "Bearer secret").statusCode())
        .isEqualTo(200);
    assertThat(send("GET", "/get_all_segments", "").statusCode()).isEqualTo(200);
  }

  @Test
  void aFailingPageIsAnInternalErrorAndTheNextRequestIsServed() {
    master.handler =
        (request, sink) -> {
          throw new IllegalStateException("broken on purpose");
        };
    expectGet(
        "/query_key?key=a",
        500,
        JSON,
        "{\"success\":false,\"error_code\":-1,\"error_message\":\"INTERNAL_ERROR\"}");
    assertThat(send("GET", "/health", "").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0E0",
    "50, 5E1",
    "51.5625, 5.15625E1",
    "7.452070713043213E-3, 7.452070713043213E-3",
    "100, 1E2",
    "-0.5, -5E-1",
    "1, 1E0"
  })
  void numbersHaveTheFormOfUpstreamsLibrary(double value, String text) {
    assertThat(Json.scientific(value)).isEqualTo(text);
  }
}
