package io.tidemark.server.rpc;

import static io.tidemark.server.rpc.TestClient.EXIST_A;
import static io.tidemark.server.rpc.TestClient.TRUE;
import static io.tidemark.server.rpc.TestClient.withSeq;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.core.ReplySink;
import io.tidemark.server.Await;
import io.tidemark.server.FakeMaster;
import io.tidemark.server.TestSettings;
import io.tidemark.server.config.RpcConfig;
import io.tidemark.server.metrics.Operation;
import io.tidemark.server.metrics.RequestMetrics;
import io.tidemark.server.metrics.ServerMetrics;
import io.tidemark.wire.schema.FunctionIds;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RpcListenerTest {

  private static final String INVALID_ARGUMENT =
      "1500040000000000140000000000000076facf9d0f696e76616c69642072706320617267";
  private static final String NOT_REGISTERED =
      "15000b0000000000240000000000000076facf9d1f746865207270632066756e6374696f6e206e6f742072656769737465726564";

  private final FakeMaster master = new FakeMaster();
  private final RequestMetrics requests = new RequestMetrics();
  private final ServerMetrics metrics = new ServerMetrics();
  private final List<TestClient> clients = new ArrayList<>();
  private RpcListener listener;

  private TestClient connect() {
    if (listener == null) {
      start(TestSettings.rpc());
    }
    TestClient client = new TestClient(listener.port());
    clients.add(client);
    return client;
  }

  private void start(RpcConfig config) {
    listener =
        new RpcListener(
            config, master, new RpcListener.Counters(requests, metrics), System::nanoTime);
    listener.start().toCompletionStage().toCompletableFuture().join();
  }

  @AfterEach
  void close() {
    clients.forEach(TestClient::close);
    listener.close().toCompletionStage().toCompletableFuture().join();
  }

  private static String answer(int seq) {
    return HexFormat.of().formatHex(withSeq(TRUE, seq));
  }

  private static byte[] pipeline(int count) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int seq = 0; seq < count; seq++) {
      all.writeBytes(withSeq(EXIST_A, seq));
    }
    return all.toByteArray();
  }

  @Test
  void aRequestIsAnsweredAndCounted() {
    TestClient client = connect();
    client.send(EXIST_A);
    assertThat(client.receive()).isEqualTo(TRUE);
    assertThat(requests.requests(Operation.EXIST_KEY)).isEqualTo(1);
  }

  @Test
  void manyRequestsInOneSegmentAreAllAnsweredInOrder() {
    TestClient client = connect();
    client.send(pipeline(500));
    for (int seq = 0; seq < 500; seq++) {
      assertThat(client.receive()).isEqualTo(answer(seq));
    }
  }

  @Test
  void requestsMayBeSplitAtEveryByte() {
    TestClient client = connect();
    byte[] pair = pipeline(2);
    for (int split = 1; split < pair.length; split++) {
      client.send(Arrays.copyOfRange(pair, 0, split));
      client.send(Arrays.copyOfRange(pair, split, pair.length));
      assertThat(client.receiveSeq()).isZero();
      assertThat(client.receiveSeq()).isEqualTo(1);
    }
    for (byte single : pair) {
      client.send(new byte[] {single});
    }
    assertThat(client.receiveSeq()).isZero();
    assertThat(client.receiveSeq()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "1600000000000000095f38890e00000000000000d81ef97c01610764656661756c74, bad_magic",
    "1501000000000000095f38890e00000000000000d81ef97c01610764656661756c74, bad_version",
    "1500010000000000095f38890e00000000000000d81ef97c01610764656661756c74, bad_serialize_type",
    "1500000000000000095f3889ffffff7f00000000, too_large"
  })
  void whatIsNoFrameClosesTheConnectionAndNoOther(String frame, String reason) {
    TestClient neighbour = connect();
    TestClient client = connect();
    client.send(EXIST_A + frame);
    assertThat(client.receive()).isEqualTo(TRUE);
    assertThat(client.closedByServer()).isTrue();
    assertThat(metrics.refused.get("unknown", reason, "unknown")).isEqualTo(1);
    neighbour.send(EXIST_A);
    assertThat(neighbour.receive()).isEqualTo(TRUE);
  }

  @ParameterizedTest
  @CsvSource({
    "1500000000000000095f38890e000000000000001122332001610764656661756c74, ExistKey, wrong_hash",
    "1500000000000000095f38890000000000000000, ExistKey, truncated",
    "1500000000000000095f38890d00000000000000d81ef97c01610764656661756c, ExistKey, truncated",
    "1500000000000000095f38891600000000000000d91ef97c04fd810c800cff0001610764656661756c74, ExistKey, literal_mismatch"
  })
  void argumentsThatDoNotDecodeAreRefusedAndTheConnectionGoesOn(
      String frame, String rpc, String reason) {
    TestClient client = connect();
    client.send(frame);
    assertThat(client.receive()).isEqualTo(INVALID_ARGUMENT);
    client.send(EXIST_A);
    assertThat(client.receive()).isEqualTo(TRUE);
    assertThat(metrics.refused.get(rpc, reason, "unknown")).isEqualTo(1);
    assertThat(master.received).hasSize(1);
  }

  @Test
  void anUnknownFunctionIsNotRegistered() {
    TestClient client = connect();
    client.send("1500000000000000902a8a330e00000000000000d81ef97c01610764656661756c74");
    assertThat(client.receive()).isEqualTo(NOT_REGISTERED);
    client.send(EXIST_A);
    assertThat(client.receive()).isEqualTo(TRUE);
    assertThat(metrics.refused.get("unknown", "unknown_function", "unknown")).isEqualTo(1);
  }

  @Test
  void theRefusedReleaseIsNamedOnceTheConnectionHasShownIt() {
    TestClient client = connect();
    // ExistKey as v0.3.11 and older send it, then a form that nobody sends.
    client.send("1500000000000000095f3889060000000000000076facf9d0161");
    assertThat(client.receive()).isEqualTo(TRUE);
    client.send("1500000000000000095f38890e000000000000001122332001610764656661756c74");
    assertThat(client.receive()).isEqualTo(INVALID_ARGUMENT);
  }

  @Test
  void answersFromOtherThreadsMayComeInAnyOrder() throws InterruptedException {
    BlockingQueue<ReplySink> sinks = new LinkedBlockingQueue<>();
    master.handler = (request, sink) -> sinks.add(sink);
    TestClient client = connect();
    client.send(pipeline(2));
    ReplySink first = sinks.poll(20, TimeUnit.SECONDS);
    ReplySink second = sinks.poll(20, TimeUnit.SECONDS);
    second.reply(Reply.ok(true));
    assertThat(client.receive()).isEqualTo(answer(1));
    first.reply(Reply.ok(true));
    assertThat(client.receive()).isEqualTo(answer(0));
  }

  @Test
  void aSecondAnswerNeverReachesTheClient() {
    master.handler =
        (request, sink) -> {
          sink.reply(Reply.ok(true));
          sink.reply(Reply.ok(false));
        };
    TestClient client = connect();
    client.send(pipeline(2));
    assertThat(client.receive()).isEqualTo(answer(0));
    assertThat(client.receive()).isEqualTo(answer(1));
    assertThat(metrics.doubleAnswers.sum()).isEqualTo(2);
  }

  @Test
  void aHandlerThatThrowsAnswersInternalErrorInsideTheResult() {
    master.handler =
        (request, sink) -> {
          throw new IllegalStateException("broken on purpose");
        };
    TestClient client = connect();
    client.send(EXIST_A);
    assertThat(client.receive()).isEqualTo("15000000000000000900000000000000d200e89000ffffffff");
    master.handler = (request, sink) -> sink.reply(Reply.ok(true));
    client.send(EXIST_A);
    assertThat(client.receive()).isEqualTo(TRUE);
    assertThat(metrics.internalErrors.sum()).isEqualTo(1);
    assertThat(requests.failures(Operation.EXIST_KEY)).isEqualTo(1);
  }

  @Test
  void anAnswerOfTheWrongKindBecomesAnInternalError() {
    master.handler = (request, sink) -> sink.reply(Reply.ok("no boolean"));
    TestClient client = connect();
    client.send(EXIST_A);
    assertThat(client.receive()).isEqualTo("15000000000000000900000000000000d200e89000ffffffff");
    assertThat(metrics.internalErrors.sum()).isEqualTo(1);
  }

  @Test
  void tooManyUnansweredRequestsPauseReadingUntilTheyAreAnswered() throws InterruptedException {
    int count = 20_000;
    start(TestSettings.rpc(4, 64 << 20));
    BlockingQueue<ReplySink> sinks = new LinkedBlockingQueue<>();
    master.handler = (request, sink) -> sinks.add(sink);
    TestClient client = connect();
    CompletableFuture<Void> sending =
        CompletableFuture.runAsync(() -> client.send(pipeline(count)));
    Await.until("reading pauses", () -> metrics.readPauses.sum() > 0);
    long readAtPause = master.received.size();
    assertThat(readAtPause).isLessThan(count);
    assertThat(master.received).hasSize((int) readAtPause);
    Set<Integer> answered = new HashSet<>();
    for (int i = 0; i < count; i++) {
      sinks.poll(20, TimeUnit.SECONDS).reply(Reply.ok(true));
      answered.add(client.receiveSeq());
    }
    sending.join();
    assertThat(answered).hasSize(count);
  }

  @Test
  void aReaderThatTakesNothingPausesItsOwnConnectionOnly() {
    String large = "x".repeat(1 << 20);
    master.handler =
        (request, sink) ->
            sink.reply(request instanceof Request.ExistKey ? Reply.ok(true) : Reply.ok(large));
    TestClient slow = connect();
    CompletableFuture<Void> sending =
        CompletableFuture.runAsync(
            () -> {
              for (int seq = 0; seq < 200; seq++) {
                slow.send(withSeq("150000000000000056bb817b0000000000000000", seq));
              }
            });
    Await.until("reading pauses", () -> metrics.readPauses.sum() > 0);
    TestClient neighbour = connect();
    neighbour.send(EXIST_A);
    assertThat(neighbour.receive()).isEqualTo(TRUE);
    for (int seq = 0; seq < 200; seq++) {
      assertThat(slow.receiveSeq()).isEqualTo(seq);
    }
    sending.join();
  }

  @Test
  void callsThatAreNotServedSaySoInsideTheirResultAndAreCounted() {
    TestClient client = connect();
    // PollRemoveAll(client id), a call that changes nothing and is not served yet.
    client.send("15000000000000002510b2051400000000000000e0836d3c01000000000000000200000000000000");
    assertThat(client.receive()).isEqualTo("15000000000000000900000000000000d200e890000cfcffff");
    assertThat(metrics.unserved.get("PollRemoveAll")).isEqualTo(1);
    assertThat(master.received).isEmpty();
  }

  @Test
  void weightCallsAreNotRegisteredAndCounted() {
    TestClient client = connect();
    byte[] frame = TestClient.withSeq(EXIST_A, 0);
    ByteBuffer.wrap(frame)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(8, FunctionIds.of(Rpc.GET_WEIGHT_REVISION));
    client.send(frame);
    assertThat(client.receive()).isEqualTo(NOT_REGISTERED);
    assertThat(metrics.unserved.get("GetWeightRevision")).isEqualTo(1);
    assertThat(metrics.refused.get("GetWeightRevision", "weight_call", "v0.3.14")).isEqualTo(1);
  }

  @Test
  void anIdleConnectionIsClosedOnlyIfATimeoutIsSet() {
    RpcConfig base = TestSettings.rpc();
    start(
        new RpcConfig(
            base.host(),
            0,
            1,
            true,
            1,
            base.defaultRelease(),
            base.maxFrameBytes(),
            base.maxOutstandingRequests(),
            base.maxOutstandingBytes(),
            base.writeQueueBytes()));
    TestClient client = connect();
    client.send(EXIST_A);
    assertThat(client.receive()).isEqualTo(TRUE);
    assertThat(client.closedByServer()).isTrue();
  }

  @Test
  void everyConnectionHasItsOwnIdAndItsEndIsTold() throws InterruptedException {
    TestClient first = connect();
    TestClient second = connect();
    first.send(EXIST_A);
    first.receive();
    second.send(EXIST_A);
    second.receive();
    first.close();
    second.close();
    Set<Long> ids = new HashSet<>();
    ids.add(master.closedConnections.poll(20, TimeUnit.SECONDS));
    ids.add(master.closedConnections.poll(20, TimeUnit.SECONDS));
    assertThat(ids).hasSize(2).doesNotContainNull().allMatch(id -> id > 0);
    assertThat(metrics.connectionsAccepted.sum()).isEqualTo(2);
    assertThat(metrics.connectionsClosed.sum()).isEqualTo(2);
  }

  @Test
  void anAnswerAfterTheClientIsGoneIsDropped() throws InterruptedException {
    BlockingQueue<ReplySink> sinks = new LinkedBlockingQueue<>();
    master.handler = (request, sink) -> sinks.add(sink);
    TestClient client = connect();
    client.send(EXIST_A);
    ReplySink sink = sinks.poll(20, TimeUnit.SECONDS);
    client.close();
    assertThat(master.closedConnections.poll(20, TimeUnit.SECONDS)).isNotNull();
    sink.reply(Reply.ok(true));
    master.handler = (request, next) -> next.reply(Reply.ok(true));
    TestClient other = connect();
    other.send(EXIST_A);
    assertThat(other.receive()).isEqualTo(TRUE);
  }
}
