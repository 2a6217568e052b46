"""The Plays that ended last are those that a dictionary would hold that forgets its first."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from playproof.oracles.digests import number_of
from playproof.oracles.ended import Ended
from playproof.oracles.kernels.events import Plain

MOST = 5

names = st.sampled_from([f"P-{number}" for number in range(8)])
one = st.tuples(st.just("put"), names)
asked = st.tuples(st.just("get"), names)
many = st.tuples(st.just("put_all"), st.permutations(range(7)).map(lambda n: n[: n[0] + 1]))


def plain(plays: list[str], ends: list[int]) -> Plain:
    """Return Plays as kernels tell of them, by the order in which they end."""
    none: Any = None
    numbers = np.array([number_of(play) for play in plays], np.uint64)
    last = np.array(ends, np.int64)
    return Plain(numbers, plays, none, none, none, none, last, 1, {})


@given(st.lists(one | asked | many, max_size=12))
@settings(max_examples=80, deadline=None, derandomize=True)
def test_the_last_that_ended_are_held_in_their_order(did: list[tuple[str, Any]]) -> None:
    ended, held, fresh = Ended(MOST), dict[str, Any](), 0
    for place, (what, of) in enumerate(did):
        shard: Any = SimpleNamespace(place=place)
        if what == "get":
            assert ended.get(of) is held.get(of)
            continue
        if what == "put":
            ended.put(of, shard)
            plays = [of]
        else:  # these have never been there before
            some = [f"Q-{fresh + number}" for number in range(len(of))]
            fresh += len(of)
            ended.put_all(plain(some, of), 0, 7, shard)
            plays = [some[place] for place in sorted(range(len(of)), key=of.__getitem__)]
        for play in plays:
            held[play] = shard
            if len(held) > MOST:
                del held[next(iter(held))]
    assert [*ended] == [*held]
    assert all(ended.get(play) is shard for play, shard in held.items())
