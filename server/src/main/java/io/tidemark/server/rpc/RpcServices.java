package io.tidemark.server.rpc;

import io.tidemark.core.MasterService;
import io.tidemark.server.config.RpcConfig;
import io.tidemark.server.metrics.RequestMetrics;
import io.tidemark.server.metrics.ServerMetrics;
import io.tidemark.wire.ProfileRegistry;
import java.util.concurrent.atomic.AtomicLong;

/** What all connections share. Every member may be used from any thread. */
record RpcServices(
    RpcConfig config,
    MasterService master,
    ProfileRegistry profiles,
    RequestMetrics requests,
    ServerMetrics metrics,
    RefusalLog refusals,
    AtomicLong connectionIds) {}
