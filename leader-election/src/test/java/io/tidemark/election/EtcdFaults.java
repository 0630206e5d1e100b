package io.tidemark.election;

import io.etcd.jetcd.api.TxnRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Faults between the client and a real etcd: the answer to a transaction that writes is lost,
 * renewals are not sent.
 */
final class EtcdFaults implements ClientInterceptor {
  private final AtomicBoolean loseAnswer = new AtomicBoolean();
  private volatile boolean renewalsStopped;

  void loseAnswerOfNextWrite() {
    loseAnswer.set(true);
  }

  void stopRenewals(boolean stopped) {
    renewalsStopped = stopped;
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    ClientCall<Q, A> call = next.newCall(method, options);
    return method.getFullMethodName().endsWith("LeaseKeepAlive")
        ? new Renewal<>(call)
        : new Request<>(call);
  }

  private final class Renewal<Q, A> extends SimpleForwardingClientCall<Q, A> {
    Renewal(ClientCall<Q, A> call) {
      super(call);
    }

    @Override
    public void sendMessage(Q message) {
      if (renewalsStopped) {
        cancel("renewals are stopped", null);
      } else {
        super.sendMessage(message);
      }
    }

    @Override
    public void halfClose() {
      if (!renewalsStopped) {
        super.halfClose();
      }
    }
  }

  private final class Request<Q, A> extends SimpleForwardingClientCall<Q, A> {
    private volatile boolean answerLost;

    Request(ClientCall<Q, A> call) {
      super(call);
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      super.start(
          new SimpleForwardingClientCallListener<>(listener) {
            @Override
            public void onMessage(A message) {
              if (!answerLost) {
                super.onMessage(message);
              }
            }

            @Override
            public void onClose(Status status, Metadata trailers) {
              super.onClose(
                  answerLost ? Status.UNAVAILABLE.withDescription("Network closed") : status,
                  trailers);
            }
          },
          headers);
    }

    @Override
    public void sendMessage(Q message) {
      if (message instanceof TxnRequest transaction
          && transaction.getSuccessList().stream().anyMatch(op -> op.hasRequestPut())) {
        answerLost = loseAnswer.getAndSet(false);
      }
      super.sendMessage(message);
    }
  }
}
