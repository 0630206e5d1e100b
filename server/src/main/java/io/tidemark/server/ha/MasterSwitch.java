package io.tidemark.server.ha;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.core.MasterService;
import io.tidemark.core.MasterView;
import io.tidemark.core.Origin;
import io.tidemark.core.ReplySink;
import io.tidemark.server.metrics.RequestItems;
import io.tidemark.wire.ReplyEncoder;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the client port talks to in a cluster: the serving master of the present term, or nobody.
 * Without one every call is answered UNAVAILABLE_IN_CURRENT_STATUS inside its result, which clients
 * retry; an error of the RPC layer would cost them the connection. Any thread.
 */
final class MasterSwitch implements MasterService {
  private final SwitchedView view = new SwitchedView();
  private final LongAdder refused = new LongAdder();
  private volatile Serving serving;

  /** Who serves, and its background work. */
  private record Serving(MasterService master, Runnable tick) {}

  /**
   * Calls go to this master from now on.
   *
   * @param tick its background work
   */
  void serve(MasterService master, Runnable tick) {
    view.show(master.view());
    serving = new Serving(master, tick);
  }

  /** Background work of whoever serves; called every 10 ms. */
  void tick() {
    Serving now = serving;
    if (now != null) {
      now.tick().run();
    }
  }

  private MasterService master() {
    Serving now = serving;
    return now == null ? null : now.master();
  }

  /** Calls are refused from now on; what a master took before is its own. */
  void refuse() {
    serving = null;
    view.showNothing();
  }

  /** Calls that were refused because nobody served. */
  long refused() {
    return refused.sum();
  }

  @Override
  public void submit(Request request, Origin origin, ReplySink sink) {
    MasterService master = master();
    if (master != null) {
      master.submit(request, origin, sink);
    } else {
      refused.increment();
      sink.reply(refusal(request));
    }
  }

  private static Reply refusal(Request request) {
    if (request instanceof Request.RemoveAll) {
      return new Reply.Bare(0L);
    }
    return ReplyEncoder.refuse(
        request.rpc(), RequestItems.of(request), ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
  }

  @Override
  public void softPin(
      List<String> keys, String tenant, OptionalLong ttlMs, Origin origin, ReplySink sink) {
    MasterService master = master();
    if (master != null) {
      master.softPin(keys, tenant, ttlMs, origin, sink);
    } else {
      refused.increment();
      sink.reply(Reply.error(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS));
    }
  }

  @Override
  public void connectionClosed(long connectionId) {
    MasterService master = master();
    if (master != null) {
      master.connectionClosed(connectionId);
    }
  }

  @Override
  public void releaseLearned(Uuid clientId, String release) {
    MasterService master = master();
    if (master != null) {
      master.releaseLearned(clientId, release);
    }
  }

  /** The serving master's view, or an empty one. */
  @Override
  public MasterView view() {
    return view;
  }
}
