package io.tidemark.core;

import io.tidemark.api.port.MonotonicClock;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The master's clockwork: turns due deadlines into commands, starts evictions and sweeps. {@link
 * #tick} is called every 10 ms by one timer thread.
 */
final class Housekeeper {
  private static final ReplySink NOBODY = reply -> {};

  private final Contexts contexts;
  private final Core core;
  private final CommandExecutor executor;
  private final CommitQueue commits;
  private final Evictions evictions;
  private final StaleSweep sweep = new StaleSweep();
  private final ScanThread scans;
  private final MonotonicClock clock;
  private final AtomicBoolean evicting = new AtomicBoolean();
  private final AtomicBoolean sweeping = new AtomicBoolean();

  Housekeeper(
      Contexts contexts,
      Core core,
      CommandExecutor executor,
      CommitQueue commits,
      Evictions evictions,
      ScanThread scans,
      MonotonicClock clock) {
    this.contexts = contexts;
    this.core = core;
    this.executor = executor;
    this.commits = commits;
    this.evictions = evictions;
    this.scans = scans;
    this.clock = clock;
  }

  void tick() {
    Term term = contexts.term();
    if (!term.isServing()) {
      return;
    }
    long nowMs = term.nowMs();
    commits.expireReads(nowMs);
    CommandExecutor.Due due = core.atRest(() -> executor.due(nowMs));
    submitIf(due.clients(), new Command.JudgeClients());
    submitIf(due.writes(), new Command.ExpireWrites());
    submitIf(due.discards(), new Command.ReleaseDiscards());
    submitIf(due.pins(), new Command.ExpireSoftPins());
    submitIf(due.tick(), new Command.Tick());
    if (sweep.isDue(contexts.state())) {
      scan(sweeping, done -> sweep.run(contexts, core, pacing(), done));
    }
    if (evictions.isDue(contexts.state(), nowMs)) {
      scan(evicting, done -> evictions.run(contexts, core, pacing(), done));
    }
  }

  private void submitIf(boolean due, Command command) {
    if (due) {
      core.submit(command, NOBODY);
    }
  }

  private Pacing pacing() {
    return new Pacing(scans, clock);
  }

  /**
   * Begins work unless one of its kind is under way; if the scan thread is busy the next tick tries
   * again.
   */
  private void scan(AtomicBoolean running, Consumer<Runnable> work) {
    if (!running.compareAndSet(false, true)) {
      return;
    }
    try {
      scans.execute(() -> begin(running, work));
    } catch (RejectedExecutionException busy) {
      running.set(false);
    }
  }

  /** Work that ends by a defect must not keep the next from beginning. */
  private static void begin(AtomicBoolean running, Consumer<Runnable> work) {
    boolean begun = false;
    try {
      work.accept(() -> running.set(false));
      begun = true;
    } finally {
      if (!begun) {
        running.set(false);
      }
    }
  }
}
