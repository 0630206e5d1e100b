package io.tidemark.core;

import io.tidemark.api.event.Event;

/**
 * Takes the events of the batch being decided: each is applied at once and becomes part of the log
 * entry.
 */
@FunctionalInterface
public interface EventSink {
  void add(Event event);
}
