package io.tidemark.chaos.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.testkit.etcd.EtcdProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/**
 * Masters that form a cluster, with an etcd of their own: all on this machine's loopback address,
 * or each on a host of its own. Members are numbered from 0; the first one makes the cluster. Each
 * keeps ports and data over restarts.
 */
public final class HaCluster {
  private static final Duration FORM_LIMIT = Duration.ofSeconds(60);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);
  private static final int OK = 200;
  private static final String GET = "GET";

  /** What clients take it to be unless they are told. */
  private static final String CLUSTER_ID = "mooncake_cluster";

  private final String name;
  private final EtcdProcess etcd;
  private final Host here;
  private final KeyWatch watch;
  private final KeyWatch records;
  private final ExecutorService asking;
  private final List<MasterProcess> members = new ArrayList<>();
  private final ObjectMapper json = new ObjectMapper();

  private HaCluster(Evidence evidence, String name, Host here, EtcdProcess etcd) {
    this.name = name;
    this.here = here;
    this.etcd = etcd;
    watch = KeyWatch.begin(evidence, etcd, name + "-view", viewKey());
    records =
        KeyWatch.begin(evidence, etcd, name + "-records", "--prefix", "tidemark/" + name + "/");
    asking = Executors.newSingleThreadExecutor(work -> here.thread("asks masters", work));
    evidence.own(asking::shutdownNow);
  }

  /**
   * What a cluster is to be.
   *
   * @param name cluster id
   * @param here where etcd runs, and from where the test looks
   * @param hosts one for each master
   * @param flags of every master, beside those that make it a member
   */
  public record Plan(
      String name, Host here, List<Host> hosts, MasterProgram program, Map<String, String> flags) {

    /** Of so many masters on loopback, under the name that clients expect. */
    public static Plan of(int size, Map<String, String> flags) {
      List<Host> hosts = Collections.nCopies(size, Host.LOOPBACK);
      return new Plan(CLUSTER_ID, Host.LOOPBACK, hosts, MasterProgram.TIDEMARK, flags);
    }

    /** The same with masters that are soon started. */
    public Plan soon() {
      return new Plan(name, here, hosts, MasterProgram.TIDEMARK_SOON, flags);
    }

    /** The same on other hosts. */
    public Plan on(Host other, List<Host> others) {
      return new Plan(name, other, others, program, flags);
    }

    /** The same under another name. */
    public Plan named(String other) {
      return new Plan(other, here, hosts, program, flags);
    }
  }

  /** Starts etcd and masters, and waits until all of them are in sync. */
  public static HaCluster start(Evidence evidence, int size, Map<String, String> flags) {
    return start(evidence, Plan.of(size, flags));
  }

  /** The same by a plan. */
  public static HaCluster start(Evidence evidence, Plan plan) {
    EtcdProcess.Place place = new EtcdProcess.Place(plan.here().address(), plan.here()::command);
    return join(evidence, evidence.own(EtcdProcess.start(evidence.folder("etcd"), place)), plan);
  }

  /** A further cluster in an etcd that is there. */
  public static HaCluster join(Evidence evidence, EtcdProcess etcd, Plan plan) {
    HaCluster cluster = new HaCluster(evidence, plan.name(), plan.here(), etcd);
    for (Host host : plan.hosts()) {
      cluster.addMember(evidence, host, plan);
    }
    cluster.members.forEach(MasterProcess::awaitListening);
    cluster.awaitInSync(plan.hosts().size(), FORM_LIMIT);
    return cluster;
  }

  private void addMember(Evidence evidence, Host host, Plan plan) {
    String prefix = name.equals(CLUSTER_ID) ? "master-" : name + "-";
    Map<String, String> own = new HashMap<>(memberFlags(plan.flags()));
    if (members.isEmpty()) {
      own.put("new_cluster", "true");
    }
    MasterProcess member =
        MasterProcess.prepare(evidence, prefix + members.size(), plan.program(), host, own);
    members.add(member);
    member.launch();
    own.remove("new_cluster");
    member.setFlags(own);
  }

  private Map<String, String> memberFlags(Map<String, String> flags) {
    Map<String, String> all = new HashMap<>(flags);
    all.put("enable_ha", "true");
    all.put("ha_backend_type", "etcd");
    all.put("etcd_endpoints", etcd.endpoint());
    all.put("cluster_id", name);
    all.put("replication_port", Integer.toString(FreePorts.next()));
    return all;
  }

  /** What elects. */
  public EtcdProcess etcd() {
    return etcd;
  }

  /** A master. */
  public MasterProcess member(int number) {
    return members.get(number);
  }

  public int size() {
    return members.size();
  }

  private String viewKey() {
    return "mooncake-store/" + name + "/master_view";
  }

  /** Where the test's own clients have to be to reach the masters. */
  public Host here() {
    return here;
  }

  /** What unmodified clients find. */
  public KeyWatch watch() {
    return watch;
  }

  /** The masters' own keys in etcd: who leads, who is in sync. */
  public KeyWatch records() {
    return records;
  }

  /** What unmodified clients find: HOST:PORT, or empty while nobody is published. */
  public String view() {
    return watch.now().value().orElse("");
  }

  /** The number of the master that is published, empty if there is none. */
  public Optional<Integer> published() {
    return watch.now().value().map(this::numberOf).filter(number -> number >= 0);
  }

  /** The number of the master with that address for clients, or -1. */
  public int numberOf(String address) {
    return find(member -> member.address().equals(address));
  }

  /** The number of the master with that address for other masters, or -1. */
  public int replicatesAt(String address) {
    return find(member -> member.replicationAddress().equals(address));
  }

  private int find(Predicate<MasterProcess> is) {
    for (int i = 0; i < members.size(); i++) {
      if (is.test(members.get(i))) {
        return i;
      }
    }
    return -1;
  }

  /** Waits until one is published and serves; gives its number. */
  public int awaitLeader(Duration limit) {
    return Await.until(
            "a published master serves",
            limit,
            () -> published().filter(this::serves),
            Optional::isPresent)
        .orElseThrow();
  }

  /** Waits until the leader says that so many members are in sync. */
  public void awaitInSync(int count, Duration limit) {
    Await.until(
        count + " members are in sync",
        limit,
        () -> published().map(this::inSync).orElse(0),
        seen -> seen == count);
  }

  /**
   * Waits until a member that was started again follows, and all are in sync. The set alone says
   * nothing: who was away for a moment only is still in it.
   */
  public void awaitBack(int number, Duration limit) {
    Await.until("master-" + number + " follows", limit, () -> follows(number));
    awaitInSync(size(), limit);
  }

  /** How many members a leader has in sync, itself among them; 0 if it does not answer. */
  public int inSync(int number) {
    return status(number).map(status -> status.path("in_sync").size()).orElse(0);
  }

  /** Whether a master says that it serves; no if it does not answer. */
  public boolean serves(int number) {
    return status(number).filter(status -> status.path("service_ready").asBoolean()).isPresent();
  }

  /** Whether a master says that it gets what its leader appends. */
  public boolean follows(int number) {
    return status(number).filter(status -> status.path("attached").asBoolean()).isPresent();
  }

  /** What a master says of itself and the cluster; empty if it does not answer. */
  public Optional<JsonNode> status(int number) {
    return ask(number, GET, "/api/v1/cluster");
  }

  /** Lets a leader hand over; fails if it does not. */
  public void transfer(int number) {
    if (ask(number, "POST", "/api/v1/transfer_leadership").isEmpty()) {
      throw new AssertionError("master-" + number + " did not hand over");
    }
  }

  private Optional<JsonNode> ask(int number, String method, String path) {
    MasterProcess member = members.get(number);
    String url = "http://" + member.metricsAddress() + path;
    try {
      return asking.submit(() -> answer(url, method)).get();
    } catch (ExecutionException failed) {
      throw new AssertionError("while asking master-" + number, failed.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while asking master-" + number, e);
    }
  }

  private Optional<JsonNode> answer(String url, String method) {
    try {
      HttpURLConnection connection = (HttpURLConnection) new URL(url).openConnection();
      connection.setRequestMethod(method);
      connection.setConnectTimeout((int) ANSWER_LIMIT.toMillis());
      connection.setReadTimeout((int) ANSWER_LIMIT.toMillis());
      if (connection.getResponseCode() != OK) {
        return Optional.empty();
      }
      try (InputStream body = connection.getInputStream()) {
        return Optional.of(json.readTree(body));
      }
    } catch (IOException silent) {
      return Optional.empty();
    }
  }
}
