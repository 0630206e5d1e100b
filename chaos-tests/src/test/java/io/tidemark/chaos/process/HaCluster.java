package io.tidemark.chaos.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.testkit.etcd.EtcdProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Masters that form a cluster, with an etcd of their own. Members are numbered from 0; the first
 * one makes the cluster. Each keeps ports and data over restarts.
 */
public final class HaCluster {
  private static final Duration FORM_LIMIT = Duration.ofSeconds(60);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);
  private static final int OK = 200;

  /** What clients take it to be unless they are told. */
  private static final String CLUSTER_ID = "mooncake_cluster";

  private final String name;
  private final EtcdProcess etcd;
  private final List<MasterProcess> members = new ArrayList<>();
  private final ObjectMapper json = new ObjectMapper();
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(ANSWER_LIMIT).build();

  private HaCluster(String name, EtcdProcess etcd) {
    this.name = name;
    this.etcd = etcd;
  }

  /**
   * Starts etcd and masters, and waits until all of them are in sync.
   *
   * @param flags of every master, beside those that make it a member
   */
  public static HaCluster start(Evidence evidence, int size, Map<String, String> flags) {
    HaCluster cluster =
        new HaCluster(CLUSTER_ID, evidence.own(EtcdProcess.start(evidence.folder("etcd"))));
    for (int i = 0; i < size; i++) {
      Map<String, String> first = new HashMap<>(cluster.memberFlags(flags));
      if (i == 0) {
        first.put("new_cluster", "true");
      }
      MasterProcess member =
          MasterProcess.prepare(
              evidence, "master-" + i, MasterProgram.TIDEMARK, Host.LOOPBACK, first);
      cluster.members.add(member);
      member.launch();
      first.remove("new_cluster");
      member.setFlags(first);
    }
    cluster.members.forEach(MasterProcess::awaitListening);
    cluster.awaitInSync(size, FORM_LIMIT);
    return cluster;
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

  /** What unmodified clients find: HOST:PORT, or empty while nobody is published. */
  public String view() {
    return etcd.ctl("get", "mooncake-store/" + name + "/master_view", "--print-value-only").strip();
  }

  /** The number of the master that is published, empty if there is none. */
  public Optional<Integer> published() {
    String address = view();
    for (int i = 0; i < members.size(); i++) {
      if (members.get(i).address().equals(address)) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
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
        () -> published().flatMap(this::status).map(s -> s.path("in_sync").size()).orElse(0),
        seen -> seen == count);
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
    return ask(number, HttpRequest.newBuilder(uri(number, "/api/v1/cluster")));
  }

  /** Lets a leader hand over; fails if it does not. */
  public void transfer(int number) {
    URI uri = uri(number, "/api/v1/transfer_leadership");
    if (ask(number, HttpRequest.newBuilder(uri).POST(BodyPublishers.noBody())).isEmpty()) {
      throw new AssertionError("master-" + number + " did not hand over");
    }
  }

  private URI uri(int number, String path) {
    return URI.create(
        "http://" + Host.LOOPBACK.address() + ":" + members.get(number).metricsPort() + path);
  }

  private Optional<JsonNode> ask(int number, HttpRequest.Builder request) {
    try {
      HttpResponse<String> answer =
          http.send(request.timeout(ANSWER_LIMIT).build(), BodyHandlers.ofString());
      return answer.statusCode() == OK
          ? Optional.of(json.readTree(answer.body()))
          : Optional.empty();
    } catch (IOException silent) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while asking master-" + number, e);
    }
  }
}
