package io.tidemark.server.node;

import io.tidemark.api.ha.Member;
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

  /** The membership record was seen at this revision; one that is not higher changes nothing. */
  void noteRecordRevision(long revision);
}
