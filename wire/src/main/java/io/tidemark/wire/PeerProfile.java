package io.tidemark.wire;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.schema.WireProfile;
import java.util.Optional;
import java.util.Set;

/**
 * Which releases the client at the other end of one connection may be. Every request narrows the
 * set (coro-rpc wire, section 8.2).
 *
 * <p>One per connection, made by {@link ProfileRegistry}; call {@link #close} when the connection
 * ends. One thread at a time.
 */
public final class PeerProfile implements AutoCloseable {

  private static final Uuid NO_CLIENT = Uuid.ZERO;

  private final ProfileRegistry registry;
  private final String sourceAddress;
  private final int allowed;

  private int candidates;
  private Uuid client = NO_CLIENT;
  private Uuid reported = NO_CLIENT;
  private int publishedForClient = ProfileSet.ALL;
  private long addressVersion = -1;
  private int addressHint = ProfileSet.ALL;
  private boolean closed;
  private boolean guessed;

  PeerProfile(ProfileRegistry registry, String sourceAddress, int allowed) {
    this.registry = registry;
    this.sourceAddress = sourceAddress;
    this.allowed = allowed;
    this.candidates = allowed;
  }

  /** The releases that fit all that was received. */
  public Set<WireProfile> candidates() {
    return ProfileSet.toSet(candidates);
  }

  /** The release, once only one fits. */
  public Optional<WireProfile> release() {
    return Integer.bitCount(candidates) == 1
        ? Optional.of(ProfileSet.newest(candidates))
        : Optional.empty();
  }

  /**
   * A client and the release whose answers it takes.
   *
   * @param release the newest release that takes the same answers
   */
  public record Known(Uuid client, WireProfile release) {}

  /** The client that this connection showed, once its answers are certain; each client once. */
  public Optional<Known> news() {
    if (client.equals(reported) || client.equals(NO_CLIENT) || !ProfileSet.decisive(candidates)) {
      return Optional.empty();
    }
    reported = client;
    return Optional.of(new Known(client, ProfileSet.newest(ProfileSet.answersOf(candidates))));
  }

  /** Whether the form of an answer had to be guessed since the last call of this. */
  public boolean takeGuessed() {
    boolean result = guessed;
    guessed = false;
    return result;
  }

  /**
   * Lets {@link #news} tell the present client again; an earlier report may have been too early.
   */
  public void forgetReported() {
    reported = NO_CLIENT;
  }

  /** Forgets the connection; what was learnt of its client stays. May be called twice. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      registry.addressEvidence(sourceAddress, evidence(), ProfileSet.ALL);
    }
  }

  /** Releases that this listener serves; a request of any other is refused. */
  int allowed() {
    return allowed;
  }

  int candidateSet() {
    return candidates;
  }

  /** A connection that a listener pins says nothing about other connections. */
  private int evidence() {
    return allowed == ProfileSet.ALL ? candidates : ProfileSet.ALL;
  }

  /** Learns from a request that only {@code senders} send. */
  void observe(Rpc rpc, int senders) {
    if (rpc == Rpc.SERVICE_READY) {
      registry.processStarted(sourceAddress);
    }
    narrow(senders & allowed);
  }

  /** Learns from a request that carries a client id. */
  void observe(Rpc rpc, int senders, Uuid clientId) {
    observe(rpc, senders);
    boolean published = clientId.equals(client) && publishedForClient == candidates;
    if (published && ProfileSet.decisive(candidates)) {
      return;
    }
    client = clientId;
    publishedForClient = registry.clientEvidence(clientId, candidates);
    narrow(publishedForClient);
  }

  private void narrow(int evidence) {
    int narrowed = candidates & evidence;
    if (narrowed == 0) {
      registry.contradiction();
      narrowed = evidence;
    }
    if (narrowed != candidates) {
      int before = evidence();
      candidates = narrowed;
      registry.addressEvidence(sourceAddress, before, evidence());
    }
  }

  /** The release in whose form to answer this call. */
  WireProfile replyProfile(CallForms call) {
    int fitting = candidates & call.knownTo();
    int known = fitting == 0 ? candidates : fitting;
    if (!call.ambiguous(known)) {
      return ProfileSet.newest(known);
    }
    int hinted = known & addressHint();
    if (hinted != 0 && !call.ambiguous(hinted)) {
      return ProfileSet.newest(hinted);
    }
    int choice = hinted == 0 ? known : hinted;
    registry.ambiguousAnswer();
    guessed = true;
    WireProfile fallback = registry.defaultProfile();
    return ProfileSet.contains(choice, fallback) ? fallback : ProfileSet.newest(choice);
  }

  private int addressHint() {
    long version = registry.addressVersion();
    if (version != addressVersion) {
      addressHint = registry.addressHint(sourceAddress);
      addressVersion = version;
    }
    return addressHint;
  }
}
