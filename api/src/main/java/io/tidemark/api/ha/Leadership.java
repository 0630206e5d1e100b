package io.tidemark.api.ha;

/**
 * A won campaign: what its holder shows with everything it writes to the coordination store.
 *
 * @param epoch above every epoch before, here and in the winner's log (COR-18)
 * @param leaderCreateRevision the fencing token
 * @param membership as the campaign wrote it
 */
public record Leadership(
    long epoch, Member self, long leaderCreateRevision, MembershipRecord membership) {}
