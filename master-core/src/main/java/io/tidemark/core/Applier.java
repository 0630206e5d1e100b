package io.tidemark.core;

import io.tidemark.api.event.ClientState;
import io.tidemark.api.event.Event;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.core.metrics.CoreMetric;
import io.tidemark.core.object.ObjectApplier;
import io.tidemark.core.segment.ClientRecord;
import io.tidemark.core.segment.MountedSegment;
import io.tidemark.core.segment.SegmentTable;
import java.util.function.Predicate;

/**
 * Applies events to a {@link MasterState}: the only mutator of logged state. Total and
 * deterministic; what does not fit the state throws, and the node stops.
 *
 * <p>Called by the holder of the core role.
 */
public final class Applier {
  private final MasterState state;
  private final ObjectApplier objects;

  public Applier(MasterState state) {
    this(state, event -> false);
  }

  /**
   * An applier for a state from which objects may be missing; see {@link
   * ObjectApplier#ObjectApplier(MasterState, Predicate)}.
   */
  Applier(MasterState state, Predicate<Event.ObjectEvent> mayBeMissing) {
    this.state = state;
    this.objects = new ObjectApplier(state, mayBeMissing);
  }

  /** Applies one event of the entry with this header. */
  public void apply(Event event, EntryHeader header) {
    state.logTimeReached(header.logTimeMs());
    state.metrics().applied(CoreMetric.EVENTS_APPLIED, 1);
    if (event instanceof Event.ObjectEvent objectEvent) {
      objects.apply(objectEvent, header);
    } else {
      applyOther(event, header);
    }
  }

  private void applyOther(Event event, EntryHeader header) {
    SegmentTable segments = state.segments();
    switch (event.type()) {
      case DISCARD_RELEASED -> discardReleased((Event.DiscardReleased) event);
      case SEGMENT_MOUNTED -> {
        Event.SegmentMounted e = (Event.SegmentMounted) event;
        MountedSegment segment =
            segments.mount(e.segmentNumber(), e.segment(), e.clientId(), header.index());
        state.discards().claimIn(segment);
      }
      case SEGMENT_GRACE_STARTED -> {
        Event.SegmentGraceStarted e = (Event.SegmentGraceStarted) event;
        segments.startGrace(e.segmentNumber(), e.deadlineMs(), header.index());
      }
      case SEGMENT_UNMOUNTING -> {
        Event.SegmentUnmounting e = (Event.SegmentUnmounting) event;
        segments.startUnmounting(e.segmentNumber(), e.reason(), header.index());
      }
      case SEGMENT_UNMOUNTED ->
          segments.unmounted(((Event.SegmentUnmounted) event).segmentNumber(), header.index());
      case CLIENT_CHANGED -> {
        Event.ClientChanged e = (Event.ClientChanged) event;
        countLiveness(segments.client(e.clientId()), e.state());
        segments.clientChanged(e.clientId(), e.state(), header.logTimeMs(), header.index());
      }
      case HOST_ID_LEARNED -> {
        Event.HostIdLearned e = (Event.HostIdLearned) event;
        segments.hostIdLearned(e.clientId(), e.hostId());
      }
      case CLIENT_RELEASE_LEARNED -> {
        Event.ClientReleaseLearned e = (Event.ClientReleaseLearned) event;
        segments.releaseLearned(e.clientId(), e.release());
      }
      case EPOCH_STARTED -> {
        Event.EpochStarted e = (Event.EpochStarted) event;
        state.epochStarted(e.epoch(), e.leaseTtlMs());
        segments.termStarted(header.logTimeMs());
      }
      case TICK, STATE_DIGEST -> {
        // Only move log time, or record what was; neither changes state.
      }
      default -> throw new IllegalStateException("no applier for " + event.type());
    }
  }

  private void countLiveness(ClientRecord before, ClientState next) {
    boolean wasSuspected = before != null && before.state() == ClientState.SUSPECTED;
    if (next == ClientState.SUSPECTED) {
      state.metrics().applied(CoreMetric.SUSPECTED_TRANSITIONS, 1);
    } else if (next == ClientState.OFFLINE) {
      state.metrics().applied(CoreMetric.OFFLINE_TRANSITIONS, 1);
    } else if (wasSuspected) {
      state.metrics().applied(CoreMetric.LIVENESS_RECOVERIES, 1);
    }
  }

  private void discardReleased(Event.DiscardReleased event) {
    for (long id : event.discardIds()) {
      long before = state.discards().bytes();
      state.discards().release(id);
      state.metrics().applied(CoreMetric.RELEASE_COUNT, 1);
      state
          .metrics()
          .applied(CoreMetric.DISCARDED_STAGING_BYTES, state.discards().bytes() - before);
    }
  }
}
