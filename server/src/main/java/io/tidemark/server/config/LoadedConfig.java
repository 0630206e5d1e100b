package io.tidemark.server.config;

import java.util.List;

/**
 * What a command line and its settings file amount to.
 *
 * @param warnings sentences for the operator about settings that do not do what their name says
 */
public record LoadedConfig(ServerConfig config, FlagValues values, List<String> warnings) {}
