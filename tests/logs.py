"""Logs to test with: events as bytes, and what reading them comes to."""

from __future__ import annotations

import json

from playproof.oracles.log import read_log
from playproof.oracles.sources import find_sources

START = {"play": "P-1", "step": 0, "event": "start", "game": "colour-collector"}


def events(count=3, play="P-1"):
    """Return some events, as JSON has them."""
    more = (
        {"play": play, "step": n, "event": "spin", "shows": {"n": n}} for n in range(1, count)
    )
    return [START | {"play": play}, *more]


def lines(data):
    """Return a log as bytes."""
    return b"".join(json.dumps(one).encode() + b"\n" for one in data)


def read(*paths, adapter=None):
    """Return the events of a log, with their lines, and the findings of reading it."""
    found = []
    read_ = list(read_log(find_sources([str(path) for path in paths]), found.append, adapter))
    return [(event, where.line) for event, where in read_], found


def told(found):
    """Return findings as (code, line, message)."""
    return [(one.code, one.where.line, one.message) for one in found]


def steps(read_):
    """Return the steps of events that were read."""
    return [event.step for event, _ in read_]
