package io.tidemark.chaos.conformance;

import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.chaos.process.Release;
import java.util.Optional;

/**
 * One item of an answer in which the masters differ.
 *
 * @param step number of the step in its sequence
 * @param item number of the item in the answer; 0 if the answer is one item
 * @param key that the item is about, empty if the request names none
 * @param expected the oracle's item in canonical form
 * @param actual the subject's
 */
record Difference(
    Release oracle,
    Setting setting,
    int step,
    Request request,
    int item,
    String key,
    String expected,
    String actual,
    Reply expectedReply,
    Reply actualReply) {

  /** The oracle's code, 0 for success; empty if its answer is no result. */
  Optional<Integer> expectedCode() {
    return code(expectedReply);
  }

  /** The subject's. */
  Optional<Integer> actualCode() {
    return code(actualReply);
  }

  /** Whether the oracle answered with one code and the subject with the other. */
  boolean isCodes(int oracleCode, int subjectCode) {
    return expectedCode().equals(Optional.of(oracleCode))
        && actualCode().equals(Optional.of(subjectCode));
  }

  private Optional<Integer> code(Reply reply) {
    if (reply instanceof Reply.One one) {
      return Optional.of(one.result().code());
    } else if (reply instanceof Reply.Many many && item < many.results().size()) {
      Result<?> result = many.results().get(item);
      return Optional.of(result.code());
    }
    return Optional.empty();
  }

  @Override
  public String toString() {
    return "step "
        + step
        + ": "
        + Shown.request(request)
        + "\n  item "
        + item
        + (key.isEmpty() ? "" : " " + Canonical.text(key))
        + "\n  oracle  "
        + expected
        + "\n  subject "
        + actual;
  }
}
