"""Threads that put one key after another and try each again until the store says that it is stored."""

import threading
import time

from payload import payload

PAUSE_S = 0.02


class Writers:
    """Puts `prefix`-THREAD-NUMBER, each `size` bytes made from its key, until stopped or `max_keys` are stored."""

    def __init__(self, store, prefix, threads, size, max_keys):
        self._store = store
        self._size = size
        self._stop = threading.Event()
        self._stored = [[] for _ in range(threads)]
        self._times = [[] for _ in range(threads)]
        self._failures = [{} for _ in range(threads)]
        self._longest_gap_s = [0.0] * threads
        share = max_keys // threads
        self._threads = [
            threading.Thread(target=self._run, args=(i, prefix, share), daemon=True) for i in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def _run(self, index, prefix, share):
        last = time.monotonic()
        for number in range(share):
            key = "%s-%d-%06d" % (prefix, index, number)
            value = payload(key, self._size)
            while True:
                if self._stop.is_set():
                    return
                began = time.monotonic()
                code = self._store.put(key, value)
                if code == 0:
                    break
                self._failures[index][code] = self._failures[index].get(code, 0) + 1
                time.sleep(PAUSE_S)
            now = time.monotonic()
            self._longest_gap_s[index] = max(self._longest_gap_s[index], now - last)
            last = now
            self._times[index].append((began, now))
            self._stored[index].append(key)

    def first_behind(self, since_s):
        """Seconds from a moment of the monotonic clock until a put was stored that began behind it; None so far."""
        ends = [done for times in self._times for began, done in list(times) if began > since_s]
        return min(ends) - since_s if ends else None

    def status(self):
        """How many keys are stored and how often a put failed, by code."""
        failures = {}
        for counts in self._failures:
            for code, count in dict(counts).items():
                failures[code] = failures.get(code, 0) + count
        return {
            "stored": sum(len(keys) for keys in self._stored),
            "failures": {str(code): count for code, count in failures.items()},
            "longest_gap_s": round(max(self._longest_gap_s), 2),
        }

    def stop(self, limit_s):
        """Ends the threads; the keys that the store said are stored."""
        self._stop.set()
        end = time.monotonic() + limit_s
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        if any(thread.is_alive() for thread in self._threads):
            raise RuntimeError("a put did not return within %s s" % limit_s)
        return dict(self.status(), keys=[key for keys in self._stored for key in keys])
