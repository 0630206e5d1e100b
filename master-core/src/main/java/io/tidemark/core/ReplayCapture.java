package io.tidemark.core;

import io.tidemark.api.state.StateSink;

/**
 * A standby's state at one log position, to be written while further entries are applied (COR-27).
 * A promotion meanwhile does not disturb it, since the state goes on as it is.
 */
public final class ReplayCapture {
  private final MasterState state;
  private final StateCapture.Cut cut;

  ReplayCapture(MasterState state, StateCapture.Cut cut) {
    this.state = state;
    this.cut = cut;
  }

  /**
   * Hands the state out and ends the capture. Once; any one thread, which may take its time.
   *
   * @throws io.tidemark.core.table.ObjectTable.CaptureAbortedException if more changed than may be
   *     kept in memory
   */
  public void writeTo(StateSink sink) {
    try {
      StateCapture.write(state, cut, sink, () -> {});
    } finally {
      end();
    }
  }

  /** Ends the capture, if it was not written. Any thread. */
  public void end() {
    state.objects().endCapture();
  }
}
