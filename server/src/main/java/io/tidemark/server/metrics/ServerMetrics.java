package io.tidemark.server.metrics;

import java.util.concurrent.atomic.LongAdder;

/** What the process counts of its own doing. Any thread. */
public final class ServerMetrics {
  /** Client connections accepted. */
  public final LongAdder connectionsAccepted = new LongAdder();

  /** Client connections closed. */
  public final LongAdder connectionsClosed = new LongAdder();

  /** Bytes received on the client port. */
  public final LongAdder receivedBytes = new LongAdder();

  /** Bytes sent on the client port. */
  public final LongAdder sentBytes = new LongAdder();

  /** Requests whose handling threw. */
  public final LongAdder internalErrors = new LongAdder();

  /** Second answers to one request; dropped. */
  public final LongAdder doubleAnswers = new LongAdder();

  /** Times that reading from a connection paused because of a bound. */
  public final LongAdder readPauses = new LongAdder();

  /** Event loops that did not run for more than 20 ms. */
  public final LongAdder ioStalls = new LongAdder();

  /**
   * Times that the whole process stood still for more than 20 ms, garbage collection for example.
   */
  public final LongAdder processPauses = new LongAdder();

  /** Background ticks that threw. */
  public final LongAdder tickFailures = new LongAdder();

  /**
   * Requests that were not understood: the call or "unknown", why, and the release that they look
   * like.
   */
  public final LabelledCounter refused = new LabelledCounter("rpc", "reason", "release");

  /** Calls that this version does not serve. */
  public final LabelledCounter unserved = new LabelledCounter("rpc");

  /** Requests of the admin port by path and status. */
  public final LabelledCounter adminRequests = new LabelledCounter("path", "status");
}
