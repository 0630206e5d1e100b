package io.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.ReplyEncoder;
import io.tidemark.wire.WireBuffer;
import io.tidemark.wire.schema.WireProfile;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client against a listener that says what the test wants. */
@Timeout(30)
class MasterConnectionTest {
  private static final Request EXISTS = new Request.ExistKey(Rpc.EXIST_KEY, "key", "default");
  private static final Request REMOVE = new Request.Remove("key", false, "default");

  private StubServer server;
  private MasterConnection connection;

  @BeforeEach
  void connect() throws IOException {
    server = new StubServer();
    connection = MasterConnection.open(server.address(), ClientOptions.DEFAULT);
  }

  @AfterEach
  void close() throws IOException {
    connection.close();
    server.close();
  }

  @Test
  void answersAreMatchedToCallsInWhateverOrderTheyCome() throws Exception {
    CompletableFuture<Reply> exists = connection.submit(EXISTS);
    CompletableFuture<Reply> removed = connection.submit(REMOVE);
    int first = server.next().seq();
    int second = server.next().seq();
    server.send(frame(Rpc.REMOVE, Reply.error(ErrorCode.OBJECT_HAS_LEASE), second));
    assertThat(get(removed)).isEqualTo(Reply.error(ErrorCode.OBJECT_HAS_LEASE));
    server.send(frame(Rpc.EXIST_KEY, Reply.ok(true), first));
    assertThat(get(exists)).isEqualTo(Reply.ok(true));
  }

  @Test
  void anRpcErrorIsAReplyAndLeavesTheConnectionOpen() throws Exception {
    CompletableFuture<Reply> exists = connection.submit(EXISTS);
    Reply.RpcError error = new Reply.RpcError(11, "the rpc function not registered");
    server.send(frame(Rpc.EXIST_KEY, error, server.next().seq()));
    assertThat(get(exists)).isEqualTo(error);
    assertThat(connection.isClosed()).isFalse();
  }

  @Test
  void theEndOfTheConnectionFailsEveryCallThatWaits() throws Exception {
    CompletableFuture<Reply> exists = connection.submit(EXISTS);
    CompletableFuture<Reply> removed = connection.submit(REMOVE);
    server.next();
    server.next();
    server.hangUp();
    assertClosed(exists);
    assertClosed(removed);
    assertThat(connection.isClosed()).isTrue();
    assertThatThrownBy(() -> connection.call(EXISTS))
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("closed by the master");
  }

  @Test
  void anAnswerToACallThatWasNotMadeClosesTheConnection() throws Exception {
    CompletableFuture<Reply> exists = connection.submit(EXISTS);
    server.send(frame(Rpc.EXIST_KEY, Reply.ok(true), server.next().seq() + 1));
    assertClosed(exists);
  }

  @Test
  void anAnswerOfAnotherTypeFailsTheCallAndClosesTheConnection() throws Exception {
    CompletableFuture<Reply> exists = connection.submit(EXISTS);
    server.send(frame(Rpc.REMOVE, Reply.OK, server.next().seq()));
    assertThatThrownBy(() -> get(exists))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("does not decode");
    assertThatThrownBy(() -> connection.call(REMOVE)).isInstanceOf(IOException.class);
  }

  @Test
  void aCallWithoutAnswerEndsWithItsTimeLimit() throws Exception {
    try (StubServer silent = new StubServer();
        MasterConnection impatient =
            MasterConnection.open(
                silent.address(), ClientOptions.DEFAULT.withCallTimeout(Duration.ofMillis(100)))) {
      assertThatThrownBy(() -> impatient.call(EXISTS)).isInstanceOf(CallTimeoutException.class);
      assertThat(impatient.isClosed()).isTrue();
    }
  }

  private static Reply get(CompletableFuture<Reply> reply) throws Exception {
    return reply.get(10, TimeUnit.SECONDS);
  }

  private static void assertClosed(CompletableFuture<Reply> reply) {
    assertThatThrownBy(() -> get(reply)).hasCauseInstanceOf(ConnectionClosedException.class);
  }

  private static byte[] frame(Rpc rpc, Reply reply, int seq) {
    WireBuffer out = new WireBuffer();
    ReplyEncoder.encode(rpc, reply, WireProfile.MAIN, seq, out);
    return out.toBytes();
  }
}
