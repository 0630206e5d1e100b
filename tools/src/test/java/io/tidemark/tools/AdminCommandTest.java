package io.tidemark.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code tidemark admin} against pages of an admin port. */
class AdminCommandTest {
  private static final String LEADER =
      """
      {"ha":true,"role":"leader","why":"epoch 4 serves","service_ready":true,"handing_over":false,"epoch":4,
      "cluster":"c","node":"n1","incarnation":"i1","in_sync":[{"node":"n1"},{"node":"n2"}],"min_in_sync":2,
      "standbys":[{"node":"n2","state":"replicate","in_sync":true,"lag_entries":3,"lag_bytes":700,"lag_ms":12}],
      "commit_index":97,"applied_index":100,"log_end":100,"lease_left_ms":2500,"leader_address":"h:50051",
      "view_version":77,"attached":false}""";

  private HttpServer server;
  private int status = 200;
  private String answer = LEADER;
  private String asked = "";

  @BeforeEach
  void open() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked = exchange.getRequestMethod() + " " + exchange.getRequestURI();
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void close() {
    server.stop(0);
  }

  private String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  @Test
  void statusOfALeaderNamesWhoLacksWhat() {
    Cli.Result result = Cli.run("admin", "status", "--address", address());
    assertThat(result.status()).isZero();
    assertThat(asked).isEqualTo("GET /api/v1/cluster");
    assertThat(result.out())
        .contains("role         leader")
        .contains("ends at 100, committed to 97, applied to 100")
        .contains("are sent to h:50051, version 77")
        .contains("2500 ms left")
        .contains("2 members, 2 needed")
        .contains("n2  replicate, in sync, lacks 3 entries (700 bytes, 12 ms)");
  }

  @Test
  void jsonIsThePageAsItIs() {
    Cli.Result result = Cli.run("admin", "status", "--json", "--address", address());
    assertThat(result.json().get(0).get("epoch").asLong()).isEqualTo(4);
  }

  @Test
  void whoNeitherServesNorFollowsGivesStatusOne() {
    answer =
        "{\"ha\":true,\"role\":\"halted\",\"why\":\"because\",\"service_ready\":false,\"attached\":false}";
    Cli.Result result = Cli.run("admin", "status", "--address", address());
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).contains("halted").contains("because").contains("find nobody");
  }

  @Test
  void aSingleMasterSaysSo() {
    answer = "{\"ha\":false,\"role\":\"leader\",\"service_ready\":true,\"epoch\":9}";
    Cli.Result result = Cli.run("admin", "status", "--address", address());
    assertThat(result.status()).isZero();
    assertThat(result.out()).contains("single master, epoch 9, serves");
  }

  @Test
  void nobodyThereGivesStatusFour() {
    server.stop(0);
    assertThat(Cli.run("admin", "status", "--address", address()).status()).isEqualTo(4);
    assertThat(Cli.run("admin", "status", "--address", "no where").status()).isEqualTo(2);
  }

  @Test
  void aHandOverIsDoneOrNotWithTheReason() {
    answer = "{\"success\":true}";
    assertThat(Cli.run("admin", "transfer-leadership", "--address", address()).status()).isZero();
    assertThat(asked).isEqualTo("POST /api/v1/transfer_leadership");
    status = 409;
    answer = "{\"success\":false,\"error_code\":-1010,\"error_message\":\"nobody is in sync\"}";
    Cli.Result refused = Cli.run("admin", "transfer-leadership", "--address", address());
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.err()).contains("nobody is in sync");
    status = 401;
    assertThat(Cli.run("admin", "transfer-leadership", "--address", address()).status())
        .isEqualTo(4);
  }
}
