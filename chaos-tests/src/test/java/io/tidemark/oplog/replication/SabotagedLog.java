package io.tidemark.oplog.replication;

import io.tidemark.api.ha.Member;
import java.util.Collection;

/** Takes for committed what is not held by all who may be promoted. */
public final class SabotagedLog extends ReplicatedLog {
  private final boolean alone;
  private final boolean ready;

  private SabotagedLog(Parts parts, Collection<Member> inSync, boolean alone) {
    super(parts, inSync);
    this.alone = alone;
    this.ready = true;
  }

  /** One for which the leader's own copy is enough. */
  public static ReplicatedLog aheadOfReplication(Parts parts, Collection<Member> inSync) {
    return new SabotagedLog(parts, inSync, true);
  }

  /** One that does not wait for a member before it surely is one (against COR-14). */
  public static ReplicatedLog notJoint(Parts parts, Collection<Member> inSync) {
    return new SabotagedLog(parts, inSync, false);
  }

  @Override
  synchronized void require(Collection<Member> members, int surelyInSync) {
    boolean uncertain = ready && members.size() > surelyInSync;
    if (alone || !uncertain) {
      super.require(members, surelyInSync);
    }
  }

  @Override
  long agreedIndex() {
    return alone ? durableIndexOf(self()) : super.agreedIndex();
  }
}
