package io.tidemark.core.object;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.event.Event;
import java.util.List;

/**
 * Decision on one Start.
 *
 * @param code 0, or why nothing starts
 * @param events what happens; may be non-empty only with code 0
 * @param allocationFailed whether memory was short, which wakes the eviction
 * @param partial whether fewer replicas than asked were placed
 */
record StartOutcome(int code, List<Event> events, boolean allocationFailed, boolean partial) {

  static StartOutcome refuse(ErrorCode code) {
    return new StartOutcome(code.value(), List.of(), false, false);
  }

  static StartOutcome noMemory() {
    return new StartOutcome(ErrorCode.NO_AVAILABLE_HANDLE.value(), List.of(), true, false);
  }

  static StartOutcome of(Event... events) {
    return new StartOutcome(0, List.of(events), false, false);
  }
}
