package io.tidemark.server.ha;

import io.tidemark.api.ha.Candidate;
import io.tidemark.election.EtcdCoordinator;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes through a promotion for show once the process follows, so that the first one in earnest does
 * not have to load what it needs: a campaign that can't be won, a stream to this node itself, and a
 * master on a log of its own. On a thread of its own; whatever fails there is only told.
 */
final class WarmUp implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

  private final EtcdCoordinator coordinator;
  private final Candidate self;
  private final Runnable dialSelf;
  private final Path place;

  private WarmUp(EtcdCoordinator coordinator, Candidate self, Runnable dialSelf, Path place) {
    this.coordinator = coordinator;
    this.self = self;
    this.dialSelf = dialSelf;
    this.place = place;
  }

  /**
   * Begins; returns at once.
   *
   * @param place where files may be made meanwhile
   */
  static void begin(EtcdCoordinator coordinator, Candidate self, Runnable dialSelf, Path place) {
    Thread thread = new Thread(new WarmUp(coordinator, self, dialSelf, place), "tidemark-warm-up");
    thread.setDaemon(true);
    thread.setPriority(Thread.MIN_PRIORITY);
    thread.start();
  }

  @Override
  public void run() {
    long begun = System.nanoTime();
    try {
      coordinator.rehearse(self).join();
      dialSelf.run();
      int answers = Rehearsal.run(place);
      long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      LOG.info("event=promotion_rehearsed ms={} calls={}", ms, answers);
    } catch (RuntimeException failed) {
      LOG.warn("event=rehearsal_failed effect=\"a first promotion may take longer\"", failed);
    }
  }
}
