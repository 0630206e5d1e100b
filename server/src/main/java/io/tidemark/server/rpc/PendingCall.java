package io.tidemark.server.rpc;

import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.core.ReplySink;
import io.tidemark.wire.schema.WireProfile;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * One request between its arrival and its answer. The first answer counts; a second one never
 * reaches the client.
 */
final class PendingCall implements ReplySink {

  private static final AtomicIntegerFieldUpdater<PendingCall> ANSWERED =
      AtomicIntegerFieldUpdater.newUpdater(PendingCall.class, "answered");

  private final RpcConnection connection;
  private final Request request;
  private final WireProfile profile;
  private final int seq;
  private final int frameBytes;
  private volatile int answered;
  private Reply reply;

  PendingCall(
      RpcConnection connection, Request request, WireProfile profile, int seq, int frameBytes) {
    this.connection = connection;
    this.request = request;
    this.profile = profile;
    this.seq = seq;
    this.frameBytes = frameBytes;
  }

  @Override
  public void reply(Reply answer) {
    if (answerOnce(answer)) {
      connection.answered(this);
    } else {
      connection.answeredTwice(this);
    }
  }

  /** Takes {@code answer} if there is none yet. */
  boolean answerOnce(Reply answer) {
    if (!ANSWERED.compareAndSet(this, 0, 1)) {
      return false;
    }
    reply = answer;
    return true;
  }

  Request request() {
    return request;
  }

  WireProfile profile() {
    return profile;
  }

  int seq() {
    return seq;
  }

  int frameBytes() {
    return frameBytes;
  }

  /** The answer; set before the connection is told. */
  Reply reply() {
    return reply;
  }
}
