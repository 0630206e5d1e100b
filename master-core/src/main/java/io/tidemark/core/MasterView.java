package io.tidemark.core;

import io.tidemark.api.Uuid;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.api.rpc.SegmentStatus;
import io.tidemark.core.metrics.CoreMetrics;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Read-only look at the state. Any thread; figures are consistent per segment or per key, not
 * across them.
 */
public interface MasterView {

  /** One mounted segment. */
  record SegmentView(SegmentInfo info, Uuid clientId, SegmentStatus status, long allocatedBytes) {}

  /** Clients by liveness state. */
  record ClientCounts(int joining, int active, int suspected) {}

  /** All mounted segments of every status, in mount order. */
  List<SegmentView> segments();

  /** Clients known at the moment. */
  ClientCounts clients();

  /** Labels of the releases that clients are known to be, by client id. */
  Map<Uuid, String> clientReleases();

  /**
   * Wire strings of the keys of a tenant that have a readable replica; slice by slice, unordered.
   */
  void forEachReadableKey(String tenant, Consumer<String> keys);

  /** Objects of all tenants, including unreadable ones. */
  long objectCount();

  /** Objects with a committed soft pin. */
  long softPinnedCount();

  /** Bytes taken from all segments, ranges on the discard list included. */
  long allocatedBytes();

  /** Bytes of all segments that are not unmounting. */
  long capacityBytes();

  /** Counters of the core. */
  CoreMetrics metrics();

  /** Leadership number of the present term. */
  long epoch();

  /** Last appended entry. */
  LogPosition logEnd();

  /** Highest index whose durability promise holds. */
  long committedIndex();

  /** Digest of the logical state; equal states have equal digests (COR-28). */
  long stateDigest();

  /** Whether mutations are accepted: false once the log has failed or the master is stopping. */
  boolean isServing();
}
