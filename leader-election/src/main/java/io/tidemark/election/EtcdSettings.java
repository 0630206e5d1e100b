package io.tidemark.election;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How to reach etcd and how leadership is held there.
 *
 * @param endpoints as {@link EtcdEndpoints#parse} gives them
 * @param clusterId name of the cluster in key names
 * @param tls only with endpoints of scheme https; without it https trusts what the JVM trusts
 * @param callTimeout after which a single request to etcd is given up
 * @param leaseTtlSeconds what is asked for; etcd may grant more, and what it granted counts
 * @param fenceMargin how much earlier than the lease's end a leader stops
 */
public record EtcdSettings(
    List<URI> endpoints,
    String clusterId,
    Optional<Tls> tls,
    Optional<Login> login,
    Duration callTimeout,
    int leaseTtlSeconds,
    Duration fenceMargin) {

  /** etcd itself may need 7 s to say that it failed; nobody waits that long. */
  public static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofMillis(1500);

  /**
   * Survives the death of etcd's own leader: renewals were seen to pause up to 2.8 s, and etcd
   * raises less than 2 s by itself.
   */
  public static final int DEFAULT_LEASE_TTL_SECONDS = 5;

  /**
   * Covers the one second for which an etcd leader without a majority may still confirm renewals,
   * and clocks that run unlike.
   */
  public static final Duration DEFAULT_FENCE_MARGIN = Duration.ofSeconds(1);

  private static final int MIN_LEASE_TTL_SECONDS = 2;
  private static final int MAX_LEASE_TTL_SECONDS = 300;

  /** Checks every value; what is wrong is named in the message. */
  public EtcdSettings {
    endpoints = List.copyOf(endpoints);
    EtcdKeys.check(clusterId);
    require(!endpoints.isEmpty(), "at least one etcd endpoint is needed");
    require(
        tls.isEmpty() || endpoints.stream().allMatch(e -> "https".equals(e.getScheme())),
        "etcd certificates are given, but the endpoints are not https: " + endpoints);
    require(
        callTimeout.toMillis() > 0, "the etcd call timeout must be above 0, not " + callTimeout);
    require(
        leaseTtlSeconds >= MIN_LEASE_TTL_SECONDS && leaseTtlSeconds <= MAX_LEASE_TTL_SECONDS,
        "the lease TTL must be 2 to 300 s, not " + leaseTtlSeconds);
    require(
        !fenceMargin.isNegative()
            && fenceMargin.compareTo(Duration.ofSeconds(leaseTtlSeconds).dividedBy(2)) <= 0,
        "the fence margin must be 0 to half the lease TTL, not " + fenceMargin);
  }

  /** Settings with every default, for endpoints without encryption or login. */
  public static EtcdSettings of(String endpoints, String clusterId) {
    return new EtcdSettings(
        EtcdEndpoints.parse(endpoints),
        clusterId,
        Optional.empty(),
        Optional.empty(),
        DEFAULT_CALL_TIMEOUT,
        DEFAULT_LEASE_TTL_SECONDS,
        DEFAULT_FENCE_MARGIN);
  }

  /** The same with certificates. */
  public EtcdSettings with(Tls given) {
    return new EtcdSettings(
        endpoints, clusterId, Optional.of(given), login, callTimeout, leaseTtlSeconds, fenceMargin);
  }

  /** The same with a user. */
  public EtcdSettings with(Login given) {
    return new EtcdSettings(
        endpoints, clusterId, tls, Optional.of(given), callTimeout, leaseTtlSeconds, fenceMargin);
  }

  /** The same with other times. */
  public EtcdSettings with(Duration timeout, int ttlSeconds, Duration margin) {
    return new EtcdSettings(endpoints, clusterId, tls, login, timeout, ttlSeconds, margin);
  }

  /** The endpoints in one line, for messages. */
  String place() {
    return endpoints.stream().map(URI::toString).collect(Collectors.joining(","));
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  /**
   * Files in PEM form.
   *
   * @param ca who signed etcd's certificate; empty for what the JVM trusts
   * @param client this side's certificate and key; empty if etcd asks for none
   */
  public record Tls(Optional<Path> ca, Optional<KeyPair> client) {}

  /**
   * A certificate with its key, in files.
   *
   * @param key PKCS#8, without a password
   */
  public record KeyPair(Path certificate, Path key) {}

  /** An etcd user. */
  public record Login(String user, String password) {
    /** Neither may be empty; etcd's client can't log in with an empty one. */
    public Login {
      require(!user.isEmpty() && !password.isEmpty(), "etcd's user and password must not be empty");
    }

    @Override
    public String toString() {
      return "Login[user=" + user + "]";
    }
  }
}
