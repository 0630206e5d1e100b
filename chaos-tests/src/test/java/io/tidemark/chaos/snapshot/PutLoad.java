package io.tidemark.chaos.snapshot;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.client.ClientOptions;
import io.tidemark.client.MasterConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/** Puts and removes objects of one client, batch by batch, and keeps what the master said. */
final class PutLoad {
  private static final Uuid CLIENT = new Uuid(0x5A, 1);
  private static final String TENANT = "default";
  private static final int BATCH = 32;
  private static final int KEPT = 20_000;

  private final InetSocketAddress address;

  /** Key to whether it is stored; a key whose last call was not answered is not in it. */
  private final Map<String, Boolean> known = new ConcurrentHashMap<>();

  private long next;

  PutLoad(InetSocketAddress address) {
    this.address = address;
  }

  void mount() throws IOException {
    try (MasterConnection master = connect()) {
      SegmentInfo segment =
          new SegmentInfo(
              new Uuid(0x5B, 1), "kill", 0x7f00_0000_0000L, 4L << 30, "host:1", "tcp", "");
      master.call(new Request.MountSegment(segment, CLIENT));
    }
  }

  /** Works until the connection breaks, or {@code batches} were done. */
  void run(int batches) {
    try (MasterConnection master = connect()) {
      for (int i = 0; i < batches; i++) {
        batch(master);
      }
    } catch (IOException killed) {
      // What was not answered is not known.
    }
  }

  private void batch(MasterConnection master) throws IOException {
    List<Request> starts = new ArrayList<>();
    List<Request> ends = new ArrayList<>();
    List<Request> removals = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      String key = "k" + next;
      String old = "k" + (next - KEPT);
      known.remove(old);
      starts.add(
          new Request.WriteStart(
              Rpc.PUT_START, CLIENT, key, 1024, ReplicateConfig.DEFAULT, TENANT));
      ends.add(
          new Request.WriteEnd(
              Rpc.PUT_END, CLIENT, key, OptionalLong.empty(), ReplicaType.MEMORY, TENANT));
      removals.add(new Request.Remove(old, true, TENANT));
      next++;
    }
    master.callAll(starts);
    note(ends, master.callAll(ends));
    master.callAll(removals);
  }

  private void note(List<Request> ends, List<Reply> replies) {
    for (int i = 0; i < ends.size(); i++) {
      if (replies.get(i) instanceof Reply.One one && one.result().isOk()) {
        known.put(((Request.WriteEnd) ends.get(i)).key(), true);
      }
    }
  }

  /** Keys that the master said are stored and now does not know. */
  List<String> lost() throws IOException {
    List<String> lost = new ArrayList<>();
    try (MasterConnection master = connect()) {
      for (String key : known.keySet()) {
        Reply reply = master.call(new Request.ExistKey(Rpc.EXIST_KEY, key, TENANT));
        if (!(reply instanceof Reply.One one && Boolean.TRUE.equals(one.result().value()))) {
          lost.add(key);
        }
      }
    }
    return lost;
  }

  /** Number of keys that must be there. */
  int stored() {
    return known.size();
  }

  private MasterConnection connect() throws IOException {
    return MasterConnection.open(address, ClientOptions.DEFAULT);
  }
}
