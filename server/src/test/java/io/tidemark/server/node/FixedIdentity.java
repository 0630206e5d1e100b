package io.tidemark.server.node;

import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import java.util.Optional;
import java.util.UUID;

/** What a node remembers, for who only looks at it. */
record FixedIdentity(Member self, Optional<UUID> cluster, long recordRevision, long forcedEpoch)
    implements NodeIdentity {

  @Override
  public void adopt(UUID adopted) {
    throw new AssertionError("a look changes nothing");
  }

  @Override
  public void noteRecord(MembershipRecord record) {
    throw new AssertionError("a look changes nothing");
  }

  @Override
  public long viewVersion() {
    return 0;
  }

  @Override
  public void noteView(long version) {
    throw new AssertionError("a look changes nothing");
  }

  @Override
  public void forgetViews() {
    throw new AssertionError("a look changes nothing");
  }

  @Override
  public Optional<ForcedStart> ordered() {
    return Optional.empty();
  }

  @Override
  public void order(ForcedStart order) {
    throw new AssertionError("a look changes nothing");
  }

  @Override
  public void orderIsOver() {
    throw new AssertionError("a look changes nothing");
  }
}
