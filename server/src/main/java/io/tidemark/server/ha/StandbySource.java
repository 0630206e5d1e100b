package io.tidemark.server.ha;

import io.tidemark.api.state.StateSink;
import io.tidemark.core.ReplayCapture;
import io.tidemark.core.Replayer;
import io.tidemark.oplog.ChronicleLog;
import io.tidemark.server.node.Node;
import io.tidemark.server.snapshot.LogSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A standby's state and log as what snapshots are taken of. The state is fixed on the node's loop,
 * between two commands; entries are applied on while it is written (COR-27).
 */
final class StandbySource extends LogSource {
  private static final long CUT_TIMEOUT_MS = 10_000;

  private final Node node;
  private final NodeLoop loop;
  private final Replayer state;
  private final StatusBoard board;

  StandbySource(Node node, NodeLoop loop, ChronicleLog log, Replayer state, StatusBoard board) {
    super(log);
    this.node = node;
    this.loop = loop;
    this.state = state;
    this.board = board;
  }

  @Override
  public long endIndex() {
    return board.get().appliedIndex();
  }

  @Override
  public long tableBytes() {
    return state.state().objects().usedBytes();
  }

  @Override
  public void capture(StateSink sink, long maxPreservedBytes) {
    CompletableFuture<Optional<ReplayCapture>> cut = new CompletableFuture<>();
    loop.execute(
        () ->
            node.capture(
                maxPreservedBytes,
                capture -> {
                  if (!cut.complete(capture)) {
                    capture.ifPresent(ReplayCapture::end);
                  }
                }));
    await(cut).writeTo(sink);
  }

  private static ReplayCapture await(CompletableFuture<Optional<ReplayCapture>> cut) {
    try {
      return cut.get(CUT_TIMEOUT_MS, TimeUnit.MILLISECONDS)
          .orElseThrow(() -> new IllegalStateException("this node is no standby any more"));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw givenUp(cut, "interrupted");
    } catch (ExecutionException | TimeoutException late) {
      throw givenUp(cut, "the node did not reach the end of a command in time");
    }
  }

  /** Nobody waits any more: a cut that comes all the same is ended. */
  private static IllegalStateException givenUp(
      CompletableFuture<Optional<ReplayCapture>> cut, String why) {
    if (!cut.cancel(false) && !cut.isCompletedExceptionally()) {
      cut.join().ifPresent(ReplayCapture::end);
    }
    return new IllegalStateException(why);
  }

  /** On the loop, since the log is cut or restarted there. */
  @Override
  public int removeBefore(long index) {
    return loop.ask(() -> log().removeBefore(index).size(), CUT_TIMEOUT_MS).orElse(0);
  }
}
