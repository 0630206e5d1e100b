package io.tidemark.server;

import io.tidemark.oplog.MemberFile;
import io.tidemark.oplog.OpenedLog;
import io.tidemark.server.config.ConfigException;
import io.tidemark.server.config.ConfigLoader;
import io.tidemark.server.config.FlagTable;
import io.tidemark.server.config.HelpPage;
import io.tidemark.server.config.LoadedConfig;
import io.tidemark.server.config.ServerConfig;
import io.tidemark.server.ha.HaMember;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The master as a process: {@code tidemark master FLAGS}. */
public final class Main {

  private static final Logger LOG = LoggerFactory.getLogger(Main.class);
  private static final Set<String> HELP =
      Set.of("--help", "-help", "-h", "--helpfull", "--help=true");
  private static final Set<String> VERSION = Set.of("--version", "-version", "--version=true");

  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicBoolean failing = new AtomicBoolean();
  private final CompletableFuture<ExitCode> fatal = new CompletableFuture<>();
  private volatile Edges edges;

  Main() {}

  /** Runs until stopped by SIGTERM or SIGINT (status 0) or until the log fails. */
  public static void main(String[] arguments) {
    ExitCode code = new Main().run(Arrays.asList(arguments), System.out, System.err);
    LogLines.finish();
    System.out.flush();
    System.exit(code.status());
  }

  /** Serves until the process must end; returns the status to end with. */
  ExitCode run(List<String> arguments, PrintStream out, PrintStream err) {
    if (arguments.stream().anyMatch(HELP::contains)) {
      out.print(HelpPage.text(FlagTable.load()));
      return ExitCode.OK;
    }
    if (arguments.stream().anyMatch(VERSION::contains)) {
      out.println(Version.display());
      return ExitCode.OK;
    }
    try {
      serve(arguments, out);
      return fatal.join();
    } catch (ConfigException bad) {
      err.println("tidemark master: " + bad.getMessage());
      return ExitCode.BAD_SETTINGS;
    } catch (StartException failed) {
      LOG.debug("event=start_failed", failed);
      err.println("tidemark master: can't start: " + failed.getMessage());
      return failed.exitCode();
    } catch (RuntimeException | Error defect) {
      LOG.error("event=start_failed", defect);
      err.println("tidemark master: can't start because of a defect of this program: " + defect);
      return ExitCode.INTERNAL;
    }
  }

  private void serve(List<String> arguments, PrintStream out) {
    long begin = System.nanoTime();
    LoadedConfig loaded = new ConfigLoader().load(arguments);
    loaded.warnings().forEach(warning -> LOG.warn("event=setting_warning text=\"{}\"", warning));
    if (loaded.config().ha().isPresent()) {
      serveAsMember(loaded, out);
    } else {
      serveAlone(loaded, out, begin);
    }
  }

  /** The client port opens first, so that whatever address is published accepts (HA-REQ-003). */
  private void serveAsMember(LoadedConfig loaded, PrintStream out) {
    ServerConfig config = loaded.config();
    MemberFile file = LogOpening.memberFile(config.storage());
    OpenedLog opened = LogOpening.openLog(config.storage(), false);
    if (opened.entriesMayBeMissing()) {
      LOG.warn(
          "event=log_may_be_incomplete meaning=\"this node comes back as another member"
              + " (incarnation {}) and gets what it lacks from the leader\"",
          opened.identity().incarnation());
      opened.log().lossHandled();
    }
    HaMember member = HaMember.open(config, opened, file, this::fatal);
    openEdges(config, member.role());
    Runtime.getRuntime().addShutdownHook(new Thread(this::stopAsAsked, "stop"));
    out.println(Banner.startedLine(loaded, edges.clientPort()));
    out.print(Banner.memberBlock(config, edges));
    out.flush();
    member.start();
  }

  private void openEdges(ServerConfig config, MasterRole role) {
    edges = new Edges(config, role, this::fatal);
    try {
      edges.open();
    } catch (StartException failed) {
      role.stop().run();
      throw failed;
    }
  }

  private void serveAlone(LoadedConfig loaded, PrintStream out, long begin) {
    LogOpening.Started started = LogOpening.start(loaded.config(), new CoreFaults(this::fatal));
    openEdges(loaded.config(), started.role());
    started.snapshots().start();
    started.check().start();
    Runtime.getRuntime().addShutdownHook(new Thread(this::stopAsAsked, "stop"));
    long millis = (System.nanoTime() - begin) / 1_000_000;
    Banner.Start start =
        new Banner.Start(started.opened().report(), started.droppedMemoryReplicas(), millis);
    out.println(Banner.startedLine(loaded, edges.clientPort()));
    out.print(Banner.block(loaded.config(), edges, started.master().view(), start));
    out.flush();
    LOG.info(
        "event=started client_port={} admin_port={} native_sockets={} log_index={} epoch={} start_ms={}",
        edges.clientPort(),
        edges.adminPort(),
        edges.usesNativeTransport(),
        started.master().view().logEnd().index(),
        started.master().view().epoch(),
        millis);
  }

  /** Ends the process from inside; any thread, the first call counts. */
  private void fatal(ExitCode code, String why) {
    if (failing.compareAndSet(false, true)) {
      new Thread(() -> stopOnFailure(code, why), "stop-on-failure").start();
    }
  }

  private void stopOnFailure(ExitCode code, String why) {
    LOG.error("event=stopping_on_failure status={} cause=\"{}\"", code.status(), why);
    stopOnce();
    fatal.complete(code);
  }

  /**
   * The process was told to end: SIGTERM, SIGINT. Ends with status 0, which the JVM would not do by
   * itself.
   */
  private void stopAsAsked() {
    if (stopped.get()) {
      return;
    }
    LOG.info("event=stopping cause=signal");
    ExitCode code = stopOnce();
    LOG.info("event=stopped status={}", code.status());
    LogLines.finish();
    Runtime.getRuntime().halt(code.status());
  }

  /** Stops what was opened; the status tells whether the log was closed as it should be. */
  private ExitCode stopOnce() {
    if (edges == null || !stopped.compareAndSet(false, true)) {
      return ExitCode.OK;
    }
    try {
      edges.stop();
      return ExitCode.OK;
    } catch (RuntimeException unclean) {
      LOG.error(
          "event=stop_failed effect=\"the next start checks the log as after a crash\"", unclean);
      return ExitCode.LOG_FAILED;
    }
  }
}
