package io.tidemark.server.replication;

import java.util.concurrent.atomic.LongAdder;

/** What streams counted since the start of the process. Any thread. */
public final class LinkFigures {
  /** Streams that this node dialed and that came about. */
  public final LongAdder dialed = new LongAdder();

  /** Attempts to dial that failed. */
  public final LongAdder dialsFailed = new LongAdder();

  /** Streams that another node dialed. */
  public final LongAdder accepted = new LongAdder();

  /** Streams of other nodes that were turned away because there were too many. */
  public final LongAdder turnedAway = new LongAdder();

  /** Streams closed because what was to be sent exceeded the bound. */
  public final LongAdder overflows = new LongAdder();

  /** Times that receiving paused because the node's loop had enough to do. */
  public final LongAdder pauses = new LongAdder();

  /** Streams on which nothing was said in time after they were made. */
  public final LongAdder mute = new LongAdder();
}
