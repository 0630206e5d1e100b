package io.tidemark.chaos.conformance;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import java.util.ArrayList;
import java.util.List;

/** Reads of keys and of the master's state. */
final class ReadMoves {
  private static final String TENANT = "default";

  /** Patterns that upstream answers in reasonable time, legal and not. */
  private static final List<String> PATTERNS =
      List.of(
          "obj-1",
          "obj-[0-4]$",
          "^s[0-9]+/obj-1.$",
          "",
          "nothing-like-this",
          "(obj|raw)-",
          "[^]",
          "[]",
          "raw-.",
          "a{,2}",
          "(?i)OBJ",
          "\\p{L}",
          "*",
          "(",
          "obj-\\d\\d?$",
          "x{3}",
          "\\x41|-1$",
          "[a-\\d]");

  private final Cast cast;
  private final Dice dice;
  private final boolean newest;

  /**
   * Reads over a cast.
   *
   * @param newest whether the calls that came with v0.3.14 may be made
   */
  ReadMoves(Cast cast, boolean newest) {
    this.cast = cast;
    this.dice = cast.dice;
    this.newest = newest;
  }

  /** A read that grants leases. */
  Step.Call leasing() {
    Request request =
        dice.weighted(
            List.of(
                new Dice.Weighted<Request>(
                    5, () -> new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, key(), TENANT)),
                new Dice.Weighted<Request>(
                    3, () -> new Request.ExistKey(Rpc.EXIST_KEY, key(), TENANT)),
                new Dice.Weighted<Request>(
                    3,
                    () ->
                        new Request.BatchGetReplicaList(
                            Rpc.BATCH_GET_REPLICA_LIST, keys(), TENANT)),
                new Dice.Weighted<Request>(
                    2, () -> new Request.BatchExistKey(Rpc.BATCH_EXIST_KEY, keys(), TENANT, 0, 0)),
                new Dice.Weighted<Request>(
                    1, () -> new Request.GetReplicaListByRegex(pattern(), TENANT))));
    cast.read.addAll(Shown.keys(request));
    if (request instanceof Request.GetReplicaListByRegex) {
      cast.read.addAll(cast.complete.keySet());
    }
    return new Step.Call(cast.anyClient(), request);
  }

  /** A read that leaves no trace; on older releases one of the master's state. */
  Step.Call traceless() {
    if (!newest) {
      return query();
    }
    Request request =
        switch (dice.below(4)) {
          case 0 -> new Request.ExistKey(Rpc.PROBE_KEY, key(), TENANT);
          case 1 -> new Request.BatchExistKey(Rpc.BATCH_PROBE_KEY, keys(), TENANT, 0, 0);
          case 2 -> new Request.GetReplicaList(Rpc.GET_REPLICA_LIST_FOR_ADMIN, key(), TENANT);
          default ->
              new Request.BatchGetReplicaList(Rpc.BATCH_GET_REPLICA_LIST_FOR_ADMIN, keys(), TENANT);
        };
    return new Step.Call(cast.anyClient(), request);
  }

  /** BatchProbeKey that leases the last group of keys that are all there. */
  Step.Call probeAndLease() {
    return new Step.Call(
        cast.anyClient(),
        new Request.BatchExistKey(Rpc.BATCH_PROBE_KEY, keys(), TENANT, 1, dice.below(4)));
  }

  /** A question about the master, its segments or its clients. */
  Step.Call query() {
    Request request =
        switch (dice.below(8)) {
          case 0 -> new Request.QuerySegmentStatus(segmentName());
          case 1 -> new Request.QuerySegmentStatusById(segmentId());
          case 2 -> new Request.BatchQueryIp(clientIds());
          case 3 -> new Request.NoArguments(Rpc.SERVICE_READY);
          case 4 -> new Request.NoArguments(Rpc.GET_STORAGE_CONFIG);
          case 5 -> new Request.NoArguments(Rpc.GET_FSDIR);
          case 6 -> new Request.FetchTasks(cast.client(cast.anyLender()), 1 + dice.below(10));
          default -> new Request.QuerySegmentStatusById(segmentId());
        };
    return new Step.Call(cast.anyClient(), request);
  }

  String pattern() {
    return dice.of(PATTERNS);
  }

  private String key() {
    return dice.oneIn(12) ? (dice.oneIn(2) ? "" : "absent") : cast.anyKey();
  }

  private List<String> keys() {
    List<String> keys = new ArrayList<>(dice.some(cast.keys, 6));
    if (dice.oneIn(6)) {
      keys.add(key());
    }
    return keys;
  }

  private String segmentName() {
    List<Cast.Mounted> known = known();
    return known.isEmpty() || dice.oneIn(6) ? "no-such-host" : dice.of(known).info().name();
  }

  private Uuid segmentId() {
    List<Cast.Mounted> known = known();
    return known.isEmpty() || dice.oneIn(6) ? new Uuid(4, 4) : dice.of(known).info().id();
  }

  private List<Cast.Mounted> known() {
    List<Cast.Mounted> known = new ArrayList<>(cast.segments.values());
    known.addAll(cast.gone);
    return known;
  }

  private List<Uuid> clientIds() {
    List<Uuid> ids = new ArrayList<>(dice.some(cast.clients, 3));
    if (dice.oneIn(4)) {
      ids.add(new Uuid(9, 9));
    }
    return ids;
  }
}
