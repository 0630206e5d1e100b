package io.tidemark.core;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

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
  private final Executor scans;
  private final AtomicBoolean evicting = new AtomicBoolean();
  private final AtomicBoolean sweeping = new AtomicBoolean();

  Housekeeper(
      Contexts contexts,
      Core core,
      CommandExecutor executor,
      CommitQueue commits,
      Evictions evictions,
      Executor scans) {
    this.contexts = contexts;
    this.core = core;
    this.executor = executor;
    this.commits = commits;
    this.evictions = evictions;
    this.scans = scans;
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
      scan(sweeping, () -> sweep.run(contexts, core));
    }
    if (evictions.isDue(contexts.state(), nowMs)) {
      scan(evicting, () -> evictions.run(contexts, core));
    }
  }

  private void submitIf(boolean due, Command command) {
    if (due) {
      core.submit(command, NOBODY);
    }
  }

  /**
   * Runs a scan unless one of its kind is running; if the scan thread is busy the next tick tries
   * again.
   */
  private void scan(AtomicBoolean running, Runnable scan) {
    if (!running.compareAndSet(false, true)) {
      return;
    }
    try {
      scans.execute(
          () -> {
            try {
              scan.run();
            } finally {
              running.set(false);
            }
          });
    } catch (RejectedExecutionException busy) {
      running.set(false);
    }
  }
}
