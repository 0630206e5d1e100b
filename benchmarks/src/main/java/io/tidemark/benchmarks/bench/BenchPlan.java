package io.tidemark.benchmarks.bench;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * What to load, and how. Everything is checked: {@link BenchCommand} makes it.
 *
 * @param target the address as the operator wrote it, for messages
 * @param rate operations a second of the open loop, over all connections; empty for the closed loop
 * @param batch keys a batch call
 * @param keyBytes length of every key
 * @param valueBytes size that each object is registered with; no value is ever sent
 * @param keys most keys that are there at a time
 * @param measured time of each phase
 * @param warmup time before it, with the same load
 * @param segments segments to mount
 * @param keep whether keys and segments stay
 */
record BenchPlan(
    String target,
    InetSocketAddress address,
    MooncakeRelease release,
    List<BenchPhase> phases,
    int connections,
    OptionalInt rate,
    int batch,
    int keyBytes,
    long valueBytes,
    int keys,
    Duration measured,
    Duration warmup,
    int segments,
    boolean keep) {}
