package io.tidemark.election;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.tidemark.api.ha.Candidate;
import io.tidemark.api.ha.ClusterView;
import io.tidemark.api.ha.MembershipRecord;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The requests that are made of etcd. Each is one transaction; one that is not carried out answers
 * with the keys as they are.
 */
final class Transactions {
  private final EtcdKeys keys;

  Transactions(EtcdKeys keys) {
    this.keys = keys;
  }

  /** Leader and membership at one revision. */
  CompletableFuture<TxnResponse> read(Client client) {
    return client.getKVClient().txn().Then(get(keys.leader()), get(keys.inSync())).commit();
  }

  /** The view alone. */
  CompletableFuture<TxnResponse> readView(Client client) {
    return client.getKVClient().txn().Then(get(keys.view())).commit();
  }

  /** COR-17: only where no record is. */
  CompletableFuture<TxnResponse> create(Client client, MembershipRecord first) {
    return client
        .getKVClient()
        .txn()
        .If(absent(keys.inSync()))
        .Then(Op.put(keys.inSync(), EtcdRecords.inSync(first), PutOption.DEFAULT))
        .Else(get(keys.leader()), get(keys.inSync()))
        .commit();
  }

  /** COR-16, 17: nobody leads, and the record is the one that the operator's word was for. */
  CompletableFuture<TxnResponse> force(
      Client client, Optional<MembershipRecord> seen, MembershipRecord next) {
    return client
        .getKVClient()
        .txn()
        .If(absent(keys.leader()), seen.map(this::unchanged).orElse(absent(keys.inSync())))
        .Then(Op.put(keys.inSync(), EtcdRecords.inSync(next), PutOption.DEFAULT))
        .Else(get(keys.leader()), get(keys.inSync()))
        .commit();
  }

  /** HA-REQ-014: raises the revision by one, by a key that nobody looks at. */
  CompletableFuture<TxnResponse> raise(Client client, long leaderRevision) {
    return client
        .getKVClient()
        .txn()
        .If(leads(leaderRevision))
        .Then(Op.put(keys.raise(), ByteSequence.EMPTY, PutOption.DEFAULT))
        .commit();
  }

  /** COR-14, 15: nobody leads, and the record is the one by which the candidate was judged. */
  CompletableFuture<TxnResponse> win(
      Client client,
      Candidate candidate,
      MembershipRecord seen,
      MembershipRecord next,
      long lease) {
    ByteSequence leader =
        EtcdRecords.leader(candidate.self(), next.epoch(), candidate.replicationAddress());
    return client
        .getKVClient()
        .txn()
        .If(absent(keys.leader()), unchanged(seen))
        .Then(
            Op.put(keys.leader(), leader, PutOption.builder().withLeaseId(lease).build()),
            Op.put(keys.inSync(), EtcdRecords.inSync(next), PutOption.DEFAULT))
        .Else(get(keys.leader()), get(keys.inSync()))
        .commit();
  }

  /** COR-14: the leadership holds, and the record is the one that the change was thought for. */
  CompletableFuture<TxnResponse> change(
      Client client, long leaderRevision, MembershipRecord expected, MembershipRecord next) {
    return client
        .getKVClient()
        .txn()
        .If(leads(leaderRevision), unchanged(expected))
        .Then(Op.put(keys.inSync(), EtcdRecords.inSync(next), PutOption.DEFAULT))
        .Else(get(keys.leader()), get(keys.inSync()))
        .commit();
  }

  /** The view is made, never overwritten: clients go by its create revision. */
  CompletableFuture<TxnResponse> makeView(
      Client client, long leaderRevision, String address, long lease) {
    return client
        .getKVClient()
        .txn()
        .If(leads(leaderRevision), absent(keys.view()))
        .Then(
            Op.put(
                keys.view(),
                EtcdKeys.bytes(address),
                PutOption.builder().withLeaseId(lease).build()))
        .Else(get(keys.leader()), get(keys.view()))
        .commit();
  }

  /** Takes away the view that was seen, and no other. */
  CompletableFuture<TxnResponse> removeView(Client client, long leaderRevision, KeyValue seen) {
    return client
        .getKVClient()
        .txn()
        .If(
            leads(leaderRevision),
            new Cmp(keys.view(), Cmp.Op.EQUAL, CmpTarget.modRevision(seen.getModRevision())))
        .Then(Op.delete(keys.view(), DeleteOption.DEFAULT))
        .Else(get(keys.leader()), get(keys.view()))
        .commit();
  }

  /** Leader and membership as a transaction answered them. */
  ClusterView view(TxnResponse answer) {
    return new ClusterView(
        pair(answer, keys.inSync()).map(EtcdRecords::inSync),
        pair(answer, keys.leader()).map(EtcdRecords::leader),
        answer.getHeader().getRevision());
  }

  /** The published view as a transaction answered it. */
  Optional<KeyValue> published(TxnResponse answer) {
    return pair(answer, keys.view());
  }

  private static Optional<KeyValue> pair(TxnResponse answer, ByteSequence key) {
    return answer.getGetResponses().stream()
        .map(GetResponse::getKvs)
        .flatMap(pairs -> pairs.stream())
        .filter(pair -> pair.getKey().equals(key))
        .findFirst();
  }

  private Cmp leads(long createRevision) {
    return new Cmp(keys.leader(), Cmp.Op.EQUAL, CmpTarget.createRevision(createRevision));
  }

  private Cmp unchanged(MembershipRecord record) {
    return new Cmp(keys.inSync(), Cmp.Op.EQUAL, CmpTarget.modRevision(record.modRevision()));
  }

  private static Cmp absent(ByteSequence key) {
    return new Cmp(key, Cmp.Op.EQUAL, CmpTarget.createRevision(0));
  }

  private static Op get(ByteSequence key) {
    return Op.get(key, GetOption.DEFAULT);
  }
}
