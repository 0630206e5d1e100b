package io.tidemark.benchmarks.figures;

import java.util.Optional;

/** The scripts of the loads. */
final class Scripts {
  /** A descriptor is longer than this, an error shorter. */
  private static final int SHORTEST_GET = 20;

  private Scripts() {}

  /** PutStart and PutEnd of new keys, until the range has {@code limit} of them. */
  static final class Put implements Script {
    private final KeyRange keys;
    private final long limit;
    private final KeyedFrame start;
    private final KeyedFrame end;
    private boolean ending;
    private Outcome outcome = new Outcome(0, 0);

    Put(Requests requests, KeyRange keys, int batch, long limit) {
      this.keys = keys;
      this.limit = limit;
      this.start = requests.putStart(batch);
      this.end = requests.putEnd(batch);
    }

    @Override
    public Optional<KeyedFrame> begin() {
      ending = false;
      return keys.size() >= limit ? Optional.empty() : Optional.of(fill(start));
    }

    private KeyedFrame fill(KeyedFrame frame) {
      for (int i = 0; i < frame.keys(); i++) {
        frame.key(i, keys.prefix(), keys.next() + i);
      }
      return frame;
    }

    @Override
    public Optional<KeyedFrame> answered(byte[] buffer, int body, int length) {
      boolean goesOn = !ending && (start.keys() > 1 || Results.isOk(buffer, body));
      if (goesOn) {
        ending = true;
        return Optional.of(fill(end));
      }
      int count = start.keys();
      int done =
          count == 1
              ? (Results.isOk(buffer, body) ? 1 : 0)
              : Results.countDone(buffer, body, count);
      outcome = new Outcome(done, count - done);
      keys.added(count);
      return Optional.empty();
    }

    @Override
    public Outcome outcome() {
      return outcome;
    }
  }

  /** GetReplicaList of keys of a range, at random. */
  static final class Get implements Script {
    private final KeyRange keys;
    private final KeyedFrame get;
    private Outcome outcome = new Outcome(0, 0);

    Get(KeyRange keys, int batch) {
      this.keys = keys;
      this.get = Requests.get(batch);
    }

    @Override
    public Optional<KeyedFrame> begin() {
      for (int i = 0; i < get.keys(); i++) {
        get.key(i, keys.prefix(), keys.any());
      }
      return Optional.of(get);
    }

    @Override
    public Optional<KeyedFrame> answered(byte[] buffer, int body, int length) {
      int count = get.keys();
      boolean ok = count == 1 ? Results.isOk(buffer, body) : length > count * SHORTEST_GET;
      outcome = new Outcome(ok ? count : 0, ok ? 0 : count);
      return Optional.empty();
    }

    @Override
    public Outcome outcome() {
      return outcome;
    }
  }

  /** BatchRemove of the oldest keys of a range, until {@code keep} are left. */
  static final class Remove implements Script {
    private final KeyRange keys;
    private final KeyedFrame remove;
    private final long keep;
    private Outcome outcome = new Outcome(0, 0);

    Remove(KeyRange keys, int batch, long keep) {
      this.keys = keys;
      this.remove = Requests.remove(batch);
      this.keep = keep;
    }

    @Override
    public Optional<KeyedFrame> begin() {
      if (keys.size() <= keep) {
        return Optional.empty();
      }
      // The last batch names a key more than once rather than a key that has to stay.
      for (int i = 0; i < remove.keys(); i++) {
        long number = Math.min(keys.first() + i, keys.next() - keep - 1);
        remove.key(i, keys.prefix(), number);
      }
      return Optional.of(remove);
    }

    @Override
    public Optional<KeyedFrame> answered(byte[] buffer, int body, int length) {
      int count = (int) Math.min(remove.keys(), keys.size() - keep);
      outcome = new Outcome(count, 0);
      keys.removed(count);
      return Optional.empty();
    }

    @Override
    public Outcome outcome() {
      return outcome;
    }
  }

  /** Two scripts in turn. */
  static final class Alternating implements Script {
    private final Script one;
    private final Script other;
    private Script current;

    Alternating(Script one, Script other) {
      this.one = one;
      this.other = other;
      this.current = other;
    }

    @Override
    public Optional<KeyedFrame> begin() {
      current = current == one ? other : one;
      return current.begin();
    }

    @Override
    public Optional<KeyedFrame> answered(byte[] buffer, int body, int length) {
      return current.answered(buffer, body, length);
    }

    @Override
    public Outcome outcome() {
      return current.outcome();
    }
  }
}
