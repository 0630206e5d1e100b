package io.tidemark.core.segment;

import io.tidemark.api.Uuid;
import io.tidemark.api.event.ClientState;

/** A client as the log knows it, plus what this term has heard of it (soft state). */
public final class ClientRecord {
  private final Uuid id;
  private ClientState state = ClientState.JOINING;
  private String hostId = "";
  private String release = "";

  // Soft state of the term: lost at a restart, never decides replay.
  private volatile long lastHeardMs;
  private volatile boolean heardThisTerm;
  private volatile boolean remountedThisTerm;

  ClientRecord(Uuid id) {
    this.id = id;
  }

  public Uuid id() {
    return id;
  }

  public ClientState state() {
    return state;
  }

  void state(ClientState next) {
    state = next;
  }

  /** Host of the client, empty if unknown. */
  public String hostId() {
    return hostId;
  }

  /** Label of the release whose answers the client takes, empty if unknown. */
  public String release() {
    return release;
  }

  void release(String label) {
    release = label;
  }

  void hostId(String host) {
    hostId = host;
  }

  /** A sign of life at log time {@code nowMs}. */
  public void heard(long nowMs) {
    lastHeardMs = nowMs;
    heardThisTerm = true;
  }

  public boolean isHeardThisTerm() {
    return heardThisTerm;
  }

  /** Log time of the last sign of life; the start of the term if there was none in it. */
  public long lastHeardMs() {
    return lastHeardMs;
  }

  /** Whether Ping may answer OK: a remount succeeded in this term (COR-23). */
  public boolean isRemountedThisTerm() {
    return remountedThisTerm;
  }

  public void remounted() {
    remountedThisTerm = true;
  }

  /** A term begins: the client has its full time from {@code nowMs} on. */
  void termStarted(long nowMs) {
    lastHeardMs = nowMs;
    heardThisTerm = false;
    remountedThisTerm = false;
  }
}
