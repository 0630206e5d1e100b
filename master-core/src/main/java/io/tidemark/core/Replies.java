package io.tidemark.core;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;

/** Error answers in the form that the refused call expects: one element a key for batches. */
final class Replies {

  private Replies() {}

  static Reply refuse(Command command, ErrorCode code) {
    if (command instanceof Command.ClientCall call) {
      return refuse(call.request(), code);
    }
    return Reply.error(code);
  }

  static Reply refuse(Request request, ErrorCode code) {
    if (request instanceof Request.RemoveAll) {
      return new Reply.Bare(0L);
    }
    int count = itemCount(request);
    return count < 0 ? Reply.error(code) : Reply.errors(code, count);
  }

  /** Number of elements of the answer's vector, -1 if it is not one. */
  private static int itemCount(Request request) {
    if (request instanceof Request.BatchWriteStart call) {
      return call.keys().size();
    } else if (request instanceof Request.BatchWriteEnd call) {
      return call.keys().size();
    } else if (request instanceof Request.BatchWriteRevoke call) {
      return call.keys().size();
    } else if (request instanceof Request.BatchRemove call) {
      return call.keys().size();
    } else if (request instanceof Request.BatchExistKey call) {
      return call.keys().size();
    } else if (request instanceof Request.BatchGetReplicaList call) {
      return call.keys().size();
    } else if (request instanceof Request.Unserved call) {
      return call.rpc() == Rpc.BATCH_EVICT_DISK_REPLICA ? call.itemCount() : -1;
    }
    return -1;
  }
}
