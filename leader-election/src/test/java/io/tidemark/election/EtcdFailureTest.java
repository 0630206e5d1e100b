package io.tidemark.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.tidemark.api.ha.Coordinator.Verdict;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** What may have happened in spite of an error, and what may not. */
class EtcdFailureTest {

  @Test
  void aWriteThatLeftIsUnclearAndAReadIsNot() {
    Throwable lost = thrown(Status.UNAVAILABLE.withDescription("Network closed"));
    assertThat(verdict(lost, true)).isEqualTo(Verdict.UNCLEAR);
    assertThat(verdict(lost, false)).isEqualTo(Verdict.UNAVAILABLE);
    Throwable slow = thrown(Status.UNAVAILABLE.withDescription("etcdserver: request timed out"));
    assertThat(verdict(slow, true)).isEqualTo(Verdict.UNCLEAR);
    assertThat(verdict(new TimeoutException(), true)).isEqualTo(Verdict.UNCLEAR);
    assertThat(verdict(new IllegalStateException("?"), true)).isEqualTo(Verdict.UNCLEAR);
  }

  @Test
  void aWriteThatNeverLeftIsNotDone() {
    Status status = Status.DEADLINE_EXCEEDED.withCause(new CallTracking.NotSentException(null));
    EtcdFailure failure = EtcdFailure.of(new CompletionException(thrown(status)), true, "x");
    assertThat(failure.verdict()).isEqualTo(Verdict.UNAVAILABLE);
    assertThat(failure.sent()).isFalse();
    assertThat(failure.answered()).isFalse();
  }

  @Test
  void aRefusalByEtcdIsNotDone() {
    Throwable full =
        thrown(
            Status.RESOURCE_EXHAUSTED.withDescription("etcdserver: mvcc: database space exceeded"));
    EtcdFailure failure = EtcdFailure.of(full, true, "grant at http://a:1");
    assertThat(failure.verdict()).isEqualTo(Verdict.UNAVAILABLE);
    assertThat(failure.answered()).isTrue();
    assertThat(failure.text()).contains("grant at http://a:1", "space exceeded");
    assertThat(verdict(thrown(Status.NOT_FOUND), true)).isEqualTo(Verdict.UNAVAILABLE);
  }

  @Test
  void aLoginThatFailedIsDeniedUnlessEtcdCouldNotBeAsked() {
    Status asked = Status.INVALID_ARGUMENT.withDescription("authentication failed");
    Status notAsked = Status.UNAVAILABLE.withDescription("io exception");
    assertThat(verdict(login(asked), true)).isEqualTo(Verdict.DENIED);
    assertThat(verdict(login(notAsked), true)).isEqualTo(Verdict.UNAVAILABLE);
    assertThat(verdict(thrown(Status.PERMISSION_DENIED), true)).isEqualTo(Verdict.DENIED);
    Status stale = Status.UNAUTHENTICATED.withDescription("etcdserver: invalid auth token");
    assertThat(verdict(thrown(stale), true)).isEqualTo(Verdict.UNAVAILABLE);
    assertThat(EtcdFailure.staleToken(thrown(stale))).isTrue();
  }

  @Test
  void aHandshakeIsDeniedForCertificatesAndNotForACut() {
    Status untrusted = notConnected("SSLHandshakeException: PKIX path building failed");
    Status cut = notConnected("SSLHandshakeException: Connection closed during handshake");
    assertThat(verdict(thrown(untrusted), true)).isEqualTo(Verdict.DENIED);
    assertThat(verdict(thrown(cut), true)).isEqualTo(Verdict.UNAVAILABLE);
    assertThat(EtcdFailure.of(thrown(untrusted), true, "read").text())
        .isEqualTo("read: no connection: PKIX path building failed");
  }

  private static Status notConnected(String cause) {
    return Status.DEADLINE_EXCEEDED
        .withDescription(
            "deadline exceeded [wait_for_ready, Last Pick Failure=Status{code=UNAVAILABLE,"
                + " description=io exception\nChannel Pipeline: [], cause=javax.net.ssl."
                + cause
                + "\nCaused by: x\n}]")
        .withCause(new CallTracking.NotSentException(null));
  }

  private static Throwable login(Status below) {
    return thrown(
        Status.UNAUTHENTICATED.withCause(new CallTracking.NotSentException(thrown(below))));
  }

  private static Throwable thrown(Status status) {
    return status.asRuntimeException();
  }

  private static Verdict verdict(Throwable failure, boolean write) {
    return EtcdFailure.of(failure, write, "x").verdict();
  }
}
