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
 */
public record MembershipRecord(
    UUID cluster, long epoch, Member leader, List<Member> inSync, long modRevision) {

  public MembershipRecord {
    inSync = List.copyOf(inSync);
  }
}
