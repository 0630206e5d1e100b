"""Bytes that anyone can compute again from a seed. Payload.java makes the same ones."""

import hashlib

BLOCK = 4096


def payload(seed, size):
    """`size` bytes: blocks of 4096 that differ only in their first eight bytes, the block's number."""
    digests = (hashlib.sha256(b"%s/%d" % (seed.encode(), i)).digest() for i in range(BLOCK // 32))
    tail = b"".join(digests)[8:]
    blocks = (number.to_bytes(8, "big") + tail for number in range((size + BLOCK - 1) // BLOCK))
    return b"".join(blocks)[:size]


def digest(data):
    """What a test compares: the length and the SHA-256 of what a client got."""
    return {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
