package io.tidemark.server.ha;

import io.tidemark.api.ha.ClusterView;
import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.ha.Coordinator.Verdict;
import io.tidemark.server.ExitCode;
import io.tidemark.server.StartException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One look at etcd before a member starts, to tell what will not pass from what may. */
final class EtcdCheck {
  private static final Logger LOG = LoggerFactory.getLogger(EtcdCheck.class);
  private static final long TIMEOUT_SEC = 5;

  private EtcdCheck() {}

  /**
   * Looks; an etcd that can't be reached is said and not waited for.
   *
   * @param place where etcd is, for people
   * @throws StartException if etcd refuses this member (HA-REQ-076)
   */
  static void run(Coordinator coordinator, Object place) {
    Outcome<ClusterView> read;
    try {
      read = coordinator.read().get(TIMEOUT_SEC, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return;
    } catch (ExecutionException | TimeoutException late) {
      read = Outcome.not(Verdict.UNAVAILABLE, "no answer");
    }
    if (read.verdict() == Verdict.DENIED) {
      throw denied(read.detail());
    }
    if (!read.isDone()) {
      LOG.warn(
          "event=etcd_unreachable etcd={} effect=\"this member waits and tries again\" why=\"{}\"",
          place,
          read.detail());
    }
  }

  private static StartException denied(String why) {
    return new StartException(
        ExitCode.ETCD_DENIED,
        "etcd refuses this member, and trying again will not help: "
            + why
            + ". Check --etcd_user, --etcd_password_file and the user's rights, --etcd_ca_file,"
            + " --etcd_cert_file, --etcd_key_file. Nothing was changed",
        null);
  }
}
