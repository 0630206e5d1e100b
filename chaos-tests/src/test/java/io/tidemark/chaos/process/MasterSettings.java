package io.tidemark.chaos.process;

import java.nio.file.Path;
import java.util.Map;

/**
 * How a master is started. The names of flags are upstream's.
 *
 * @param flags further flags, without dashes
 */
public record MasterSettings(
    String address, int rpcPort, int metricsPort, Path dataDir, Map<String, String> flags) {}
