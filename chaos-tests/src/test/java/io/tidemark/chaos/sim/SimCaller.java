package io.tidemark.chaos.sim;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.core.Master;
import io.tidemark.core.Origin;
import java.util.Optional;
import java.util.function.Consumer;

/** A client's way to whichever master answers: calls, time-outs, and looking for another one. */
final class SimCaller {
  private static final long TIMEOUT_NANOS = 1_200 * SimConfig.MILLI;

  private final SimCluster cluster;
  private final String client;
  private final Origin origin;
  private int target;

  /** What came of a call. */
  record Answer(Kind kind, int code, Object value, long arrivedNanos, long answeredNanos) {

    /** How far a call got. */
    enum Kind {
      /** A master decided. */
      DECIDED,
      /** Nobody can have decided anything. */
      NOT_NOW,
      /** Somebody may have carried it out. */
      UNCLEAR
    }

    boolean isUnclear() {
      return kind == Kind.UNCLEAR;
    }

    boolean isNotNow() {
      return kind == Kind.NOT_NOW;
    }

    static Answer without(Kind kind) {
      return new Answer(kind, Integer.MIN_VALUE, null, 0, 0);
    }
  }

  /** One call under way. */
  private final class Call {
    final Consumer<Answer> then;
    boolean answered;

    Call(Consumer<Answer> then) {
      this.then = then;
    }

    void answer(Answer answer) {
      if (!answered) {
        answered = true;
        if (answer.kind() != Answer.Kind.DECIDED) {
          target++;
        }
        then.accept(answer);
      }
    }
  }

  SimCaller(SimCluster cluster, String client, int number) {
    this.cluster = cluster;
    this.client = client;
    this.origin = new Origin(number);
    this.target = number;
  }

  /** Calls; {@code then} is told exactly once. */
  void call(Request request, Consumer<Answer> then) {
    Call call = new Call(then);
    SimNode host = cluster.nodes().get(Math.floorMod(target, cluster.nodes().size()));
    cluster.time().after(travel(), () -> arrive(host, request, call));
    cluster.time().after(TIMEOUT_NANOS, () -> call.answer(Answer.without(Answer.Kind.UNCLEAR)));
  }

  private long travel() {
    return (100 + cluster.random().nextInt(900)) * 1000L;
  }

  private void arrive(SimNode host, Request request, Call call) {
    if (!host.isUp()) {
      answerLater(call, Answer.without(Answer.Kind.NOT_NOW));
    } else {
      host.execute(() -> serve(host, request, call));
    }
  }

  private void serve(SimNode host, Request request, Call call) {
    Optional<Master> master = host.master();
    if (master.isEmpty()) {
      answerLater(call, Answer.without(Answer.Kind.NOT_NOW));
      return;
    }
    long epoch = host.node().leadership().orElseThrow().epoch();
    long arrived = cluster.time().nanos();
    master.get().submit(request, origin, reply -> replied(host, epoch, arrived, reply, call));
  }

  private void replied(SimNode host, long epoch, long arrived, Reply reply, Call call) {
    int code = SimClient.codeOf(reply);
    if (code == ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS.value()) {
      answerLater(call, Answer.without(Answer.Kind.UNCLEAR));
      return;
    }
    cluster.checker().answered(host, epoch);
    Object value = SimClient.valueOf(reply);
    answerLater(
        call, new Answer(Answer.Kind.DECIDED, code, value, arrived, cluster.time().nanos()));
  }

  private void answerLater(Call call, Answer answer) {
    cluster.time().after(travel(), () -> call.answer(answer));
  }

  @Override
  public String toString() {
    return client;
  }
}
