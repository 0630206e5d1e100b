package io.tidemark.wire;

import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.schema.FunctionIds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All calls by function id and by name. Built once, immutable. */
final class CallTable {

  private static final Map<Rpc, CallForms> BY_RPC = new EnumMap<>(Rpc.class);

  /** Sorted function ids, and the calls they name: a lookup creates no object. */
  private static final int[] IDS;

  private static final List<Optional<CallForms>> BY_ID;

  static {
    for (Rpc rpc : Rpc.values()) {
      if (rpc.kind() == Rpc.Kind.STORE) {
        BY_RPC.put(rpc, new CallForms(rpc));
      }
    }
    List<CallForms> sorted = new ArrayList<>(BY_RPC.values());
    sorted.sort(Comparator.comparingInt(CallForms::functionId));
    IDS = sorted.stream().mapToInt(CallForms::functionId).toArray();
    BY_ID = sorted.stream().map(Optional::of).toList();
  }

  private static final Map<Integer, Rpc> WEIGHT_CALLS = weightCalls();

  private CallTable() {}

  private static Map<Integer, Rpc> weightCalls() {
    Map<Integer, Rpc> calls = new HashMap<>();
    Arrays.stream(Rpc.values())
        .filter(rpc -> rpc.kind() == Rpc.Kind.WEIGHT)
        .forEach(rpc -> calls.put(FunctionIds.of(rpc), rpc));
    return calls;
  }

  static Optional<CallForms> find(int functionId) {
    int at = Arrays.binarySearch(IDS, functionId);
    return at < 0 ? Optional.empty() : BY_ID.get(at);
  }

  static Optional<Rpc> weightCall(int functionId) {
    return Optional.ofNullable(WEIGHT_CALLS.get(functionId));
  }

  /**
   * The forms of a call.
   *
   * @throws IllegalArgumentException for a model-weight call, whose types are not known
   */
  static CallForms of(Rpc rpc) {
    CallForms forms = BY_RPC.get(rpc);
    if (forms == null) {
      throw new IllegalArgumentException("the types of " + rpc.methodName() + " are not known");
    }
    return forms;
  }
}
