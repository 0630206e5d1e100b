package io.tidemark.oplog;

import io.tidemark.api.log.LogFailureException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that forces the log to disk. Whatever was requested before a forced write begins
 * is covered by it, so many batches share one.
 *
 * <p>{@link #request} may be called by any thread and never waits for the disk. A forced write that
 * failed is never tried again: the kernel may have dropped the pages and would report success.
 */
final class GroupCommit implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);
  private static final long JOIN_SECONDS = 60;

  private final Path directory;
  private final ForceCounters counters;
  private final Listener listener;
  private final List<Path> backlog;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();

  /** What is asked for; guarded by the lock. */
  private long requestedIndex;

  private int requestedSegment;
  private boolean stopping;

  /** What the thread is at; its own. */
  private long forcedIndex;

  private int openSegment;
  private FileChannel openChannel;

  /** Told about progress; called on the thread of this class. */
  interface Listener {
    void committed(long index);

    void failed(LogFailureException failure);
  }

  /**
   * Where the work begins.
   *
   * @param backlog files of an earlier run that may not be on the disk yet; forced first
   * @param firstSegment number of the segment that the writer begins with
   * @param committedIndex where the log stands
   */
  record Start(List<Path> backlog, int firstSegment, long committedIndex) {}

  GroupCommit(Path directory, Start start, ForceCounters counters, Listener listener) {
    this.directory = directory;
    this.counters = counters;
    this.listener = listener;
    backlog = List.copyOf(start.backlog());
    requestedIndex = start.committedIndex();
    forcedIndex = start.committedIndex();
    requestedSegment = start.firstSegment();
    openSegment = start.firstSegment();
    thread = new Thread(this::run, "log-sync");
    thread.setDaemon(true);
    thread.start();
  }

  /** Asks for everything up to {@code index}, which is in {@code segment}, to be forced. */
  void request(long index, int segment) {
    lock.lock();
    try {
      requestedIndex = index;
      requestedSegment = segment;
      work.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Asks for all segments before {@code segment} to be forced, without a promise when. */
  void rolledTo(int segment) {
    lock.lock();
    try {
      requestedSegment = segment;
      work.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Does what was requested, then ends the thread. */
  @Override
  public void close() {
    lock.lock();
    try {
      stopping = true;
      work.signal();
    } finally {
      lock.unlock();
    }
    try {
      thread.join(TimeUnit.SECONDS.toMillis(JOIN_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      throw new LogFailureException(
          "the log in " + directory + " was not on the disk after " + JOIN_SECONDS + " s");
    }
  }

  private void run() {
    try {
      forceBacklog();
      Request next = take();
      while (next != null) {
        force(next);
        next = take();
      }
    } catch (IOException | RuntimeException e) {
      listener.failed(
          new LogFailureException(
              "can't force the log in "
                  + directory
                  + " to disk: "
                  + e
                  + "; check the disk, then start again",
              e));
    } finally {
      closeChannel();
    }
  }

  private void forceBacklog() throws IOException {
    for (Path file : backlog) {
      try {
        Disk.force(file);
      } catch (NoSuchFileException trimmed) {
        LOG.debug("{} was removed from the log before it was forced", file);
      }
    }
  }

  private record Request(long index, int segment) {}

  /** The next thing to do, or null when there is nothing left and the log is being closed. */
  private Request take() {
    lock.lock();
    try {
      while (requestedIndex == forcedIndex && requestedSegment == openSegment) {
        if (stopping) {
          return null;
        }
        work.awaitUninterruptibly();
      }
      return new Request(requestedIndex, requestedSegment);
    } finally {
      lock.unlock();
    }
  }

  private void force(Request request) throws IOException {
    while (openSegment < request.segment()) {
      forceOpenSegment();
      closeChannel();
      openSegment++;
    }
    if (request.index() > forcedIndex) {
      forceOpenSegment();
      counters.group(request.index() - forcedIndex);
      forcedIndex = request.index();
      listener.committed(forcedIndex);
    }
  }

  private void forceOpenSegment() throws IOException {
    if (openChannel == null) {
      Path file = SegmentName.of(openSegment, directory).file();
      if (!Files.exists(file)) {
        return; // nothing was appended to it
      }
      openChannel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      Disk.forceNames(directory);
    }
    long begin = System.nanoTime();
    openChannel.force(false);
    counters.force(System.nanoTime() - begin);
  }

  private void closeChannel() {
    try {
      if (openChannel != null) {
        openChannel.close();
      }
    } catch (IOException e) {
      LOG.warn("can't close a segment file in {}: {}", directory, e.toString());
    }
    openChannel = null;
  }
}
