package io.tidemark.testkit.ha;

/**
 * What becomes of one request of a {@link SimulatedCoordinator} to its store.
 *
 * @param requestNanos until the request arrives; more than the client's time-out makes it a request
 *     that is carried out although its client has given up
 * @param requestLost it never arrives, and the client can't know
 * @param answerNanos until the answer arrives
 * @param answerLost it is carried out, and the client can't know
 */
public record Fate(long requestNanos, boolean requestLost, long answerNanos, boolean answerLost) {
  /** Arrives and is answered at the present instant. */
  public static final Fate PROMPT = new Fate(0, false, 0, false);

  /** The request is lost. */
  public static final Fate REQUEST_LOST = new Fate(0, true, 0, false);

  /** The answer is lost. */
  public static final Fate ANSWER_LOST = new Fate(0, false, 0, true);

  /** The request is under way for so long. */
  public static Fate delayed(long requestNanos) {
    return new Fate(requestNanos, false, 0, false);
  }

  /** The kinds of request. */
  public enum Step {
    /** A look at the keys. */
    READ,
    /** A lease is asked for. */
    GRANT,
    /** A transaction that may write. */
    WRITE,
    /** A lease is ended. */
    REVOKE,
    /** A lease is renewed. */
    RENEW
  }
}
