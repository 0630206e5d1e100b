package io.tidemark.chaos.endurance;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.client.ClientOptions;
import io.tidemark.client.MasterConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The clients of one test with a full disk: writers, and a reader that pings. */
final class DiskClients {
  private static final int WRITERS = 8;
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
  private static final int KEYS_A_QUESTION = 500;
  private static final Uuid LENDER = new Uuid(0xD15C, 1);

  private final InetSocketAddress address;
  private final List<DiskWriter> writers = new ArrayList<>();
  private final DiskReader reader;
  private final List<Thread> threads = new ArrayList<>();

  private DiskClients(InetSocketAddress address, long pauseMs) {
    this.address = address;
    for (int i = 0; i < WRITERS; i++) {
      writers.add(new DiskWriter(i, address, pauseMs));
    }
    reader = new DiskReader(address, LENDER, DiskWriter.firstKey(0));
  }

  /** Mounts memory and lets everybody work; writers rest so long between two keys. */
  static DiskClients start(InetSocketAddress address, long pauseMs) throws IOException {
    try (MasterConnection master = MasterConnection.open(address, ClientOptions.DEFAULT)) {
      SegmentInfo segment =
          new SegmentInfo(
              new Uuid(0xD15D, 1), "lender", 0x7f00_0000_0000L, 1L << 40, "host:1", "tcp", "");
      require(master.call(new Request.MountSegment(segment, LENDER)));
      require(master.call(new Request.ReMountSegment(List.of(segment), LENDER)));
    }
    DiskClients clients = new DiskClients(address, pauseMs);
    clients.writers.forEach(writer -> clients.threads.add(new Thread(writer, writer.toString())));
    clients.threads.add(new Thread(clients.reader, "reader"));
    clients.threads.forEach(thread -> thread.setDaemon(true));
    clients.threads.forEach(Thread::start);
    return clients;
  }

  /** Calls of writers that were answered with success. */
  long acknowledged() {
    return writers.stream().mapToLong(DiskWriter::acknowledged).sum();
  }

  /** The fewest refusals that any writer has had. */
  long leastRefused() {
    return writers.stream().mapToLong(DiskWriter::refused).min().orElse(0);
  }

  /** Refusals of all writers. */
  long refused() {
    return writers.stream().mapToLong(DiskWriter::refused).sum();
  }

  DiskReader reader() {
    return reader;
  }

  /** Fails if one of them has met what it should not. */
  void requireNoFailure() {
    for (DiskWriter writer : writers) {
      if (writer.failure() != null) {
        throw new AssertionError(writer + " gave up", writer.failure());
      }
    }
    if (reader.failure() != null) {
      throw new AssertionError("the reader gave up", reader.failure());
    }
  }

  /** Lets the calls under way end, and the threads. */
  void stop() throws InterruptedException {
    writers.forEach(DiskWriter::stop);
    reader.stop();
    for (Thread thread : threads) {
      thread.join(STOP_LIMIT.toMillis());
      if (thread.isAlive()) {
        throw new AssertionError(thread.getName() + " did not end within " + STOP_LIMIT);
      }
    }
    requireNoFailure();
  }

  /** Asks for every key of every writer; what differs from the last acknowledgement. */
  List<String> wrong() throws IOException {
    List<String> wrong = new ArrayList<>();
    try (MasterConnection master = MasterConnection.open(address, ClientOptions.DEFAULT)) {
      for (DiskWriter writer : writers) {
        List<String> keys = new ArrayList<>(writer.known().keySet());
        for (int from = 0; from < keys.size(); from += KEYS_A_QUESTION) {
          int to = Math.min(keys.size(), from + KEYS_A_QUESTION);
          ask(master, writer, keys.subList(from, to), wrong);
        }
      }
    }
    return wrong;
  }

  /** How many keys must be there. */
  long stored() {
    return writers.stream()
        .flatMap(writer -> writer.known().values().stream())
        .filter(Boolean::booleanValue)
        .count();
  }

  private static void ask(
      MasterConnection master, DiskWriter writer, List<String> keys, List<String> wrong)
      throws IOException {
    Reply reply =
        master.call(new Request.BatchExistKey(Rpc.BATCH_EXIST_KEY, keys, "default", 0, 0));
    List<? extends Result<?>> results = ((Reply.Many) reply).results();
    for (int i = 0; i < keys.size(); i++) {
      boolean expected = writer.known().get(keys.get(i));
      if (!results.get(i).isOk() || !results.get(i).value().equals(expected)) {
        wrong.add(keys.get(i) + ": stored=" + expected + ", master says " + results.get(i));
      }
    }
  }

  private static void require(Reply reply) {
    if (!(reply instanceof Reply.One one && one.result().isOk())) {
      throw new AssertionError("refused: " + reply);
    }
  }
}
