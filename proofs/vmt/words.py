"""The linear equations between words (bit-vectors of one size) that points have in common.

Arithmetic is modulo a power of two, so there are no inverses of even numbers: rows are brought
to diagonal form with the pivot that has the fewest factors of two, which divides all others.

King, Søndergaard: Inferring congruence equations using SAT, CAV 2008.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

__all__ = ["WordHull"]

Equation = tuple[Mapping[str, int], int]


@dataclass
class WordHull:
    """Points seen so far, as far as they add to what is known, and equations of all of them."""

    names: Sequence[str]
    size: int
    first: list[int] | None = None
    others: list[list[int]] = field(default_factory=list)
    equations: list[Equation] = field(default_factory=list)

    def join(self, point: Mapping[str, int]) -> None:
        """Take in a point: values as whole numbers from 0."""
        row = [point[name] for name in self.names]
        if self.first is None:
            self.first = row
        elif all(self._holds(one, point) for one in self.equations):
            return
        else:
            self.others.append([a - b for a, b in zip(row, self.first, strict=True)])
        self.equations = self._solved()

    def _holds(self, equation: Equation, point: Mapping[str, int]) -> bool:
        multiples, constant = equation
        total = sum(times * point[name] for name, times in multiples.items())
        return (total - constant) % (1 << self.size) == 0

    def _solved(self) -> list[Equation]:
        """Return equations that imply all linear ones that hold at the points."""
        assert self.first is not None
        found: list[Equation] = []
        kernel = _kernel(self.others, len(self.names), self.size)
        for multiples in _tidied(kernel, self.size):
            constant = sum(a * b for a, b in zip(multiples, self.first, strict=True))
            named = {n: v for n, v in zip(self.names, multiples, strict=True) if v}
            if named:
                found.append((named, constant % (1 << self.size)))
        return found


def _kernel(rows: Sequence[Sequence[int]], width: int, size: int) -> list[list[int]]:
    """Return columns that generate all c with ``row · c = 0`` modulo 2 ** size for each row.

    >>> _kernel([[2, 0], [0, 1]], 2, 3)
    [[4, 0]]
    """
    modulus = 1 << size
    matrix = [[value % modulus for value in row] for row in rows]
    columns = [[int(i == j) for i in range(width)] for j in range(width)]  # c = Σ columns
    done = 0
    scales: list[int] = []
    while done < min(len(matrix), width):
        entries = [
            (_twos(matrix[i][j]), i, j)
            for i in range(done, len(matrix))
            for j in range(done, width)
            if matrix[i][j]
        ]
        if not entries:
            break
        twos, i, j = min(entries)
        matrix[done], matrix[i] = matrix[i], matrix[done]
        for row in matrix:
            row[done], row[j] = row[j], row[done]
        columns[done], columns[j] = columns[j], columns[done]
        odd = pow(matrix[done][done] >> twos, -1, modulus)
        for row in matrix[done + 1 :]:
            factor = (row[done] >> twos) * odd
            for place in range(done, width):
                row[place] = (row[place] - factor * matrix[done][place]) % modulus
        for place in range(done + 1, width):
            factor = (matrix[done][place] >> twos) * odd
            for row in matrix:
                row[place] = (row[place] - factor * row[done]) % modulus
            columns[place] = [
                (a - factor * b) % modulus
                for a, b in zip(columns[place], columns[done], strict=True)
            ]
        scales.append(twos)
        done += 1
    found = []
    for place, column in enumerate(columns):
        scale = size - scales[place] if place < done else 0
        scaled = [(value << scale) % modulus for value in column]
        if any(scaled):
            found.append(scaled)
    return found


def _tidied(rows: Sequence[Sequence[int]], size: int) -> list[list[int]]:
    """Return rows that generate the same, with numbers as near to 0 as is easily had.

    Solvers are slow where a word is multiplied by a number of many bits.

    >>> _tidied([[2, 0], [3, 1]], 3)
    [[2, 0], [-1, 1]]
    """
    modulus, half = 1 << size, 1 << (size - 1)
    matrix = [list(row) for row in rows]
    for here, row in enumerate(matrix):
        entries = [(_twos(value), -place) for place, value in enumerate(row) if value]
        if not entries:
            continue
        twos, negated = min(entries)
        pivot = -negated
        odd = pow(row[pivot] >> twos, -1, modulus)
        row[:] = [value * odd % modulus for value in row]
        for there, other in enumerate(matrix):
            factor = (other[pivot] + (1 << twos >> 1)) >> twos  # to the nearest
            if there != here and factor:
                other[:] = [(a - factor * b) % modulus for a, b in zip(other, row, strict=True)]
    near = [[(value + half) % modulus - half for value in row] for row in matrix]
    return [row for row in near if any(row)]


def _twos(value: int) -> int:
    return (value & -value).bit_length() - 1
