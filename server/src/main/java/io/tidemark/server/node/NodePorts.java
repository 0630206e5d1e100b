package io.tidemark.server.node;

import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.log.ReplicaLog;
import io.tidemark.api.port.MonotonicClock;
import io.tidemark.api.port.RandomSource;
import io.tidemark.api.port.WallClock;
import io.tidemark.core.ScanThread;
import java.util.concurrent.Executor;

/**
 * The world outside a node.
 *
 * @param loop runs tasks on the node's one thread, in order, later
 * @param scans runs scans of the whole table; as in {@link io.tidemark.core.Master.Ports}
 */
public record NodePorts(
    NodeIdentity identity,
    Coordinator coordinator,
    ReplicaLog log,
    Links links,
    MonotonicClock monotonic,
    WallClock wall,
    RandomSource random,
    Executor loop,
    ScanThread scans,
    NodeSnapshots snapshots,
    NodeListener listener) {}
