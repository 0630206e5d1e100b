package io.tidemark.oplog;

import java.util.Optional;
import java.util.UUID;

/**
 * What a member of a cluster remembers in its log directory.
 *
 * @param cluster the cluster that the directory belongs to; empty for none
 * @param recordRevision highest revision of the membership record that was seen, 0 for none
 * @param forcedEpoch the {@code forcedEpoch} of that record; revisions before and after a forced
 *     start are not comparable
 * @param viewVersion highest version of a view that was published or seen, 0 for none
 * @param orderedEpoch epoch of the record that was to be written for an operator who ordered a
 *     forced start here, 0 if no such order is under way
 * @param keepsMemory whether that order said that memory replicas are to be kept
 */
public record MemberFacts(
    Optional<UUID> cluster,
    long recordRevision,
    long forcedEpoch,
    long viewVersion,
    long orderedEpoch,
    boolean keepsMemory) {

  /** Those of a directory that is nobody's. */
  public static final MemberFacts NONE = new MemberFacts(Optional.empty(), 0, 0, 0, 0, false);

  /** The same for the directory of a cluster's member. */
  public MemberFacts ofCluster(UUID adopted) {
    return new MemberFacts(
        Optional.of(adopted), recordRevision, forcedEpoch, viewVersion, orderedEpoch, keepsMemory);
  }

  /** The same after the membership record was seen. */
  public MemberFacts withRecord(long revision, long forced) {
    return new MemberFacts(cluster, revision, forced, viewVersion, orderedEpoch, keepsMemory);
  }

  /** The same after a view was seen. */
  public MemberFacts withView(long version) {
    return new MemberFacts(
        cluster, recordRevision, forcedEpoch, version, orderedEpoch, keepsMemory);
  }

  /** The same with an order to start by force; epoch 0 takes it back. */
  public MemberFacts withOrder(long epoch, boolean keepMemory) {
    return new MemberFacts(cluster, recordRevision, forcedEpoch, viewVersion, epoch, keepMemory);
  }
}
