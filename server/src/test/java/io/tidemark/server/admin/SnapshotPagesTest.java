package io.tidemark.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.server.snapshot.SnapshotRequests.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code POST /api/v1/snapshot}. */
@Timeout(30)
class SnapshotPagesTest {
  private static final AdminRequest POST =
      new AdminRequest(1, "POST", "/api/v1/snapshot", "", new byte[0], "", "peer");

  private static Outcome outcome(Optional<String> failure) {
    return new Outcome(failure, 7, 2, 3, 400, 50, "/data/snapshots/s", false);
  }

  private static String text(AdminResponse answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  @Test
  void theAnswerDescribesWhatWasTaken() {
    SnapshotPages pages =
        new SnapshotPages(() -> CompletableFuture.completedFuture(outcome(Optional.empty())));
    AdminResponse answer = pages.take(POST);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(text(answer))
        .isEqualTo(
            "{\"success\":true,\"pending\":false,\"index\":7,\"epoch\":2,\"objects\":3,\"bytes\":400,"
                + "\"ms\":50,\"already_there\":false,\"folder\":\"/data/snapshots/s\"}");
  }

  @Test
  void aFailureIsAnErrorWithItsReason() {
    SnapshotPages pages =
        new SnapshotPages(
            () -> CompletableFuture.completedFuture(outcome(Optional.of("the disk is full"))));
    AdminResponse answer = pages.take(POST);
    assertThat(answer.status()).isEqualTo(500);
    assertThat(text(answer)).contains("\"success\":false").contains("the disk is full");
  }

  @Test
  void onlyOneCallerWaits() throws Exception {
    CompletableFuture<Outcome> slow = new CompletableFuture<>();
    CountDownLatch asked = new CountDownLatch(1);
    SnapshotPages pages =
        new SnapshotPages(
            () -> {
              asked.countDown();
              return slow;
            });
    CompletableFuture<AdminResponse> first = CompletableFuture.supplyAsync(() -> pages.take(POST));
    asked.await();
    assertThat(pages.take(POST).status()).isEqualTo(409);
    slow.complete(outcome(Optional.empty()));
    assertThat(first.get().status()).isEqualTo(200);
  }
}
