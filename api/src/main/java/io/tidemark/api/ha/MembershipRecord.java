package io.tidemark.api.ha;

import java.util.List;
import java.util.UUID;

/**
 * The in-sync set as it is recorded outside the log.
 *
 * @param cluster whose it is (COR-17)
 * @param epoch of the leadership that wrote it
 * @param leader who led then
 * @param inSync members that may be promoted, the leader among them, in a fixed order
 * @param modRevision revision of the store at which it was written; compared by every change
 * @param forcedEpoch epoch of the record that an operator last wrote by force, 0 for never; whoever
 *     changes the record takes it over
 */
public record MembershipRecord(
    UUID cluster,
    long epoch,
    Member leader,
    List<Member> inSync,
    long modRevision,
    long forcedEpoch) {

  /** A record that was never forced. */
  public MembershipRecord(
      UUID cluster, long epoch, Member leader, List<Member> inSync, long modRevision) {
    this(cluster, epoch, leader, inSync, modRevision, 0);
  }

  public MembershipRecord {
    inSync = List.copyOf(inSync);
  }

  /** The same as the store has it once it was written at a revision. */
  public MembershipRecord at(long revision) {
    return new MembershipRecord(cluster, epoch, leader, inSync, revision, forcedEpoch);
  }
}
