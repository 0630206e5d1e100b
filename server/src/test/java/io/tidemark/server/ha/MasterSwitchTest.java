package io.tidemark.server.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.core.Origin;
import io.tidemark.server.FakeMaster;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MasterSwitchTest {
  private static final Request EXISTS = new Request.ExistKey(Rpc.EXIST_KEY, "k", "default");

  private final MasterSwitch clients = new MasterSwitch();
  private final FakeMaster master = new FakeMaster();
  private final List<Reply> replies = new ArrayList<>();

  @Test
  void withoutAMasterEveryCallIsRefusedInsideItsResult() {
    Reply refused = Reply.error(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    submit(EXISTS);
    submit(new Request.Ping(new Uuid(1, 2)));
    submit(new Request.BatchExistKey(Rpc.BATCH_EXIST_KEY, List.of("a", "b"), "default", 0, 0));
    submit(new Request.RemoveAll(true, ""));
    clients.softPin(List.of("k"), "", OptionalLong.empty(), Origin.ADMIN, replies::add);
    assertThat(replies)
        .containsExactly(
            refused,
            refused,
            Reply.errors(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS, 2),
            new Reply.Bare(0L),
            refused);
    assertThat(clients.refused()).isEqualTo(5);
  }

  @Test
  void aServingMasterGetsTheCallsUntilItServesNoMore() {
    AtomicInteger ticks = new AtomicInteger();
    clients.tick();
    clients.serve(master, ticks::incrementAndGet);
    clients.tick();
    submit(EXISTS);
    assertThat(clients.refused()).isZero();
    assertThat(ticks).hasValue(1);
    clients.refuse();
    clients.tick();
    submit(EXISTS);
    assertThat(clients.refused()).isOne();
    assertThat(ticks).hasValue(1);
  }

  @Test
  void theViewFollows() {
    assertThat(clients.view().isServing()).isFalse();
    assertThat(clients.view().segments()).isEmpty();
    assertThat(clients.view().clients().active()).isZero();
    clients.serve(master, () -> {});
    assertThat(clients.view().isServing()).isEqualTo(master.view().isServing());
    assertThat(clients.view().epoch()).isEqualTo(master.view().epoch());
    clients.refuse();
    assertThat(clients.view().epoch()).isZero();
  }

  private void submit(Request request) {
    clients.submit(request, Origin.ADMIN, replies::add);
  }
}
