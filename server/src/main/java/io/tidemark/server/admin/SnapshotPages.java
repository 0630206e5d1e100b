package io.tidemark.server.admin;

import io.tidemark.api.ErrorCode;
import io.tidemark.server.snapshot.SnapshotRequests;
import io.tidemark.server.snapshot.SnapshotRequests.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Takes a snapshot on demand. */
final class SnapshotPages {
  private static final long WAIT_SECONDS = 60;

  private final SnapshotRequests requests;
  private final AtomicBoolean waiting = new AtomicBoolean();

  SnapshotPages(SnapshotRequests requests) {
    this.requests = requests;
  }

  /**
   * Takes one and answers when it is verified; after a minute answers 202, and it goes on. One
   * caller waits at a time, so that the admin port stays usable.
   */
  AdminResponse take(AdminRequest request) {
    if (!waiting.compareAndSet(false, true)) {
      return AdminResponse.error(
          409,
          ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS.value(),
          "Somebody else's snapshot is being taken; ask again when it is done");
    }
    CompletableFuture<Outcome> taken = requests.request();
    try {
      return answer(taken.get(WAIT_SECONDS, TimeUnit.SECONDS));
    } catch (TimeoutException late) {
      return AdminResponse.json(202, "{\"success\":true,\"pending\":true}");
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return AdminResponse.error(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS.value());
    } catch (ExecutionException broken) {
      return AdminResponse.error(500, ErrorCode.INTERNAL_ERROR.value(), broken.getMessage());
    } finally {
      waiting.set(false);
    }
  }

  private static AdminResponse answer(Outcome outcome) {
    if (outcome.failure().isPresent()) {
      return AdminResponse.error(
          500, ErrorCode.INTERNAL_ERROR.value(), "No snapshot: " + outcome.failure().get());
    }
    return AdminResponse.json(
        200,
        "{\"success\":true,\"pending\":false,\"index\":"
            + outcome.index()
            + ",\"epoch\":"
            + outcome.epoch()
            + ",\"objects\":"
            + outcome.objects()
            + ",\"bytes\":"
            + outcome.bytes()
            + ",\"ms\":"
            + outcome.millis()
            + ",\"already_there\":"
            + outcome.alreadyThere()
            + ",\"folder\":"
            + Json.quoted(outcome.folder())
            + "}");
  }
}
