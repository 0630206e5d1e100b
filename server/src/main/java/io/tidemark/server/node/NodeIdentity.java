package io.tidemark.server.node;

import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import java.util.Optional;
import java.util.UUID;

/** Who the node is, as its log directory says. What is written is durable on return. */
public interface NodeIdentity {

  /** Node and incarnation (COR-16). */
  Member self();

  /** The cluster that the directory belongs to, empty for a new one (COR-17). */
  Optional<UUID> cluster();

  /** The directory belongs to this cluster from now on; only for one that belongs to none. */
  void adopt(UUID cluster);

  /** Highest revision of the membership record that was ever seen, 0 for none (COR-17). */
  long recordRevision();

  /**
   * The {@link MembershipRecord#forcedEpoch} of the record last noted. A record of a higher one was
   * written by an operator's word since, perhaps to a store that began anew: its revisions are not
   * to be compared with those before.
   */
  long forcedEpoch();

  /** A trusted membership record was seen; one that is not newer changes nothing. */
  void noteRecord(MembershipRecord record);

  /** Highest version of a view that clients may hold, as far as this node knows; 0 for none. */
  long viewVersion();

  /** A view was published or seen; one that is not higher changes nothing (HA-REQ-014). */
  void noteView(long version);

  /** Clients were started anew: any version will do. */
  void forgetViews();

  /** The order of an operator that this node leads although entries may be missing. */
  Optional<ForcedStart> ordered();

  /** Such an order was given. */
  void order(ForcedStart order);

  /** It was carried out, or has come to nothing; nothing happens if there is none. */
  void orderIsOver();
}
