package io.tidemark.chaos.conformance;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.chaos.process.Release;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs one sequence against both masters, step by step, up to the first unexplained difference. */
final class Comparison {
  private final Release release;
  private final Setting setting;
  private final Side oracle;
  private final Side subject;
  private final Canonical oracleForm = new Canonical();
  private final Canonical subjectForm = new Canonical();
  private final Deadlines deadlines = new Deadlines();
  private final Timing timing;
  private final MemoryReuse reuse = new MemoryReuse();
  private final Map<KnownDifference, Integer> known = new EnumMap<>(KnownDifference.class);
  private final List<String> history = new ArrayList<>();
  private final Map<Uuid, Uuid> segmentOwners = new HashMap<>();
  private final long beginMs = ProtocolWait.nowMs();
  private int calls;
  private boolean stopped;

  Comparison(Release release, Setting setting, Side oracle, Side subject) {
    this.release = release;
    this.setting = setting;
    this.oracle = oracle;
    this.subject = subject;
    this.timing = new Timing(setting, deadlines);
  }

  /** Runs the steps; what differs without being known, empty if nothing. */
  List<Difference> run(List<Step> steps) {
    for (int i = 0; i < steps.size() && !stopped; i++) {
      Step step = steps.get(i);
      if (step instanceof Step.Call call) {
        List<Difference> differences = call(i, call);
        if (!differences.isEmpty()) {
          return differences;
        }
      } else if (step instanceof Step.Rest rest) {
        ProtocolWait.until(ProtocolWait.nowMs() + rest.ms());
      } else if (step instanceof Step.PassDeadlines pass) {
        deadlines.passAll(pass.horizonMs());
      }
    }
    return List.of();
  }

  private List<Difference> call(int number, Step.Call call) {
    deadlines.guard();
    learn(call.request());
    if (reuse.begins(call.request()) || timing.hasReleased()) {
      oracleForm.stopComparingOffsets();
      subjectForm.stopComparingOffsets();
    }
    long begin = ProtocolWait.nowMs();
    Reply expected = oracle.call(call.client(), call.request());
    Reply actual = subject.call(call.client(), call.request());
    deadlines.ended();
    timing.note(call.request(), begin, ProtocolWait.nowMs());
    reuse.note(call.request(), expected);
    calls++;
    List<Difference> differences = compare(number, call, expected, actual);
    note(number, call, expected, differences);
    stopped |= losesOnUpstream(call.request(), expected);
    return unexplained(call, differences);
  }

  /**
   * Whether a Start found no memory because all clients are suspected: upstream may have given up
   * what the key held, Tidemark keeps it (failed-upsert-keeps-the-object).
   */
  private boolean losesOnUpstream(Request request, Reply reply) {
    if (setting != Setting.LIVENESS) {
      return false;
    }
    List<String> items = oracleForm.items(reply);
    long[] sizes =
        request instanceof Request.WriteStart single
            ? new long[] {single.sliceLength()}
            : request instanceof Request.BatchWriteStart batch ? batch.sliceLengths() : new long[0];
    for (int i = 0; i < Math.min(sizes.length, items.size()); i++) {
      boolean possible = sizes[i] >= 0 && sizes[i] < Cast.SEGMENT_BYTES;
      if (possible && items.get(i).contains(ErrorCode.NO_AVAILABLE_HANDLE.name())) {
        return true;
      }
    }
    return false;
  }

  private void learn(Request request) {
    if (request instanceof Request.MountSegment mount) {
      oracleForm.learn(mount.segment());
      subjectForm.learn(mount.segment());
      segmentOwners.putIfAbsent(mount.segment().id(), mount.clientId());
    }
  }

  private List<Difference> compare(
      int number, Step.Call call, Reply expectedReply, Reply actualReply) {
    List<String> expected = oracleForm.items(expectedReply);
    List<String> actual = subjectForm.items(actualReply);
    List<String> keys = Shown.keys(call.request());
    List<Difference> differences = new ArrayList<>();
    for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
      String a = i < expected.size() ? expected.get(i) : "(none)";
      String b = i < actual.size() ? actual.get(i) : "(none)";
      if (!a.equals(b)) {
        String key = i < keys.size() ? keys.get(i) : "";
        differences.add(
            new Difference(
                release,
                setting,
                number,
                call.request(),
                i,
                key,
                a,
                b,
                expectedReply,
                actualReply));
      }
    }
    return differences;
  }

  private List<Difference> unexplained(Step.Call call, List<Difference> differences) {
    List<Difference> unknown = new ArrayList<>();
    for (Difference difference : differences) {
      Optional<KnownDifference> reason = KnownDifference.of(difference);
      if (reason.isEmpty()) {
        unknown.add(difference);
      } else {
        known.merge(reason.get(), 1, Integer::sum);
        Canonical.align(oracleForm, subjectForm);
        switch (reason.get().after()) {
          case STOP -> stopped = true;
          case BRING_TOGETHER -> bringTogether(call, difference);
          case GO_ON -> {}
        }
      }
    }
    return unknown;
  }

  /** After a known difference the masters' states differ; this makes them equal again. */
  private void bringTogether(Step.Call call, Difference difference) {
    if (call.request() instanceof Request.UnmountSegment unmount) {
      Uuid owner = segmentOwners.getOrDefault(unmount.segmentId(), unmount.clientId());
      both(call.client(), new Request.UnmountSegment(unmount.segmentId(), owner));
      timing.note(call.request(), ProtocolWait.nowMs(), ProtocolWait.nowMs());
    } else if (call.request() instanceof Request.Ping ping) {
      Request remount = new Request.ReMountSegment(List.of(), ping.clientId());
      both(call.client(), remount);
      timing.note(remount, ProtocolWait.nowMs(), ProtocolWait.nowMs());
    } else if (!difference.key().isEmpty()) {
      forget(call.client(), difference.key());
    }
  }

  /** Makes a key absent on both, whatever it was. */
  private void forget(int client, String key) {
    Uuid id = new Uuid(0xF0, 0x61);
    both(
        client,
        new Request.WriteStart(Rpc.UPSERT_START, id, key, 1, ReplicateConfig.DEFAULT, "default"));
    both(client, new Request.WriteRevoke(Rpc.UPSERT_REVOKE, id, key, ReplicaType.ALL, "default"));
    both(client, new Request.Remove(key, true, "default"));
    reuse.forget(key);
    oracleForm.stopComparingOffsets();
    subjectForm.stopComparingOffsets();
  }

  private void both(int client, Request request) {
    oracle.call(client, request);
    subject.call(client, request);
  }

  private void note(int number, Step.Call call, Reply reply, List<Difference> differences) {
    String answer =
        reply instanceof Reply.One one && !one.result().isOk()
            ? ErrorCode.nameOf(one.result().code())
            : reply.toString();
    history.add(
        number
            + " at "
            + (ProtocolWait.nowMs() - beginMs)
            + " ms client "
            + call.client()
            + " "
            + Shown.request(call.request())
            + " -> "
            + answer.substring(0, Math.min(answer.length(), 300))
            + (differences.isEmpty() ? "" : "  DIFFERS"));
  }

  /** Whether a call met a deadline, so that a difference may be one of timing. */
  boolean isLate() {
    return deadlines.isLate();
  }

  /** Calls that both masters answered. */
  int calls() {
    return calls;
  }

  /** Known differences and how often they were seen. */
  Map<KnownDifference, Integer> known() {
    return known;
  }

  /** One line for each call. */
  List<String> history() {
    return history;
  }
}
