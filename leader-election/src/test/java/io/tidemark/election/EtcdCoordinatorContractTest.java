package io.tidemark.election;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.GetOption;
import io.tidemark.api.ha.Coordinator;
import io.tidemark.testkit.etcd.EtcdProcess;
import io.tidemark.testkit.ha.SharedCoordinatorContract;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The contract against a real etcd; each test has a cluster id of its own. */
@Tag("process")
@Timeout(60)
class EtcdCoordinatorContractTest extends SharedCoordinatorContract {
  private static final AtomicInteger TESTS = new AtomicInteger();

  @TempDir static Path folder;
  private static EtcdProcess etcd;
  private static Client raw;

  private final String clusterId = "contract-" + TESTS.incrementAndGet();
  private final Map<Coordinator, EtcdFaults> faults = new HashMap<>();

  @BeforeAll
  static void startEtcd() {
    etcd = EtcdProcess.start(folder);
    raw = Client.builder().endpoints(etcd.endpoint()).build();
  }

  @AfterAll
  static void stopEtcd() {
    raw.close();
    etcd.close();
  }

  /** The default TTL; calls have time, since a test machine may be busy. */
  @Override
  protected Coordinator openCoordinator() {
    EtcdFaults fault = new EtcdFaults();
    EtcdSettings settings =
        EtcdSettings.of(etcd.endpoint(), clusterId)
            .with(
                Duration.ofSeconds(10),
                EtcdSettings.DEFAULT_LEASE_TTL_SECONDS,
                EtcdSettings.DEFAULT_FENCE_MARGIN);
    Coordinator made = new EtcdCoordinator(settings, System::nanoTime, List.of(fault));
    faults.put(made, fault);
    return made;
  }

  @Override
  protected <T> T await(CompletableFuture<T> call) {
    return Waiting.value(call);
  }

  @Override
  protected long nanos() {
    return System.nanoTime();
  }

  @Override
  protected String viewKey() {
    return "mooncake-store/" + clusterId + "/master_view";
  }

  @Override
  protected Map<String, RawKey> keys() {
    Map<String, RawKey> keys = new TreeMap<>();
    GetOption all = GetOption.builder().withRange(EtcdKeys.bytes("\0")).build();
    for (KeyValue pair : Waiting.value(raw.getKVClient().get(EtcdKeys.bytes("\0"), all)).getKvs()) {
      String name = pair.getKey().toString(StandardCharsets.UTF_8);
      if (name.contains("/" + clusterId + "/")) {
        keys.put(
            name,
            new RawKey(pair.getValue().getBytes(), pair.getCreateRevision(), pair.getLease() != 0));
      }
    }
    return keys;
  }

  @Override
  protected void putForeignView(String address) {
    Waiting.value(raw.getKVClient().put(EtcdKeys.bytes(viewKey()), EtcdKeys.bytes(address)));
  }

  @Override
  protected void stopRenewals(Coordinator of) {
    faults.get(of).stopRenewals(true);
  }

  @Override
  protected void loseAnswerOfNextWrite(Coordinator of) {
    faults.get(of).loseAnswerOfNextWrite();
  }

  @Override
  protected void wipe() {
    etcd.kill();
    etcd.wipe();
    etcd.startAgain();
  }

  @Override
  protected void waitUntil(String what, BooleanSupplier condition) {
    Waiting.until(what, 30_000, condition);
  }

  @Override
  protected void passUntil(long nanos) {
    Waiting.until("time passes", 30_000, () -> System.nanoTime() >= nanos);
  }
}
