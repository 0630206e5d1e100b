package io.tidemark.chaos.conformance;

import io.tidemark.api.WireText;
import io.tidemark.api.rpc.Request;
import java.util.Arrays;
import java.util.List;

/** Requests for people, and the keys they are about. */
final class Shown {
  private static final int LONGEST = 700;

  private Shown() {}

  static String request(Request request) {
    String text = request.toString().replaceAll("sliceLengths=\\[J@[0-9a-f]+, ", "");
    if (request instanceof Request.BatchWriteStart batch) {
      text += " lengths=" + Arrays.toString(batch.sliceLengths());
    }
    text = WireText.display(text).replaceAll("x{50,}", "x…x").replace("OptionalLong.empty", "-");
    if (!text.contains("rpc=")) {
      text = request.rpc().methodName() + ": " + text;
    }
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }

  /** The keys that a request names, in order; empty if it names none. */
  static List<String> keys(Request request) {
    if (request instanceof Request.WriteStart r) {
      return List.of(r.key());
    } else if (request instanceof Request.WriteEnd r) {
      return List.of(r.key());
    } else if (request instanceof Request.WriteRevoke r) {
      return List.of(r.key());
    } else if (request instanceof Request.Remove r) {
      return List.of(r.key());
    } else if (request instanceof Request.GetReplicaList r) {
      return List.of(r.key());
    } else if (request instanceof Request.ExistKey r) {
      return List.of(r.key());
    }
    return batchKeys(request);
  }

  private static List<String> batchKeys(Request request) {
    if (request instanceof Request.BatchWriteStart r) {
      return r.keys();
    } else if (request instanceof Request.BatchWriteEnd r) {
      return r.keys();
    } else if (request instanceof Request.BatchWriteRevoke r) {
      return r.keys();
    } else if (request instanceof Request.BatchRemove r) {
      return r.keys();
    } else if (request instanceof Request.BatchReplicaClear r) {
      return r.keys();
    } else if (request instanceof Request.BatchGetReplicaList r) {
      return r.keys();
    } else if (request instanceof Request.BatchExistKey r) {
      return r.keys();
    }
    return List.of();
  }
}
