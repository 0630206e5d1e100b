package io.tidemark.server.metrics;

import io.tidemark.api.rpc.Request;

/** How many items a request names. */
public final class RequestItems {

  private RequestItems() {}

  /** Keys (or ids) of a batch, 1 for any other request. */
  public static int of(Request request) {
    if (request instanceof Request.BatchExistKey r) {
      return r.keys().size();
    }
    if (request instanceof Request.BatchGetReplicaList r) {
      return r.keys().size();
    }
    if (request instanceof Request.BatchWriteStart r) {
      return r.keys().size();
    }
    if (request instanceof Request.BatchWriteEnd r) {
      return r.keys().size();
    }
    if (request instanceof Request.BatchWriteRevoke r) {
      return r.keys().size();
    }
    if (request instanceof Request.BatchRemove r) {
      return r.keys().size();
    }
    if (request instanceof Request.BatchReplicaClear r) {
      return r.keys().size();
    }
    if (request instanceof Request.BatchQueryIp r) {
      return r.clientIds().size();
    }
    return request instanceof Request.Unserved r ? r.itemCount() : 1;
  }
}
