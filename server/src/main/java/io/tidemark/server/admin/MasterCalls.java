package io.tidemark.server.admin;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.core.MasterService;
import io.tidemark.core.Origin;
import io.tidemark.core.ReplySink;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Calls of the state machine whose answer is waited for. Worker threads only, never an event loop.
 */
final class MasterCalls {

  private static final long TIMEOUT_SEC = 30;

  private final MasterService master;

  MasterCalls(MasterService master) {
    this.master = master;
  }

  /** Submits a request as the admin port. */
  Reply call(Request request) {
    return await(sink -> master.submit(request, Origin.ADMIN, sink));
  }

  /** Sets or clears soft pins. */
  Reply softPin(List<String> keys, String tenant, OptionalLong ttlMs) {
    return await(sink -> master.softPin(keys, tenant, ttlMs, Origin.ADMIN, sink));
  }

  private static Reply await(Consumer<ReplySink> call) {
    CompletableFuture<Reply> answer = new CompletableFuture<>();
    call.accept(answer::complete);
    try {
      return answer.get(TIMEOUT_SEC, TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      return Reply.error(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Reply.error(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible.getCause());
    }
  }
}
