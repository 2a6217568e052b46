"""Changes of a plan: of what its steps reveal, of their order, and of how many there are.

A change is blind: whether anything legal comes of it, and what that wins, is for the walk to
see. What it takes from elsewhere, from the bank or from other Plays, was legal there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["changes_of"]


def changes_of(
    at: Mapping[str, int], size: Mapping[str, int], compiled: Callable[[Any], Any]
) -> tuple[Callable[..., Any], ...]:
    """Return ``draw``, ``copy``, ``from_bank`` and ``change``, made of places of a memory.

    ``draw(m, n)`` is a random number from 0 and below n, ``copy(m, to, from, count)`` copies
    numbers, ``from_bank(m, rule)`` is the place of a reveal, and ``change(m, steps)`` changes
    the plan of so many steps and returns how many it has then.
    """
    rules_, most_ = size["rules"], size["steps"]
    width_, chains_ = size["width"], size["chains"]
    width, kind_, label, given = at["width"], at["kind"], at["label"], at["given"]
    low, high, field = at["low"], at["high"], at["field"]
    bank_first, bank_count, bank = at["bank_first"], at["bank_count"], at["bank"]
    length, ran, shown = at["length"], at["ran"], at["shown"]
    plan, revealing, random = at["plan"], at["reveals"], at["random"]

    @compiled
    def draw(m: Any, below: Any) -> Any:
        m[random] = m[random] * 40014 % 2147483563
        m[random + 1] = m[random + 1] * 40692 % 2147483399
        return (m[random] - m[random + 1]) % 2147483562 * below // 2147483562

    @compiled
    def copy(m: Any, target: Any, source: Any, count: Any) -> None:
        for place in range(count):
            m[target + place] = m[source + place]

    @compiled
    def from_bank(m: Any, rule: Any) -> Any:
        return bank + (m[bank_first + rule] + draw(m, m[bank_count + rule])) * width_

    @compiled
    def exchange(m: Any, rule: Any, reveal: Any, one: Any, two: Any) -> None:
        """Let two labels of an index set change places, in each field over it."""
        of = rule * width_
        for left in range(m[width + rule]):
            if m[label + of + left] != m[label + of + one]:
                continue
            for right in range(m[width + rule]):
                if (
                    m[label + of + right] == m[label + of + two]
                    and m[field + of + right] == m[field + of + left]
                ):
                    value = m[reveal + left]
                    m[reveal + left] = m[reveal + right]
                    m[reveal + right] = value

    @compiled
    def tweak(m: Any, rule: Any, reveal: Any) -> None:
        """Change what a step reveals a little."""
        count, of = m[width + rule], rule * width_
        place = draw(m, count)
        if not m[given + of + place]:
            return
        least, most = m[low + of + place], m[high + of + place]
        kind = draw(m, 8)
        if kind < 2:
            model = from_bank(m, rule)
            m[reveal + place] = m[model + place]
            if m[label + of + place] >= 0:
                for beside in range(count):
                    if m[label + of + beside] == m[label + of + place]:
                        m[reveal + beside] = m[model + beside]
        elif kind < 4:
            step = 1 if draw(m, 2) == 0 else -1
            if least <= m[reveal + place] + step <= most:
                m[reveal + place] += step
        elif kind == 4:
            m[reveal + place] = least
            if most - least < 64:
                m[reveal + place] += draw(m, most - least + 1)
        else:
            other = draw(m, count)
            if other == place or m[field + of + other] != m[field + of + place]:
                return
            if kind == 5:
                exchange(m, rule, reveal, place, other)
            elif m[reveal + place] > least:
                much = 1 + draw(m, m[reveal + place] - least)
                if m[reveal + other] + much <= m[high + of + other]:
                    m[reveal + place] -= much
                    m[reveal + other] += much

    @compiled
    def between(m: Any, rule: Any, one: Any, two: Any) -> None:
        """Move something between steps that reveal the same sort of thing, or exchange it."""
        kind = draw(m, 4)
        place = draw(m, m[width + rule])
        if kind < 2:
            for some in range(m[width + rule]):
                if kind == 0 or some == place:
                    value = m[one + some]
                    m[one + some] = m[two + some]
                    m[two + some] = value
            return
        least = m[low + rule * width_ + place]
        if m[one + place] > least:
            much = 1 + draw(m, m[one + place] - least)
            if m[two + place] + much <= m[high + rule * width_ + place]:
                m[one + place] -= much
                m[two + place] += much

    @compiled
    def moved(m: Any, source: Any, target: Any) -> None:
        m[plan + target] = m[plan + source]
        count = m[width + m[plan + source]]
        copy(m, revealing + target * width_, revealing + source * width_, count)

    @compiled
    def cross(m: Any, steps: Any, step: Any) -> Any:
        """Take some steps over from another Play in the place of as many, or of the rest."""
        donor = draw(m, chains_)
        first = draw(m, m[length + donor])
        for _ in range(8):
            if m[ran + donor * most_ + first] == m[plan + step]:
                break
            first = draw(m, m[length + donor])
        some = most_ if draw(m, 3) == 0 else 1 + draw(m, 6)
        target = step
        while some > 0 and first < m[length + donor] and target < most_:
            rule = m[ran + donor * most_ + first]
            source = shown + (donor * most_ + first) * width_
            m[plan + target] = rule
            copy(m, revealing + target * width_, source, m[width + rule])
            first += 1
            target += 1
            some -= 1
        return max(target, steps) if some == 0 else target

    @compiled
    def change(m: Any, steps: Any) -> Any:
        """Change the plan; return how many steps it has then."""
        step = draw(m, steps)
        for _ in range(8):
            if m[width + m[plan + step]]:
                break
            step = draw(m, steps)
        rule = m[plan + step]
        reveal = revealing + step * width_
        if not m[width + rule]:
            return steps
        kind = draw(m, 100)
        if kind < 36:
            tweak(m, rule, reveal)
        elif kind < 64:
            for _ in range(6):
                other = draw(m, steps)
                if other != step and m[kind_ + m[plan + other]] == m[kind_ + rule]:
                    between(m, rule, reveal, revealing + other * width_)
                    break
        elif kind < 74:
            copy(m, reveal, from_bank(m, rule), m[width + rule])
        elif kind < 80:
            for later in range(step + 1, steps):
                moved(m, later, later - 1)
            return steps - 1
        elif kind < 88:
            if steps < most_:
                for later in range(steps, step, -1):
                    moved(m, later - 1, later)
                if draw(m, 2) == 0:
                    rule = draw(m, rules_)
                    m[plan + step] = rule
                copy(m, reveal, from_bank(m, rule), m[width + rule])
                return steps + 1
        else:
            return cross(m, steps, step)
        return steps

    return draw, copy, from_bank, change
