package io.tidemark.election;

import io.etcd.jetcd.common.exception.EtcdException;
import io.grpc.Status;
import io.tidemark.api.ha.Coordinator.Verdict;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a failed request means.
 *
 * @param verdict {@link Verdict#UNAVAILABLE}, {@link Verdict#UNCLEAR} or {@link Verdict#DENIED}
 * @param sent whether the request may have left this process
 * @param code what etcd's client said; {@link Status.Code#UNKNOWN} if it said nothing
 * @param text for people, with etcd's own words
 */
record EtcdFailure(Verdict verdict, boolean sent, Status.Code code, String text) {
  /** Answers that a server gives only if it has not done what was asked. */
  private static final Set<Status.Code> SURELY_NOT_DONE =
      Set.of(
          Status.Code.INVALID_ARGUMENT,
          Status.Code.NOT_FOUND,
          Status.Code.FAILED_PRECONDITION,
          Status.Code.RESOURCE_EXHAUSTED,
          Status.Code.OUT_OF_RANGE,
          Status.Code.UNIMPLEMENTED);

  private static final Set<Status.Code> LOGIN_REFUSED =
      Set.of(
          Status.Code.UNAUTHENTICATED,
          Status.Code.PERMISSION_DENIED,
          Status.Code.INVALID_ARGUMENT,
          Status.Code.FAILED_PRECONDITION);

  /** What is said of a handshake that will fail again, unlike one that was cut off. */
  private static final Pattern CERTIFICATE =
      Pattern.compile("certificate|PKIX|NotSslRecord|unknown_ca", Pattern.CASE_INSENSITIVE);

  /** In the words of a request that waited for a connection: why there was none. */
  private static final Pattern NO_CONNECTION =
      Pattern.compile("Last Pick Failure=.*?cause=[\\w.$]+: ([^\\n}]*)", Pattern.DOTALL);

  /**
   * Judges a failure.
   *
   * @param write whether the request may have changed something; a read is never unclear
   * @param what the request and whom it went to, for the text
   */
  static EtcdFailure of(Throwable failure, boolean write, String what) {
    Throwable thrown = unwrap(failure);
    if (thrown instanceof EtcdRecords.UnreadableRecordException) {
      return new EtcdFailure(Verdict.DENIED, true, Status.Code.UNKNOWN, thrown.getMessage());
    }
    if (thrown instanceof TimeoutException) {
      Verdict late = write ? Verdict.UNCLEAR : Verdict.UNAVAILABLE;
      return new EtcdFailure(
          late, true, Status.Code.DEADLINE_EXCEEDED, what + ": no answer in time");
    }
    Status status = status(thrown);
    boolean sent = !notSent(status);
    Verdict verdict = write && sent ? Verdict.UNCLEAR : Verdict.UNAVAILABLE;
    if (denied(status)) {
      verdict = Verdict.DENIED;
    } else if (SURELY_NOT_DONE.contains(status.getCode()) || staleToken(thrown)) {
      verdict = Verdict.UNAVAILABLE;
    }
    return new EtcdFailure(verdict, sent, status.getCode(), what + ": " + words(status));
  }

  /** Whether etcd said something, be it a refusal. */
  boolean answered() {
    return verdict == Verdict.DENIED
        || (sent && code != Status.Code.DEADLINE_EXCEEDED && code != Status.Code.UNKNOWN);
  }

  /** Whether a token for a login has run out; etcd's client takes a new one for the next call. */
  static boolean staleToken(Throwable failure) {
    String words = String.valueOf(status(unwrap(failure)).getDescription());
    return words.contains("invalid auth token") || words.contains("revision of auth store is old");
  }

  private static boolean denied(Status status) {
    String words = String.valueOf(status.getDescription());
    if (words.contains("invalid auth token") || words.contains("revision of auth store is old")) {
      return false;
    }
    if (notSent(status) && CERTIFICATE.matcher(words).find()) {
      return true; // no connection came about, since one side does not trust the other
    }
    if (words.contains("user name is empty") || words.contains("permission denied")) {
      return true; // etcd wants a login and there is none, or this user may not
    }
    if (status.getCode() == Status.Code.UNAUTHENTICATED) {
      // A login failed. The reason is below: etcd refused it, or could not be asked.
      Throwable below = reason(status);
      return below == null || LOGIN_REFUSED.contains(status(below).getCode());
    }
    return status.getCode() == Status.Code.PERMISSION_DENIED;
  }

  private static boolean notSent(Status status) {
    return status.getCause() instanceof CallTracking.NotSentException;
  }

  /** The cause below the mark of a request that was not sent. */
  private static Throwable reason(Status status) {
    Throwable cause = status.getCause();
    return cause instanceof CallTracking.NotSentException ? cause.getCause() : cause;
  }

  private static Status status(Throwable thrown) {
    if (thrown instanceof EtcdException said) {
      return Status.Code.valueOf(said.getErrorCode().name())
          .toStatus()
          .withDescription(said.getMessage())
          .withCause(said.getCause());
    }
    return Status.fromThrowable(thrown);
  }

  /** What the status and everything below it say, outermost first. */
  private static String words(Status status) {
    Matcher noConnection = NO_CONNECTION.matcher(String.valueOf(status.getDescription()));
    if (notSent(status) && noConnection.find()) {
      return "no connection: " + noConnection.group(1);
    }
    StringBuilder text = new StringBuilder(status.getCode().name());
    if (status.getDescription() != null) {
      text.append(", ").append(status.getDescription());
    }
    Throwable below = reason(status);
    for (int depth = 0; below != null && depth < 4; depth++) {
      text.append(", ").append(below.getMessage());
      below = below.getCause();
    }
    return text.toString();
  }

  private static Throwable unwrap(Throwable failure) {
    Throwable thrown = failure;
    while ((thrown instanceof CompletionException || thrown instanceof ExecutionException)
        && thrown.getCause() != null) {
      thrown = thrown.getCause();
    }
    return thrown;
  }
}
