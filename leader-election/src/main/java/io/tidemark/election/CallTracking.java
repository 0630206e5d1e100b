package io.tidemark.election;

import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientStreamTracer;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Gives every request a deadline, which etcd's client has for few of its calls, and finds out
 * whether a failed one ever left this process: one that did not was surely not done.
 *
 * <p>A failed call that was never handed to a connection gets a {@link NotSentException} as the
 * cause of its status. Streams of watches have no deadline; those of renewals carry a single
 * request and have one.
 */
final class CallTracking implements ClientInterceptor {
  private static final String WATCH = "etcdserverpb.Watch";

  private final Duration timeout;

  CallTracking(Duration timeout) {
    this.timeout = timeout;
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    AtomicBoolean sent = new AtomicBoolean();
    CallOptions traced =
        options.withStreamTracerFactory(
            new ClientStreamTracer.Factory() {
              @Override
              public ClientStreamTracer newClientStreamTracer(
                  ClientStreamTracer.StreamInfo info, Metadata headers) {
                return new SentTracer(sent);
              }
            });
    if (!WATCH.equals(method.getServiceName())) {
      traced = traced.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }
    return new SimpleForwardingClientCall<>(next.newCall(method, traced)) {
      @Override
      public void start(Listener<A> listener, Metadata headers) {
        super.start(new MarkingListener<>(listener, sent), headers);
      }
    };
  }

  private static final class SentTracer extends ClientStreamTracer {
    private final AtomicBoolean sent;

    SentTracer(AtomicBoolean sent) {
      this.sent = sent;
    }

    @Override
    public void streamCreated(Attributes transport, Metadata headers) {
      sent.set(true);
    }
  }

  private static final class MarkingListener<A> extends SimpleForwardingClientCallListener<A> {
    private final AtomicBoolean sent;

    MarkingListener(ClientCall.Listener<A> listener, AtomicBoolean sent) {
      super(listener);
      this.sent = sent;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      boolean marked = !status.isOk() && !sent.get();
      super.onClose(
          marked ? status.withCause(new NotSentException(status.getCause())) : status, trailers);
    }
  }

  /** The request never left this process. */
  static final class NotSentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotSentException(Throwable cause) {
      super("the request was not sent", cause);
    }
  }
}
