package io.tidemark.server.ha;

import io.tidemark.api.ha.Member;
import io.tidemark.server.node.NodeRole;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What a member of a cluster is at the moment, as admin port and metrics show it. Immutable; made
 * on the node's loop.
 *
 * @param why a sentence for people: why it is what it is, or what it waits for
 * @param epoch of the leadership that it holds, or the highest that it accepted
 * @param cluster empty until it is known
 * @param inSync the recorded in-sync set as this node last knew it, empty if it does not lead
 * @param standbys connected ones, of a leader
 * @param appliedIndex last entry in the state
 * @param leaseLeftMs until the leadership has to end unless it is renewed, 0 without one
 * @param leaderAddress client address of the published leader, empty if this node knows of none
 * @param viewVersion of that publication, 0 without one
 * @param leaderReplication replication address of the leader that is followed, empty without one
 * @param attached whether a standby gets what its leader appends
 * @param handingOver whether it is giving its leadership to another
 */
public record NodeStatus(
    NodeRole role,
    String why,
    long epoch,
    Optional<UUID> cluster,
    Member self,
    List<Member> inSync,
    int minInSync,
    List<Standby> standbys,
    long commitIndex,
    long appliedIndex,
    long logEnd,
    long leaseLeftMs,
    String leaderAddress,
    long viewVersion,
    String leaderReplication,
    boolean attached,
    boolean handingOver) {

  /** Where the bound of what can be told of a lag is passed, ms. */
  public static final long LAG_HORIZON_MS = 60_000;

  public NodeStatus {
    inSync = List.copyOf(inSync);
    standbys = List.copyOf(standbys);
  }

  /**
   * One connected standby.
   *
   * @param state how far the leader is with it, in small letters
   * @param lagEntries entries that it lacks on its disk
   * @param lagBytes bytes of them; at most one sample too many
   * @param lagMs for how long it has lacked something, at most {@link #LAG_HORIZON_MS}
   */
  public record Standby(
      Member member,
      String state,
      boolean inSync,
      long durableIndex,
      long appliedIndex,
      long lagEntries,
      long lagBytes,
      long lagMs) {}

  /** Whether clients are served. */
  public boolean serves() {
    return role == NodeRole.LEADER && !handingOver;
  }

  /** Upstream's word for the role. */
  public String roleName() {
    return role.leads() && !handingOver ? "leader" : "standby";
  }

  /** Upstream's word for the state. */
  public String stateName() {
    return switch (role) {
      case BOOTING -> "starting";
      case RESTORING -> "recovering";
      case STANDBY -> attached ? "standby" : "catching_up";
      case PROMOTING -> "leader_warmup";
      case LEADER -> handingOver ? "standby" : "serving";
      case FENCED, HALTED -> "standby";
    };
  }
}
