package io.tidemark.core;

import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.OperationLog;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.state.StateRecord;
import io.tidemark.api.state.StateSink;
import io.tidemark.core.segment.ClientRecord;
import io.tidemark.core.segment.MountedSegment;
import io.tidemark.core.table.ObjectCursor;
import io.tidemark.core.table.ObjectTable;
import io.tidemark.core.table.RecordBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Hands the state at one log position to a sink while the master serves (COR-27, the form for a
 * node alone).
 *
 * <p>The cut is made while nobody holds the core role: the small tables are copied, the objects are
 * marked. After that each stripe is copied under its lock on the caller's thread; a record that
 * changes before its stripe's turn is copied first. What that costs in memory is bounded, excess
 * gives the capture up.
 */
final class StateCapture {
  private static final long COMMIT_TIMEOUT_S = 60;

  /** Objects handed out between two looks at whether a rest is due. */
  private static final int OBJECTS_A_STEP = 64;

  private final MasterState state;
  private final Core core;
  private final OperationLog log;
  private final Pacing pacing;

  /**
   * A capture.
   *
   * @param pacing when to rest; a capture that is about to exceed its memory goes without
   */
  StateCapture(Contexts contexts, Core core, OperationLog log, Pacing pacing) {
    this.state = contexts.state();
    this.core = core;
    this.log = log;
    this.pacing = pacing;
  }

  /** What is fixed at the cut. */
  record Cut(
      LogPosition position,
      List<StateRecord> before,
      List<StateRecord> after,
      Map<Integer, String> groupIds,
      long rest) {}

  /**
   * Runs one capture on the caller's thread; one at a time.
   *
   * @param maxPreservedBytes bound of the memory that changing records may take meanwhile
   * @throws ObjectTable.CaptureAbortedException if that is exceeded
   * @throws IllegalStateException if the cut does not commit, or the term is over
   */
  void run(StateSink sink, long maxPreservedBytes) {
    Cut cut = core.atRest(() -> cut(state, log.end(), maxPreservedBytes));
    try {
      awaitCommit();
      pacing.begin();
      write(state, cut, sink, this::rest);
    } finally {
      state.objects().endCapture();
    }
  }

  /**
   * Hands out what was fixed, and the objects as they were then.
   *
   * @param rest called often, without locks
   */
  static void write(MasterState state, Cut cut, StateSink sink, Runnable rest) {
    sink.begin(cut.position());
    cut.before().forEach(sink::record);
    long[] totals = captureObjects(state, sink, cut, rest);
    cut.after().forEach(sink::record);
    sink.end(Digest.combine(totals[0], cut.rest()), totals[1]);
  }

  /** Fixes the state, which stands at {@code position}; nothing may change it meanwhile. */
  static Cut cut(MasterState state, LogPosition position, long maxPreservedBytes) {
    List<StateRecord> before = new ArrayList<>();
    before.add(state.facts());
    for (ClientRecord client : state.segments().clients()) {
      before.add(
          new StateRecord.Client(client.id(), client.state(), client.hostId(), client.release()));
    }
    for (MountedSegment s : state.segments().snapshot()) {
      before.add(
          new StateRecord.Segment(
              s.number(),
              s.info(),
              s.clientId(),
              s.status(),
              s.graceDeadlineMs(),
              s.unmountReason()));
    }
    before.addAll(state.discards().export());
    List<StateRecord> after = new ArrayList<>(state.writes().export());
    state.objects().startCapture(position.index(), maxPreservedBytes);
    return new Cut(position, before, after, state.groups().export(), Digest.ofRest(state));
  }

  /** Only what is committed may be in a snapshot (COR-26). */
  private void awaitCommit() {
    CompletableFuture<Reply> committed = new CompletableFuture<>();
    core.submit(new Command.Barrier(), committed::complete);
    try {
      if (!committed.get(COMMIT_TIMEOUT_S, TimeUnit.SECONDS).equals(Reply.OK)) {
        throw new IllegalStateException("the term ended during the capture");
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("stopped during the capture", stopped);
    } catch (ExecutionException | TimeoutException stuck) {
      throw new IllegalStateException("the cut of the capture did not commit in time", stuck);
    }
  }

  /** Digest and number of the objects. */
  private static long[] captureObjects(MasterState state, StateSink sink, Cut cut, Runnable rest) {
    long[] totals = new long[2];
    ObjectCursor object = new ObjectCursor();
    RecordBuffer records = new RecordBuffer();
    for (int i = 0; i < ObjectTable.STRIPES; i++) {
      state.objects().captureStripe(i, records);
      rest.run();
      while (records.next(object)) {
        totals[0] += object.digest();
        totals[1]++;
        int group = object.groupNumber();
        sink.object(object, group == 0 ? "" : cut.groupIds().get(group));
        if (totals[1] % OBJECTS_A_STEP == 0) {
          rest.run();
        }
      }
    }
    return totals;
  }

  private void rest() {
    pacing.hurry(state.objects().captureIsPressed());
    pacing.afterSlice();
  }
}
