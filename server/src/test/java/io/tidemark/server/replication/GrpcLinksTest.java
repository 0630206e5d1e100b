package io.tidemark.server.replication;

import static io.tidemark.server.replication.LinkEnd.next;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.oplog.replication.Link;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams over the real loopback interface. */
@Timeout(60)
class GrpcLinksTest {
  private static final int MESSAGE_BYTES = 1 << 20;
  private static final byte[] HELLO = {1, 2, 3};

  private LinkLimits limits =
      new LinkLimits(MESSAGE_BYTES, 4L << 20, 2L << 20, 2, 1_000, 60_000, 500);
  private LinkEnd leader;
  private LinkEnd standby;

  @AfterEach
  void closeBoth() throws Exception {
    standby.close();
    leader.close();
  }

  @Test
  void messagesOfEverySizeArriveInOrderBothWays() throws Exception {
    Link dialed = connect();
    for (int i = 0; i < 200; i++) {
      dialed.send(new byte[] {(byte) i});
    }
    LinkEnd.Said first = next(leader.said);
    assertThat(first.message()).containsExactly(0);
    for (int i = 1; i < 200; i++) {
      assertThat(next(leader.said).message()).containsExactly(i);
    }
    byte[] large = new byte[MESSAGE_BYTES];
    Arrays.fill(large, (byte) 7);
    first.link().send(large);
    first.link().send(HELLO);
    LinkEnd.Said answer = next(standby.said);
    assertThat(answer.link()).isSameAs(dialed);
    assertThat(answer.message()).isEqualTo(large);
    assertThat(next(standby.said).message()).isEqualTo(HELLO);
    assertThat(standby.figures.dialed.sum()).isOne();
    assertThat(leader.figures.accepted.sum()).isOne();
  }

  @Test
  void whatWasSentBeforeTheCloseArrivesAndOnlyTheOtherSideIsTold() throws Exception {
    Link dialed = connect();
    dialed.send(HELLO);
    Link accepted = next(leader.said).link();
    accepted.send(HELLO);
    accepted.close();
    assertThat(next(standby.said).message()).isEqualTo(HELLO);
    assertThat(next(standby.closed)).isSameAs(dialed);
    Link again = connectAgain();
    again.send(HELLO);
    next(leader.said);
    assertThat(leader.closed).isEmpty();
  }

  @Test
  void theDialersCloseIsTold() throws Exception {
    Link dialed = connect();
    dialed.send(HELLO);
    LinkEnd.Said hello = next(leader.said);
    dialed.close();
    assertThat(next(leader.closed)).isSameAs(hello.link());
    assertThat(standby.closed).isEmpty();
  }

  @Test
  void anAddressWhereNobodyListensOrThatIsNoneIsToldAsClosed() throws Exception {
    connect();
    String free = leader.address();
    leader.close();
    Link gone = standby.links.dial(free);
    while (next(standby.closed) != gone) {
      assertThat(standby.figures.dialsFailed.sum()).isLessThan(2);
    }
    Link none = standby.links.dial("nowhere");
    assertThat(next(standby.closed)).isSameAs(none);
    assertThat(standby.figures.dialsFailed.sum()).isEqualTo(2);
    leader = new LinkEnd(limits);
  }

  @Test
  void aReceiverThatIsBusyPausesAndASenderThatGoesOnIsCutOff() throws Exception {
    Link dialed = connect();
    dialed.send(HELLO);
    Link accepted = next(leader.said).link();
    CountDownLatch busy = new CountDownLatch(1);
    standby.hold(busy);
    byte[] large = new byte[MESSAGE_BYTES];
    while (leader.figures.overflows.sum() == 0) {
      accepted.send(large);
    }
    assertThat(next(leader.closed)).isSameAs(accepted);
    busy.countDown();
    assertThat(next(standby.closed)).isSameAs(dialed);
    assertThat(standby.said).allMatch(said -> said.message().length == MESSAGE_BYTES);
  }

  @Test
  void aBusyReceiverGoesOnLater() throws Exception {
    Link dialed = connect();
    dialed.send(HELLO);
    Link accepted = next(leader.said).link();
    CountDownLatch busy = new CountDownLatch(1);
    standby.hold(busy);
    byte[] large = new byte[MESSAGE_BYTES];
    for (int i = 0; i < 3; i++) {
      accepted.send(large);
    }
    busy.countDown();
    for (int i = 0; i < 3; i++) {
      assertThat(next(standby.said).message()).hasSize(MESSAGE_BYTES);
    }
    for (int i = 0; i < 10; i++) {
      accepted.send(large);
      assertThat(next(standby.said).message()).hasSize(MESSAGE_BYTES);
    }
    assertThat(standby.closed).isEmpty();
  }

  @Test
  void aMessageThatIsTooLargeEndsTheStream() throws Exception {
    Link dialed = connect();
    dialed.send(new byte[MESSAGE_BYTES + 1]);
    assertThat(next(standby.closed)).isSameAs(dialed);
    assertThat(standby.figures.overflows.sum()).isOne();
  }

  @Test
  void moreStreamsThanAllowedAreTurnedAway() throws Exception {
    connect().send(HELLO);
    next(leader.said);
    connectAgain().send(HELLO);
    next(leader.said);
    Link third = standby.links.dial(leader.address());
    assertThat(next(standby.opened)).isSameAs(third);
    third.send(HELLO);
    assertThat(next(standby.closed)).isSameAs(third);
    assertThat(leader.figures.turnedAway.sum()).isOne();
  }

  /** Our own streams begin with their first message; other programs' need not. */
  @Test
  void aStreamOnWhichNothingIsSaidIsClosed() throws Exception {
    limits = new LinkLimits(MESSAGE_BYTES, 4L << 20, 2L << 20, 2, 1_000, 100, 500);
    connect();
    Vertx vertx = Vertx.vertx();
    try {
      HttpClientOptions options =
          new HttpClientOptions()
              .setProtocolVersion(HttpVersion.HTTP_2)
              .setHttp2ClearTextUpgrade(false);
      vertx
          .createHttpClient(options)
          .request(
              HttpMethod.POST, leader.links.port(), "127.0.0.1", "/tidemark.v1.Replication/Follow")
          .onSuccess(
              call ->
                  call.putHeader("content-type", "application/grpc").setChunked(true).sendHead());
      next(leader.closed);
      assertThat(leader.figures.mute.sum()).isOne();
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
  }

  private Link connect() throws Exception {
    leader = new LinkEnd(limits).listening();
    standby = new LinkEnd(limits);
    return connectAgain();
  }

  private Link connectAgain() throws Exception {
    Link link = standby.links.dial(leader.address());
    assertThat(next(standby.opened)).isSameAs(link);
    return link;
  }
}
