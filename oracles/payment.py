"""What a Play pays: as predetermined, as the rules give it, as shown, as the table has it.

Two-sided: everything shown as won is paid, everything paid was shown, nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..models.money import pounds
from .event import Event
from .finding import Finding, plain
from .table import Ending, Table

__all__ = ["Outcome", "judge_outcome", "judge_payment", "rightly_paid"]

Amounts = Mapping[str, int]


class Outcome:
    """The predetermined outcome (pence): its amount and its parts, None where not said."""

    def __init__(self, amount: int | None, parts: Amounts | None) -> None:
        self.amount = amount
        self.parts = parts


def judge_outcome(
    given: Mapping[str, Any] | None, known: tuple[str, ...], table: Table, found: list[Finding]
) -> Outcome:
    """Return the outcome a Play is to have, as far as it makes sense; the rest is found."""
    if given is None:
        return Outcome(None, None)
    amount: Any = given.get("amount")
    if type(amount) is not int or amount < 0:
        found.append(_format("outcome.amount", amount, "pence, a whole number from 0"))
        amount = None
    parts = _amounts("outcome.parts", given.get("parts"), known, found)
    if amount is not None and parts is not None and parts and sum(parts.values()) != amount:
        found.append(
            Finding(
                "outcome",
                f"the parts of the predetermined outcome add up to "
                f"{pounds(sum(parts.values()))}, its amount is {pounds(amount)}",
                field="outcome.parts", shown=dict(parts), expected=amount,
            )
        )  # fmt: skip
        parts = None
    number = given.get("row")
    if number is not None and table.rows:
        row = table.rows.get(number) if type(number) is int else None
        if row is None:
            found.append(_format("outcome.row", number, f"a row from 1 to {len(table.rows)}"))
        elif amount is not None and row.amount != amount:
            found.append(
                Finding(
                    "not-in-table",
                    f"row {number} of the prize table pays {pounds(row.amount)}, "
                    f"the predetermined outcome is {pounds(amount)}",
                    field="outcome.row", shown=amount, expected=row.amount,
                )
            )  # fmt: skip
    return Outcome(amount, parts or None)


def rightly_paid(event: Event, outcome: Outcome, ending: Ending) -> bool:
    """Return whether all is plainly right with a finish; False also where it takes a look."""
    paid, won = event.paid, event.won
    return (
        type(paid) is int
        and ending.ended
        and paid == ending.paid
        and (outcome.amount is None or outcome.amount == paid)
        and (outcome.parts is None or outcome.parts == ending.won)
        and (won is None or (won == ending.won and all(type(n) is int for n in won.values())))
        and (ending.row is not None or not paid or not ending.table.rows)
    )


def judge_payment(
    event: Event, outcome: Outcome, ending: Ending | None, known: tuple[str, ...], table: Table
) -> Iterator[Finding]:
    """Yield what is wrong with a finish; ``ending`` is None where the state is not known."""
    paid = event.paid
    if type(paid) is not int:
        yield _format("paid", paid, "what was paid, in pence, a whole number from 0")
        paid = None
    due = ending.paid if ending else None
    if due is not None and outcome.amount is not None and due != outcome.amount:
        also = ", which was paid" if paid == outcome.amount else ""
        yield Finding(
            "outcome",
            f"what was revealed wins {pounds(due)}; "
            f"the predetermined outcome is {pounds(outcome.amount)}{also}",
            field="outcome.amount", shown=due, expected=outcome.amount,
        )  # fmt: skip
    elif ending and outcome.parts is not None and outcome.parts != ending.won:
        yield Finding(
            "outcome",
            f"what was revealed wins {_words(ending.won)}; "
            f"the predetermined outcome is {_words(outcome.parts)}",
            field="outcome.parts", shown=ending.won, expected=dict(outcome.parts),
        )  # fmt: skip
    if paid is not None:
        yield from _judge_paid(paid, due, outcome.amount)
    found: list[Finding] = []
    won = _amounts("won", event.won, known, found)
    yield from found
    if won is not None and not found:
        yield from _judge_won(won, paid, ending)
    if table.rows and paid:
        yield from _judge_row(paid, ending if paid == due else None, due is not None, table)


def _judge_paid(paid: int, due: int | None, predetermined: int | None) -> Iterator[Finding]:
    if paid in (due, predetermined):
        return
    right = predetermined if due is None else due
    if right is not None:
        says = "the rules give" if due is not None else "the predetermined outcome is"
        yield Finding(
            "paid",
            f"{pounds(paid)} was paid; {says} {pounds(right)}",
            field="paid", shown=paid, expected=right,
        )  # fmt: skip


def _judge_won(won: Amounts, paid: int | None, ending: Ending | None) -> Iterator[Finding]:
    if ending:
        right = ending.won
        odd = sorted(name for name in won.keys() | right if won.get(name) != right.get(name))
        if odd:
            words = [_two_sided(name, won.get(name, 0), right.get(name, 0)) for name in odd]
            one = odd[0] if len(odd) == 1 else None
            yield Finding(
                "won",
                "; ".join(words),
                field=f"won.{one}" if one else "won",
                shown=won.get(one, 0) if one else dict(won),
                expected=right.get(one, 0) if one else right,
            )
    elif paid is not None and sum(won.values()) != paid:
        yield Finding(
            "won",
            f"{pounds(sum(won.values()))} was shown as won in all, {pounds(paid)} was paid",
            field="won", shown=sum(won.values()), expected=paid,
        )  # fmt: skip


def _two_sided(name: str, shown: int, due: int) -> str:
    if not due:
        return f"{name} is shown as won ({pounds(shown)}), and wins nothing"
    if not shown:
        return f"{name} wins {pounds(due)}, and is not shown as won"
    return f"{name} is shown as winning {pounds(shown)}; it wins {pounds(due)}"


def _judge_row(
    paid: int, ending: Ending | None, known: bool, table: Table
) -> Iterator[Finding]:
    if paid not in table.amounts:
        if ending or not known:
            yield Finding(
                "not-in-table",
                f"no row of the prize table pays {pounds(paid)}",
                field="paid", shown=paid,
            )  # fmt: skip
    elif ending and ending.row is None:
        yield Finding(
            "not-in-table",
            f"no row of the prize table is {_words(ending.won)}",
            field="won", shown=ending.won,
        )  # fmt: skip


def _amounts(
    what: str, given: object, known: tuple[str, ...], found: list[Finding]
) -> dict[str, int] | None:
    """Return amounts by part, those that are nothing left out; None if they are not said."""
    if given is None:
        return None
    if not isinstance(given, Mapping):
        found.append(_format(what, given, "amounts by part"))
        return None
    amounts = {}
    for name, value in given.items():
        if name not in known:
            message = f"{what}: {name!r} is no part of a prize; parts are {', '.join(known)}"
            found.append(Finding("format", message, field=f"{what}.{name}", shown=plain(value)))
        elif type(value) is not int or value < 0:
            found.append(_format(f"{what}.{name}", value, "pence, a whole number from 0"))
        elif value:
            amounts[name] = value
    return amounts


def _words(parts: Amounts) -> str:
    listed = [f"{pounds(won)} {name}" for name, won in parts.items() if won]
    return f"{pounds(sum(parts.values()))} ({' + '.join(listed)})" if listed else "£0"


def _format(field: str, shown: object, wanted: str) -> Finding:
    said = "is missing" if shown is None else f"is {shown!r}"
    return Finding(
        "format", f"{field} {said}; {wanted}, was expected", field=field, shown=shown
    )
