package io.tidemark.wire;

import static io.tidemark.wire.schema.WireProfile.MAIN;
import static io.tidemark.wire.schema.WireProfile.V0_3_10_POST2;
import static io.tidemark.wire.schema.WireProfile.V0_3_12_POST1;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.schema.FunctionIds;
import io.tidemark.wire.schema.WireProfile;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a connection showed of its client can be kept beyond the process and put back. */
class RememberedReleaseTest {
  private static final Uuid CLIENT = new Uuid(11, 22);
  private static final Request GET =
      new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, "k", "default");
  private static final Request PING = new Request.Ping(CLIENT);
  private static final Request PUT =
      new Request.WriteStart(Rpc.PUT_START, CLIENT, "k", 1, ReplicateConfig.DEFAULT, "default");

  private final RequestDecoder decoder = new RequestDecoder();

  private WireProfile send(PeerProfile peer, Request request, WireProfile release) {
    WireBuffer out = new WireBuffer();
    RequestEncoder.encode(request, release, 1, true, out);
    int length = out.size() - Frames.REQUEST_HEADER;
    int function = FunctionIds.of(request.rpc());
    return ((DecodedRequest.Call)
            decoder.decode(function, out.array(), Frames.REQUEST_HEADER, length, peer))
        .replyProfile();
  }

  @Test
  void aClientIsReportedOnceItsAnswersAreCertain() {
    PeerProfile peer = new ProfileRegistry().connection("10.0.0.1");
    send(peer, PING, V0_3_12_POST1);
    assertThat(peer.news()).as("a ping tells no release").isEmpty();
    send(peer, PUT, V0_3_12_POST1);
    assertThat(peer.news()).contains(new PeerProfile.Known(CLIENT, V0_3_12_POST1));
    assertThat(peer.news()).as("told once").isEmpty();
    peer.forgetReported();
    assertThat(peer.news()).isPresent();
  }

  @Test
  void aRestartedMasterAnswersAReaderInItsOwnFormAfterItsFirstPing() {
    for (WireProfile release : List.of(V0_3_10_POST2, V0_3_12_POST1, MAIN)) {
      ProfileRegistry before = new ProfileRegistry();
      PeerProfile writer = before.connection("10.0.0.1");
      send(writer, PUT, release);
      PeerProfile.Known known = writer.news().orElseThrow();

      ProfileRegistry after = new ProfileRegistry();
      after.remember(known.client(), known.release());
      PeerProfile pinging = after.connection("10.0.0.1");
      send(pinging, PING, release);
      PeerProfile reading = after.connection("10.0.0.1");
      assertThat(ProfileSet.sameAnswers(send(reading, GET, release)))
          .isEqualTo(ProfileSet.sameAnswers(release));
      assertThat(reading.takeGuessed()).isFalse();
    }
  }

  @Test
  void aGuessedAnswerIsNoticed() {
    PeerProfile peer = new ProfileRegistry().connection("10.0.0.1");
    send(peer, GET, V0_3_12_POST1);
    assertThat(peer.takeGuessed()).isTrue();
    assertThat(peer.takeGuessed()).isFalse();
  }
}
