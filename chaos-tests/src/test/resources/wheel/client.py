"""One Mooncake client of whatever release is installed, driven by a test.

A request is one line on standard input, {"id": 1, "op": "put", "key": "k", "seed": "s", "size": 10}; its answer is
one line on standard output, {"id": 1, "value": 0, "ms": 0.4} or {"id": 1, "error": "..."}. Requests are carried out
in order. The first line is written unasked and says what this release's client can do. What the client's own
libraries print goes to standard error. The process ends when standard input does, and after LIMIT seconds at the
latest, so that nothing outlives the test.

usage: client.py LIMIT
"""

import json
import os
import sys
import threading
import time

from payload import digest, payload
from writers import Writers

answers = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)

from mooncake import store as mooncake  # noqa: E402  (after standard output has been set aside)

GET_BATCH = 50
VERIFY_BATCH = 64


class Client:
    """The operations a test may ask for; the public methods are the names in "op"."""

    def __init__(self):
        self._store = mooncake.MooncakeDistributedStore()
        self._writers = None

    def abilities(self):
        """The methods of the store, the members of its ReplicateConfig, and this process."""
        config = mooncake.ReplicateConfig()
        return {
            "methods": [name for name in dir(self._store) if not name.startswith("_")],
            "config": [name for name in dir(config) if not name.startswith("_")],
            "pid": os.getpid(),
        }

    def setup(self, name, master, segment_bytes, buffer_bytes):
        return self._store.setup(name, "P2PHANDSHAKE", segment_bytes, buffer_bytes, "tcp", "", master)

    def put(self, key, seed, size, **config):
        return self._store.put(key, payload(seed, size), self._config(**config))

    def put_batch(self, keys, seeds, sizes, **config):
        values = [payload(seed, size) for seed, size in zip(seeds, sizes)]
        return self._store.put_batch(keys, values, self._config(**config))

    def upsert(self, key, seed, size, **config):
        return self._store.upsert(key, payload(seed, size), self._config(**config))

    def upsert_batch(self, keys, seeds, sizes, **config):
        values = [payload(seed, size) for seed, size in zip(seeds, sizes)]
        return self._store.upsert_batch(keys, values, self._config(**config))

    def get(self, key):
        return digest(self._store.get(key))

    def get_batch(self, keys):
        # In parts: a client answers with nothing for what does not fit its own buffer.
        digests = []
        for start in range(0, len(keys), GET_BATCH):
            part = self._store.get_batch(keys[start : start + GET_BATCH])
            digests += [digest(value) for value in part]
        return digests

    def get_size(self, key):
        return self._store.get_size(key)

    def is_exist(self, key):
        return self._store.is_exist(key)

    def batch_is_exist(self, keys):
        return self._store.batch_is_exist(keys)

    def probe_key(self, key):
        return self._store.probe_key(key)

    def replicas(self, key):
        """The replicas of a key, as get_replica_desc tells them."""
        return [self._replica(replica) for replica in self._store.get_replica_desc(key)]

    def batch_replicas(self, keys):
        found = self._store.batch_get_replica_desc(keys)
        return {key: [self._replica(replica) for replica in replicas] for key, replicas in found.items()}

    def remove(self, key, force=False):
        return self._store.remove(key, force)

    def batch_remove(self, keys, force=False):
        return self._store.batch_remove(keys, force)

    def remove_by_regex(self, pattern, force=False):
        return self._store.remove_by_regex(pattern, force)

    def remove_all(self, force=False):
        return self._store.remove_all(force)

    def batch_replica_clear(self, keys, segment=""):
        return self._store.batch_replica_clear(keys, segment)

    def health_check(self):
        return self._store.health_check()

    def close(self):
        return self._store.close()

    def fill(self, prefix, count, size):
        """Puts `count` keys of `size` bytes; which of them the store took, and the codes of the others."""
        stored, refused = [], {}
        for number in range(count):
            key = "%s%04d" % (prefix, number)
            code = self._store.put(key, payload(key, size))
            if code == 0:
                stored.append(key)
            else:
                refused[str(code)] = refused.get(str(code), 0) + 1
        return {"stored": stored, "refused": refused}

    def verify(self, keys, size):
        """Reads keys that hold `size` bytes made from their own names."""
        equal, missing, wrong = 0, [], []
        for start in range(0, len(keys), VERIFY_BATCH):
            part = keys[start : start + VERIFY_BATCH]
            for key, value in zip(part, self._store.get_batch(part)):
                if value == payload(key, size):
                    equal += 1
                elif value:
                    wrong.append(key)
                else:
                    missing.append(key)
        return {"equal": equal, "missing": missing, "wrong": wrong}

    def writers_start(self, prefix, threads, size, max_keys):
        self._writers = Writers(self._store, prefix, threads, size, max_keys)

    def writers_status(self):
        return self._writers.status()

    def writers_first_behind(self, since_s):
        return self._writers.first_behind(since_s)

    def writers_stop(self, limit_s):
        return self._writers.stop(limit_s)

    @staticmethod
    def _replica(replica):
        told = {"status": replica.status.name, "memory": replica.is_memory_replica()}
        if told["memory"]:
            buffer = replica.get_memory_descriptor().buffer_descriptor
            told.update(size=buffer.size, address=buffer.buffer_address, endpoint=buffer.transport_endpoint)
        return told

    @staticmethod
    def _config(replicas=1, segment=None, soft_pin=False, hard_pin=False):
        config = mooncake.ReplicateConfig()
        config.replica_num = replicas
        config.with_hard_pin = hard_pin
        if segment is not None:
            config.preferred_segment = segment
        if soft_pin and hasattr(config, "soft_pin_action"):
            config.soft_pin_action = mooncake.SoftPinAction.ENABLE
        elif soft_pin:
            config.with_soft_pin = True
        return config


def answer(line):
    answers.write(json.dumps(line) + "\n")
    answers.flush()


def serve(client):
    """Carries out requests until standard input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        number, operation = request.pop("id"), request.pop("op")
        start = time.monotonic()
        try:
            value = getattr(client, operation)(**request)
            answer({"id": number, "value": value, "ms": round((time.monotonic() - start) * 1000, 2)})
        except Exception as e:  # whatever the client throws is an answer for the test to judge
            answer({"id": number, "error": "%s: %s" % (type(e).__name__, e)})


def main():
    watchdog = threading.Timer(float(sys.argv[1]), os._exit, [124])
    watchdog.daemon = True
    watchdog.start()
    client = Client()
    answer({"id": 0, "value": client.abilities(), "ms": 0})
    serve(client)
    # Without running destructors: an uninitialised client of some releases crashes in them.
    os._exit(0)


main()
