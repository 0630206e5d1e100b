package io.tidemark.server.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class NodeLoopTest {
  private final CountDownLatch ticks = new CountDownLatch(3);
  private final CompletableFuture<Throwable> broken = new CompletableFuture<>();
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final NodeLoop loop = new NodeLoop(vertx, ticks::countDown, broken::complete);

  @AfterEach
  void stop() throws Exception {
    loop.stop();
    vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  @Test
  void tasksRunInOrderOnOneThreadAndTicksComeBetween() throws Exception {
    loop.start();
    List<Integer> seen = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      int number = i;
      loop.execute(() -> seen.add(number));
    }
    assertThat(loop.ask(seen::size, 5_000)).contains(1_000);
    assertThat(seen).isSorted();
    assertThat(ticks.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void whatAStreamBringsRunsWhereItArrivesAndWhatATaskGivesWaitsForItsEnd() throws Exception {
    loop.start();
    List<String> seen = new ArrayList<>();
    CompletableFuture<List<String>> done = new CompletableFuture<>();
    loop.ask(() -> 1, 5_000);
    vertx.runOnContext(
        nothing -> {
          loop.execute(
              () -> {
                loop.execute(() -> seen.add("given"));
                loop.execute(() -> done.complete(seen));
                seen.add("arrived");
              });
          seen.add("handled");
        });
    assertThat(done.get(5, TimeUnit.SECONDS)).containsExactly("arrived", "handled", "given");
  }

  @Test
  void whatATaskThrowsIsToldAndTheLoopDoesNothingMore() throws Exception {
    loop.start();
    IllegalStateException defect = new IllegalStateException("defect");
    loop.execute(
        () -> {
          throw defect;
        });
    assertThat(broken.get(5, TimeUnit.SECONDS)).isSameAs(defect);
    assertThat(loop.ask(() -> 1, 50)).isEmpty();
  }

  @Test
  void aFullQueueIsToldAndNeverWaitedFor() {
    for (int i = 0; i < 1 << 16; i++) {
      loop.execute(() -> {});
    }
    assertThat(broken).isNotDone();
    assertThat(loop.waiting()).isEqualTo(1 << 16);
    loop.execute(() -> {});
    assertThat(broken.join()).isInstanceOf(RejectedExecutionException.class);
  }
}
