package io.tidemark.server.ha;

import io.tidemark.api.Uuid;
import io.tidemark.api.log.LogPosition;
import io.tidemark.core.MasterView;
import io.tidemark.core.metrics.CoreMetrics;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The view of the serving master; an empty one while there is none. Any thread. */
final class SwitchedView implements MasterView {
  private static final MasterView NOTHING = new Nothing();

  private volatile MasterView shown = NOTHING;

  void show(MasterView view) {
    shown = view;
  }

  void showNothing() {
    shown = NOTHING;
  }

  @Override
  public List<SegmentView> segments() {
    return shown.segments();
  }

  @Override
  public ClientCounts clients() {
    return shown.clients();
  }

  @Override
  public Map<Uuid, String> clientReleases() {
    return shown.clientReleases();
  }

  @Override
  public void forEachReadableKey(String tenant, Consumer<String> keys) {
    shown.forEachReadableKey(tenant, keys);
  }

  @Override
  public long objectCount() {
    return shown.objectCount();
  }

  @Override
  public long softPinnedCount() {
    return shown.softPinnedCount();
  }

  @Override
  public long allocatedBytes() {
    return shown.allocatedBytes();
  }

  @Override
  public long capacityBytes() {
    return shown.capacityBytes();
  }

  @Override
  public CoreMetrics metrics() {
    return shown.metrics();
  }

  @Override
  public long epoch() {
    return shown.epoch();
  }

  @Override
  public LogPosition logEnd() {
    return shown.logEnd();
  }

  @Override
  public long committedIndex() {
    return shown.committedIndex();
  }

  @Override
  public long stateDigest() {
    return shown.stateDigest();
  }

  @Override
  public boolean isServing() {
    return shown.isServing();
  }

  /** Nobody serves. */
  private static final class Nothing implements MasterView {
    private final CoreMetrics zeros = new CoreMetrics();

    @Override
    public List<SegmentView> segments() {
      return List.of();
    }

    @Override
    public ClientCounts clients() {
      return new ClientCounts(0, 0, 0);
    }

    @Override
    public Map<Uuid, String> clientReleases() {
      return Map.of();
    }

    @Override
    public void forEachReadableKey(String tenant, Consumer<String> keys) {
      // There is none.
    }

    @Override
    public long objectCount() {
      return 0;
    }

    @Override
    public long softPinnedCount() {
      return 0;
    }

    @Override
    public long allocatedBytes() {
      return 0;
    }

    @Override
    public long capacityBytes() {
      return 0;
    }

    @Override
    public CoreMetrics metrics() {
      return zeros;
    }

    @Override
    public long epoch() {
      return 0;
    }

    @Override
    public LogPosition logEnd() {
      return LogPosition.START;
    }

    @Override
    public long committedIndex() {
      return 0;
    }

    @Override
    public long stateDigest() {
      return 0;
    }

    @Override
    public boolean isServing() {
      return false;
    }
  }
}
