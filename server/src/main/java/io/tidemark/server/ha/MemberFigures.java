package io.tidemark.server.ha;

import io.tidemark.election.EtcdFigures;
import io.tidemark.oplog.replication.ReplicationCounters;
import io.tidemark.server.replication.LinkFigures;

/**
 * What a member counted since the start of the process.
 *
 * @param refusedCalls clients' calls that were refused because this node did not serve
 * @param fences leaderships that ended here
 * @param terms leaderships in which it served
 * @param alarms times that a person was asked to look
 * @param loopWaiting tasks that wait for the node's loop
 * @param loopLongestMs longest task of it
 * @param loopLongTasks tasks of it above 200 ms
 */
public record MemberFigures(
    ReplicationCounters replication,
    EtcdFigures etcd,
    LinkFigures links,
    long refusedCalls,
    long fences,
    long terms,
    long alarms,
    long loopWaiting,
    long loopLongestMs,
    long loopLongTasks) {}
