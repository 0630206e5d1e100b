package io.tidemark.election;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.grpc.ClientInterceptor;
import io.tidemark.api.port.MonotonicClock;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to etcd, made anew when it can't be used.
 *
 * <p>etcd's client reconnects by itself, but waits up to two minutes between tries and can't be
 * told to hurry, and it goes on sending to an endpoint that hangs until a ping fails, 13 s later.
 * So a connection over which nothing could be sent for {@value #RENEW_AFTER_MS} ms, or a request
 * was not answered in time, is replaced, at most every {@value #RENEW_AFTER_MS} ms. Thread-safe.
 */
final class EtcdConnection implements AutoCloseable {
  /** Requests under way at most; more are refused. */
  static final int MAX_CALLS = 64;

  private static final long RENEW_AFTER_MS = 2000;
  private static final Logger LOG = LoggerFactory.getLogger(EtcdConnection.class);

  private final EtcdSettings settings;
  private final MonotonicClock clock;
  private final List<ClientInterceptor> interceptors;
  private final ExecutorService executor;
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicLong refusedCalls = new AtomicLong();
  private final AtomicLong reconnects = new AtomicLong();
  private Client client;
  private long answeredAt;
  private long madeAt;
  private boolean lost;
  private boolean closed;

  /**
   * Makes a connection; nothing is sent yet.
   *
   * @param name of its thread
   * @param below interceptors between this class and the network; for tests
   * @throws IllegalArgumentException if a certificate or key can't be used
   */
  EtcdConnection(
      String name, EtcdSettings settings, MonotonicClock clock, List<ClientInterceptor> below) {
    this.settings = settings;
    this.clock = clock;
    interceptors = new ArrayList<>(below);
    interceptors.add(new CallTracking(settings.callTimeout()));
    executor =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    try {
      client = build();
    } catch (RuntimeException e) {
      executor.shutdown();
      throw e;
    }
    madeAt = clock.nanos();
    answeredAt = madeAt;
  }

  /** The client as it is now; another one after a while without connection. */
  synchronized Client client() {
    return client;
  }

  /** How often the connection was made anew. */
  long reconnects() {
    return reconnects.get();
  }

  /** Calls refused because {@link #MAX_CALLS} were under way. */
  long refusedCalls() {
    return refusedCalls.get();
  }

  /**
   * Sends a request. One whose login's token had run out was refused and is sent once more, with a
   * new token; nothing else is ever repeated.
   *
   * @return completes within the call's deadline, or twice that after a stale token; exceptionally
   *     with what etcd's client threw
   */
  <A> CompletableFuture<A> call(Function<Client, CompletableFuture<A>> request) {
    if (calls.incrementAndGet() > MAX_CALLS) {
      calls.decrementAndGet();
      refusedCalls.incrementAndGet();
      return CompletableFuture.failedFuture(
          new CallTracking.NotSentException(
              new IllegalStateException(MAX_CALLS + " requests to etcd are under way")));
    }
    return once(request)
        .exceptionallyCompose(
            failure ->
                EtcdFailure.staleToken(failure)
                    ? once(request)
                    : CompletableFuture.failedFuture(failure))
        .whenComplete((answer, failure) -> calls.decrementAndGet());
  }

  private <A> CompletableFuture<A> once(Function<Client, CompletableFuture<A>> request) {
    CompletableFuture<A> answer;
    try {
      // The second limit is for a client that never answers; it has not been seen.
      answer =
          request
              .apply(client())
              .orTimeout(settings.callTimeout().toMillis() * 2, TimeUnit.MILLISECONDS);
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    return answer.whenComplete((value, failure) -> used(failure));
  }

  /** Notes how a request ended, and replaces a connection that is of no use. */
  void used(Throwable failure) {
    Client old;
    boolean news;
    synchronized (this) {
      long now = clock.nanos();
      EtcdFailure judged = failure == null ? null : EtcdFailure.of(failure, true, "");
      if (judged == null || judged.answered()) {
        answeredAt = now;
        lost = false;
        return;
      }
      long since = judged.sent() ? madeAt : Math.max(madeAt, answeredAt);
      if (closed || now - since < TimeUnit.MILLISECONDS.toNanos(RENEW_AFTER_MS)) {
        return;
      }
      old = client;
      client = build();
      madeAt = now;
      reconnects.incrementAndGet();
      news = !lost;
      lost = true;
    }
    if (news) {
      LOG.warn("etcd at {} does not answer; connecting anew until it does", settings.place());
    }
    // Others may still get their answers over it.
    CompletableFuture.delayedExecutor(settings.callTimeout().toMillis(), TimeUnit.MILLISECONDS)
        .execute(old::close);
  }

  @Override
  public void close() {
    Client last;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      last = client;
    }
    last.close();
    executor.shutdown();
  }

  private Client build() {
    ClientBuilder builder =
        Client.builder()
            .endpoints(settings.endpoints())
            .executorService(executor)
            .retryMaxAttempts(0)
            .connectTimeout(settings.callTimeout())
            .keepaliveTime(Duration.ofSeconds(10))
            .keepaliveTimeout(Duration.ofSeconds(3))
            .interceptors(interceptors);
    settings
        .login()
        .ifPresent(
            login ->
                builder
                    .user(EtcdKeys.bytes(login.user()))
                    .password(EtcdKeys.bytes(login.password())));
    if ("https".equals(settings.endpoints().get(0).getScheme())) {
      encrypt(builder);
    }
    return builder.build();
  }

  private void encrypt(ClientBuilder builder) {
    Optional<Path> ca = settings.tls().flatMap(EtcdSettings.Tls::ca);
    Optional<EtcdSettings.KeyPair> own = settings.tls().flatMap(EtcdSettings.Tls::client);
    try {
      builder.sslContext(
          context -> {
            ca.ifPresent(file -> context.trustManager(readable(file)));
            own.ifPresent(
                pair -> context.keyManager(readable(pair.certificate()), readable(pair.key())));
          });
    } catch (SSLException | IllegalArgumentException e) {
      Throwable reason = e.getCause() == null ? e : e.getCause();
      throw new IllegalArgumentException(
          "the certificates for etcd can't be used (PEM; the key in PKCS#8 without password): ca "
              + ca
              + ", client "
              + own
              + ": "
              + reason.getMessage(),
          e);
    }
  }

  private static File readable(Path file) {
    if (!file.toFile().canRead()) {
      throw new IllegalArgumentException("can't read " + file);
    }
    return file.toFile();
  }
}
