package io.tidemark.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.Uuid;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.OperationLog;
import io.tidemark.oplog.DurationCounts;
import io.tidemark.testkit.log.SimulatedLog;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** HA-REQ-078: how long a commit takes is measured where it is known. */
class TimedLogTest {
  private final DurationCounts times = new DurationCounts();
  private final List<Long> told = new ArrayList<>();
  private long nanos = 1;
  private long index;

  private TimedLog timed(SimulatedLog log) {
    TimedLog timed = new TimedLog(log, times, () -> nanos);
    timed.onCommit(
        new OperationLog.CommitListener() {
          @Override
          public void committed(long committed) {
            told.add(committed);
          }

          @Override
          public void failed(LogFailureException failure) {
            throw new AssertionError(failure);
          }

          @Override
          public void stalled() {
            throw new AssertionError("a log alone does not stall");
          }
        });
    return timed;
  }

  private void batches(TimedLog log, int count) {
    for (int i = 0; i < count; i++) {
      log.append(new EntryHeader(++index, 1, 1, 1, 1, Uuid.ZERO, true), new byte[] {1}, 0, 1);
      log.endBatch();
    }
  }

  private long measured() {
    long all = 0;
    for (int i = 0; i <= DurationCounts.BOUNDS_MICROS.size(); i++) {
      all += times.count(i);
    }
    return all;
  }

  @Test
  void aCommitThatComesAtOnceIsMeasuredToo() {
    batches(timed(new SimulatedLog(SimulatedLog.Mode.PAGE)), 24);
    assertThat(measured()).as("every eighth").isEqualTo(3);
  }

  @Test
  void aLateCommitIsMeasuredFromTheEndOfItsBatch() {
    SimulatedLog log = new SimulatedLog(SimulatedLog.Mode.DISK);
    TimedLog timed = timed(log);
    batches(timed, 20);
    assertThat(measured()).isZero();
    nanos += 3_000_000;
    log.force();
    assertThat(measured()).as("one at a time").isEqualTo(1);
    assertThat(times.sumMicros()).isEqualTo(3_000);
    assertThat(told).containsExactly(20L);
  }

  /** COR-04: whoever listens hears whatever the log itself tells, each thing once. */
  @Test
  void whateverTheLogTellsIsPassedOn() throws ReflectiveOperationException {
    List<String> heard = new ArrayList<>();
    OperationLog.CommitListener[] inner = new OperationLog.CommitListener[1];
    OperationLog log =
        proxy(
            OperationLog.class,
            (name, args) -> {
              if (name.equals("onCommit")) {
                inner[0] = (OperationLog.CommitListener) args[0];
              }
            });
    new TimedLog(log, times, () -> nanos)
        .onCommit(proxy(OperationLog.CommitListener.class, (name, args) -> heard.add(name)));
    List<String> all = new ArrayList<>();
    for (Method method : OperationLog.CommitListener.class.getMethods()) {
      Object[] none = new Object[method.getParameterCount()];
      method.invoke(
          inner[0],
          none.length == 1 && method.getName().equals("committed") ? new Object[] {7L} : none);
      all.add(method.getName());
    }
    assertThat(all).contains("committed", "failed", "stalled");
    assertThat(heard).isEqualTo(all);
  }

  private interface Called {
    void with(String method, Object[] arguments);
  }

  private static <T> T proxy(Class<T> type, Called called) {
    Object made =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              called.with(method.getName(), arguments);
              return null;
            });
    return type.cast(made);
  }
}
