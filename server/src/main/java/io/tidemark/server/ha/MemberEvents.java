package io.tidemark.server.ha;

import io.tidemark.api.ha.Leadership;
import io.tidemark.api.log.OperationLog;
import io.tidemark.core.Master;
import io.tidemark.oplog.DurationCounts;
import io.tidemark.server.ExitCode;
import io.tidemark.server.metrics.TimedLog;
import io.tidemark.server.node.NodeListener;
import io.tidemark.server.node.NodeRole;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says what the node does, and lets the client port follow. The node's loop. */
final class MemberEvents implements NodeListener {
  private static final Logger LOG = LoggerFactory.getLogger(MemberEvents.class);

  private final HaMember member;
  private final DurationCounts commitTimes;
  private final BiConsumer<ExitCode, String> fatal;
  private final LongAdder fences = new LongAdder();
  private final LongAdder alarms = new LongAdder();
  private final LongAdder terms = new LongAdder();

  private boolean warm;

  MemberEvents(HaMember member, DurationCounts commitTimes, BiConsumer<ExitCode, String> fatal) {
    this.member = member;
    this.commitTimes = commitTimes;
    this.fatal = fatal;
  }

  /** etcd could not be reached at the start, and now it turns out that it refuses this member. */
  void denied(String why) {
    fatal.accept(ExitCode.ETCD_DENIED, "etcd refuses this member: " + why);
  }

  /** Leaderships of this node that ended. */
  long fences() {
    return fences.sum();
  }

  /** Times that a person was asked to look. */
  long alarms() {
    return alarms.sum();
  }

  /** Leaderships in which this node served. */
  long terms() {
    return terms.sum();
  }

  @Override
  public void role(NodeRole role, String why) {
    LOG.info("event=role role={} why=\"{}\"", role, why);
    if (role == NodeRole.FENCED) {
      fences.increment();
    }
    if (role == NodeRole.HALTED && member.logHasFailed()) {
      fatal.accept(ExitCode.LOG_FAILED, why);
    }
    if (role == NodeRole.STANDBY && !warm) {
      warm = true;
      member.warmUp();
    }
    member.changed();
  }

  @Override
  public OperationLog watched(OperationLog log) {
    return new TimedLog(log, commitTimes, System::nanoTime);
  }

  @Override
  public void serving(Master master, Leadership leadership) {
    terms.increment();
    LOG.info(
        "event=serving epoch={} objects={} log_index={}",
        leadership.epoch(),
        master.view().objectCount(),
        master.view().logEnd().index());
    member.serve(master, leadership);
  }

  @Override
  public void published(long viewVersion) {
    LOG.info("event=view_published version={}", viewVersion);
    member.published(viewVersion);
  }

  @Override
  public void notServing() {
    LOG.info("event=not_serving");
    member.serveNoMore();
  }

  @Override
  public void alarm(String what) {
    alarms.increment();
    LOG.error("event=alarm what=\"{}\"", what);
  }

  @Override
  public void commandFailed(String command, RuntimeException broken) {
    LOG.error(
        "event=command_failed command={} effect=\"refused, nothing changed\"", command, broken);
  }
}
