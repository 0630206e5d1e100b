package io.tidemark.benchmarks.figures;

import java.util.List;

/** A load of the comparison with Mooncake's masters, and what is aimed at. */
enum LoadCase {
  PUT_4("put pairs", true, 4, 1, 1.5, 0.8, 1.0),
  PUT_64("put pairs", true, 64, 1, 1.5, 1.0, 1.5),
  GET_4("get", false, 4, 1, 2.0, 1.0, 1.0),
  GET_64("get", false, 64, 1, 2.0, 1.0, 1.0),
  BATCH_PUT("BatchPut 128", true, 4, 128, 2.5, 1.5, 3.0),
  BATCH_GET("BatchGet 128", false, 4, 128, 1.2, 1.0, 1.0);

  private final String load;
  private final boolean writes;
  private final int connections;
  private final int batch;
  private final double limit14;
  private final double limit13;
  private final double limitWithStandby;

  LoadCase(
      String load,
      boolean writes,
      int connections,
      int batch,
      double limit14,
      double limit13,
      double limitWithStandby) {
    this.load = load;
    this.writes = writes;
    this.connections = connections;
    this.batch = batch;
    this.limit14 = limit14;
    this.limit13 = limit13;
    this.limitWithStandby = limitWithStandby;
  }

  String title() {
    return load + ", " + connections + " connections";
  }

  boolean writes() {
    return writes;
  }

  int connections() {
    return connections;
  }

  /** The ratio to a release of Mooncake that is aimed at. */
  double limit(String release) {
    return release.equals(SideBySide.NEWEST) ? limit14 : limit13;
  }

  /** The ratio that is aimed at where both have a standby. */
  double limitWithStandby() {
    return limitWithStandby;
  }

  Script script(Requests requests, KeyRange keys) {
    return writes
        ? new Scripts.Put(requests, keys, batch, Long.MAX_VALUE)
        : new Scripts.Get(keys, batch);
  }

  ClosedLoop loop(Subject subject, List<KeyRange> ranges) {
    Requests requests = subject.requests();
    return new ClosedLoop(subject.links(connections), i -> script(requests, ranges.get(i)));
  }
}
