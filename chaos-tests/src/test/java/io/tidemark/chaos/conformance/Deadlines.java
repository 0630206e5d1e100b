package io.tidemark.chaos.conformance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The moments at which a master may change its mind by itself, and the rule never to call it near
 * one: two masters notice a deadline at slightly different times.
 */
final class Deadlines {
  /** No call this close to a deadline, before or after. */
  static final long MARGIN_MS = 300;

  /** A call that was meant to come before a deadline and ended this close to it proves nothing. */
  private static final long TOO_CLOSE_MS = 100;

  private record Window(long fromMs, long toMs) {}

  private final List<Window> windows = new ArrayList<>();
  private final Map<String, List<Window>> named = new HashMap<>();
  private boolean late;
  private long guardedAtMs;

  /** Something happens between these two moments. */
  void expect(long fromMs, long toMs) {
    windows.add(new Window(fromMs, toMs));
  }

  /**
   * The same, in place of what was expected under this name, unless the first of that has begun.
   */
  void replace(String name, long nowMs, List<long[]> fromTo) {
    List<Window> old = named.getOrDefault(name, List.of());
    boolean begun = !old.isEmpty() && old.get(0).fromMs() <= nowMs;
    windows.removeIf(window -> old.contains(window) && !begun);
    List<Window> fresh = fromTo.stream().map(w -> new Window(w[0], w[1])).toList();
    windows.addAll(fresh);
    named.put(name, fresh);
  }

  /** Waits until a call may be made. */
  void guard() {
    boolean moved = true;
    while (moved) {
      moved = false;
      long now = ProtocolWait.nowMs();
      for (Window window : List.copyOf(windows)) {
        if (window.toMs() + MARGIN_MS <= now) {
          windows.remove(window);
        } else if (window.fromMs() - MARGIN_MS <= now) {
          ProtocolWait.until(window.toMs() + MARGIN_MS);
          moved = true;
          break;
        }
      }
    }
    guardedAtMs = ProtocolWait.nowMs();
  }

  /** Waits until everything that is expected within {@code horizonMs} has happened. */
  void passAll(long horizonMs) {
    long end = ProtocolWait.nowMs() + horizonMs;
    windows.stream()
        .filter(window -> window.fromMs() <= end)
        .mapToLong(Window::toMs)
        .max()
        .ifPresent(last -> ProtocolWait.until(last + MARGIN_MS));
  }

  /** Notes that a call has ended: one that took so long that it met a deadline spoils the run. */
  void ended() {
    long now = ProtocolWait.nowMs();
    late |=
        windows.stream()
            .anyMatch(w -> w.fromMs() > guardedAtMs && w.fromMs() - TOO_CLOSE_MS <= now);
  }

  /** Whether a call met a deadline after all, so that a difference may be one of timing. */
  boolean isLate() {
    return late;
  }
}
