package io.tidemark.core;

import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.SoftPinAction;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Builds what a writer asks for; one memory replica if nothing else is said. */
final class Ask {
  private long replicas = 1;
  private long nof;
  private long dfs;
  private int softPinAction;
  private OptionalLong softPinTtlMs = OptionalLong.empty();
  private boolean hardPin;
  private List<String> preferred = List.of();
  private String preferredOne = "";
  private boolean sameNode;
  private int dataType;
  private String hostId = "";
  private Optional<List<String>> groups = Optional.empty();

  static Ask forReplicas(long count) {
    Ask ask = new Ask();
    ask.replicas = count;
    return ask;
  }

  Ask nof(long count) {
    nof = count;
    return this;
  }

  Ask dfs(long count) {
    dfs = count;
    return this;
  }

  Ask softPin(SoftPinAction action) {
    softPinAction = action.ordinal();
    return this;
  }

  Ask softPin(int action) {
    softPinAction = action;
    return this;
  }

  Ask ttl(long ms) {
    softPinTtlMs = OptionalLong.of(ms);
    return this;
  }

  Ask hardPin() {
    hardPin = true;
    return this;
  }

  Ask preferred(String... names) {
    preferred = List.of(names);
    return this;
  }

  Ask preferredOne(String name) {
    preferredOne = name;
    return this;
  }

  Ask sameNode() {
    sameNode = true;
    return this;
  }

  Ask dataType(int type) {
    dataType = type;
    return this;
  }

  Ask host(String id) {
    hostId = id;
    return this;
  }

  Ask groups(String... ids) {
    groups = Optional.of(List.of(ids));
    return this;
  }

  static ReplicateConfig pinned(long ttlMs) {
    return new Ask().softPin(SoftPinAction.ENABLE).ttl(ttlMs).build();
  }

  static ReplicateConfig grouped(String group) {
    return new Ask().groups(group).build();
  }

  ReplicateConfig build() {
    return new ReplicateConfig(
        replicas,
        nof,
        dfs,
        softPinAction,
        softPinTtlMs,
        hardPin,
        preferred,
        preferredOne,
        List.of(),
        sameNode,
        dataType,
        hostId,
        groups);
  }
}
