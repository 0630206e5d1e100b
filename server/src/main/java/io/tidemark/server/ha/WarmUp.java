package io.tidemark.server.ha;

import io.tidemark.api.ha.Candidate;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.election.EtcdCoordinator;
import io.tidemark.wire.RequestEncoder;
import io.tidemark.wire.WireBuffer;
import io.tidemark.wire.schema.WireProfile;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes through a promotion for show once the process follows, so that the first one in earnest does
 * not have to load what it needs: a campaign that can't be won, a stream to this node itself, a
 * master on a log of its own, and calls to its own client port. On a thread of its own; whatever
 * fails there is only told.
 */
final class WarmUp implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

  private static final int CONNECTIONS = 5;
  private static final int CALLS = 20;
  private static final int CALL_LIMIT_MS = 2_000;
  private static final int READ_BYTES = 4096;

  private final EtcdCoordinator coordinator;
  private final Candidate self;
  private final Runnable dialSelf;
  private final InetSocketAddress clientPort;
  private final Path place;

  private WarmUp(
      EtcdCoordinator coordinator,
      Candidate self,
      Runnable dialSelf,
      InetSocketAddress clientPort,
      Path place) {
    this.coordinator = coordinator;
    this.self = self;
    this.dialSelf = dialSelf;
    this.clientPort = clientPort;
    this.place = place;
  }

  /**
   * Begins; returns at once.
   *
   * @param clientPort where clients reach this member
   * @param place where files may be made meanwhile
   */
  static void begin(
      EtcdCoordinator coordinator,
      Candidate self,
      Runnable dialSelf,
      InetSocketAddress clientPort,
      Path place) {
    WarmUp work = new WarmUp(coordinator, self, dialSelf, clientPort, place);
    Thread thread = new Thread(work, "tidemark-warm-up");
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
      callSelf();
      long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      LOG.info("event=promotion_rehearsed ms={} calls={}", ms, answers);
    } catch (IOException | RuntimeException failed) {
      LOG.warn("event=rehearsal_failed effect=\"a first promotion may take longer\"", failed);
    }
  }

  /** As a client does; each call is refused, unless this node leads by now. */
  private void callSelf() throws IOException {
    Request.ExistKey call = new Request.ExistKey(Rpc.EXIST_KEY, "rehearsal", "default");
    for (int i = 0; i < CONNECTIONS; i++) {
      try (Socket socket = new Socket()) {
        socket.setSoTimeout(CALL_LIMIT_MS);
        socket.connect(clientPort, CALL_LIMIT_MS);
        for (int seq = 0; seq < CALLS; seq++) {
          WireBuffer frame = new WireBuffer();
          RequestEncoder.encode(call, WireProfile.MAIN, seq, true, frame);
          socket.getOutputStream().write(frame.array(), 0, frame.size());
          if (socket.getInputStream().read(new byte[READ_BYTES]) < 0) {
            throw new EOFException("the client port closed the connection of the rehearsal");
          }
        }
      }
    }
  }
}
