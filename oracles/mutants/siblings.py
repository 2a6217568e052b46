"""Which fields may be taken for one another: another meter, ladder, row, or level column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...models.shape import Variable

__all__ = ["siblings_of"]


def siblings_of(variables: Iterable[Variable]) -> Mapping[str, tuple[str, ...]]:
    """Return by name what each variable may be mixed up with: one or two others.

    One is the next of its own field, over the same labels (after the last the first). The
    other is that of the next field that is laid out alike and counts the same kind of thing.
    """
    fields: dict[str, list[Variable]] = {}
    for variable in variables:
        fields.setdefault(_field(variable), []).append(variable)
    alike: dict[tuple[object, ...], list[str]] = {}
    for name, of in fields.items():
        labels = tuple(_label(one) for one in of)
        key = (name.count("."), of[0].sort, of[0].unit, of[0].high, of[0].choice, labels)
        alike.setdefault(key, []).append(name)
    found: dict[str, tuple[str, ...]] = {}
    for names in alike.values():
        for place, name in enumerate(names):
            following = fields[names[(place + 1) % len(names)]]
            own = fields[name]
            for number, variable in enumerate(own):
                others = (own[(number + 1) % len(own)].name, following[number].name)
                found[variable.name] = tuple(
                    dict.fromkeys(one for one in others if one != variable.name)
                )
    return found


def _field(variable: Variable) -> str:
    """Return ``s.rows`` of ``s.rows.1``, ``r.spin.symbols`` of ``r.spin.symbols.1``."""
    parts = variable.name.split(".")
    return ".".join(parts[: 2 if parts[0] == "s" else 3])


def _label(variable: Variable) -> str:
    return variable.name.removeprefix(_field(variable))
