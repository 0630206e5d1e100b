package io.tidemark.server.config;

/** The optional Transfer Engine metadata server. */
public record MetadataServerConfig(boolean enabled, String host, int port) {}
