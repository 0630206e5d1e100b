package io.tidemark.chaos.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A master that can be started: Tidemark, or the one that comes with a Mooncake wheel. */
public sealed interface MasterProgram {
  /** Tidemark as built in this checkout. */
  MasterProgram TIDEMARK = new Tidemark("-Xms128m -Xmx1g");

  /**
   * The same with a compiler that is soon done, for tests that start it many times on a machine
   * with few cores; not for figures.
   */
  MasterProgram TIDEMARK_SOON = new Tidemark("-Xms128m -Xmx512m -XX:TieredStopAtLevel=1");

  /** The wheel's own master. */
  static MasterProgram upstream(Release release) {
    return new Upstream(release);
  }

  /** The command line. */
  List<String> command(MasterSettings settings);

  /** Environment variables for it. */
  Map<String, String> environment();

  /** Tidemark's launcher, with options for the JVM. */
  record Tidemark(String options) implements MasterProgram {
    @Override
    public List<String> command(MasterSettings settings) {
      List<String> command = new ArrayList<>(List.of(Checkout.launcher().toString(), "master"));
      addFlags(command, settings);
      command.add("--metrics_host=" + settings.address());
      command.add("--data_dir=" + settings.dataDir());
      return command;
    }

    @Override
    public Map<String, String> environment() {
      return Map.of("TIDEMARK_JAVA_OPTS", options);
    }

    @Override
    public String toString() {
      return "Tidemark";
    }
  }

  /** The native program of a wheel. */
  record Upstream(Release release) implements MasterProgram {
    @Override
    public List<String> command(MasterSettings settings) {
      Checkout.requireWheel(release);
      List<String> command =
          new ArrayList<>(
              List.of(Checkout.wheelEnv().toString(), release.version(), "mooncake_master"));
      addFlags(command, settings);
      if (release.compareTo(Release.V0_3_13_POST1) >= 0) {
        command.add("--metrics_host=" + settings.address());
      }
      return command;
    }

    @Override
    public Map<String, String> environment() {
      return Map.of();
    }

    @Override
    public String toString() {
      return "mooncake_master " + release;
    }
  }

  private static void addFlags(List<String> command, MasterSettings settings) {
    command.add("--rpc_address=" + settings.address());
    command.add("--rpc_port=" + settings.rpcPort());
    command.add("--metrics_port=" + settings.metricsPort());
    settings.flags().forEach((name, value) -> command.add("--" + name + "=" + value));
  }
}
