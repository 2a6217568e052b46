"""The README's table of benchmarks, and the curves: ``python -m tests.benchmark_table``.

It reads what one run of ``pytest -m table -n 0 -s`` left in ``out/benchmarks.json``, keeps that
as ``tests/benchmarks.json``, and makes of it the table in the README and the picture beside it.
The same results give the same bytes.
"""

from __future__ import annotations

import io
import json
from pathlib import Path

from playproof.files import write_whole

from .measuring import RESULTS

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "tests" / "benchmarks.json"
PICTURE = ROOT / "reports" / "images" / "growth.svg"
OPENS, CLOSES = "<!-- benchmarks -->\n", "<!-- /benchmarks -->"
_WAYS = {
    "rules": ("our rules alone", "#1f5f8b", "o-"),
    "proof": ("our proof, of any length", "#2f7d4f", "s-"),
    "spin": ("SPIN", "#a3420b", "^--"),
    "rumur": ("rumur", "#7a5fa0", "v--"),
}


class NotOneRun(ValueError):
    """Results of several runs, or of none."""


def table(results):
    """Return the table as Markdown; NotOneRun where its figures are not of one run."""
    runs = {one["run"] for one in results.values()}
    machines = {json.dumps(one["machine"]) for one in results.values()}
    if len(runs) != 1 or len(machines) != 1:
        raise NotOneRun(
            f"{RESULTS}: figures of {len(runs)} runs where those of one were expected; "
            "remove it, and run pytest -m table -n 0 -s"
        )
    machine = json.loads(machines.pop())
    about = f"{machine['cores']} cores of {machine['processor']}, {machine['memory_GiB']} GiB"
    lines = [
        f"One run, begun {runs.pop()}, on {about}, {machine['system']}, Python "
        f"{machine['python']}. Times are processor time.",
        "",
        "| measured | ratio | from |",
        "|---|---|---|",
    ]
    for name, one in results.items():
        figures = {
            k: v for k, v in one.items() if k not in ("ratio", "machine", "run", "curves")
        }
        said = ", ".join(f"{key.replace('_', ' ')} {_said(v)}" for key, v in figures.items())
        lines.append(f"| {name} | {one['ratio']:,.2f} | {said} |")
    growing = {name: one for name, one in results.items() if "curves" in one}
    for name, one in growing.items():
        largest = f"{name.rpartition(', ')[2]}, {one['states'][-1]:,} states"
        lines += ["", f"The largest of those copies, {largest}:", ""]
        lines += ["| by | seconds | MB |", "|---|---|---|"]
        for way, curve in one["curves"].items():
            seconds, megabytes = curve[-1]
            lines.append(f"| {_WAYS[way][0]} | {seconds:.2f} | {megabytes:,.1f} |")
    return "\n".join(lines) + "\n"


def _said(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return " and ".join(f"{key} {_said(one)}" for key, one in value.items())
    if isinstance(value, list):
        return f"{_said(value[0])} to {_said(value[-1])}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def picture(results):
    """Return time and memory of each way against the number of states, as SVG."""
    import matplotlib
    from matplotlib.figure import Figure

    growing = {name: one for name, one in results.items() if "curves" in one}
    matplotlib.use("svg")
    fixed = {"svg.hashsalt": "playproof", "svg.fonttype": "none", "font.size": 9,
             "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"],
             "axes.spines.top": False, "axes.spines.right": False}  # fmt: skip
    with matplotlib.rc_context(fixed):
        figure = Figure(figsize=(7.6, 5.6), layout="constrained")
        grid = figure.subplots(2, len(growing), sharex="col", squeeze=False)
        for column, (name, one) in enumerate(growing.items()):
            for row, unit in enumerate(("processor seconds", "MB at most")):
                axes = grid[row][column]
                for way, curve in one["curves"].items():
                    said, colour, style = _WAYS[way]
                    measured = [max(point[row], 0.01) for point in curve]
                    axes.plot(one["states"], measured, style, color=colour, label=said, ms=4)
                axes.set_xscale("log")
                axes.set_yscale("log")
                axes.set_ylabel(unit)
            grid[0][column].set_title(f"{name.rpartition(', ')[2]}: {one['copy']}")
            grid[1][column].set_xlabel("states of the copy")
        handles, said = grid[0][0].get_legend_handles_labels()
        figure.legend(handles, said, loc="outside lower center", ncols=4, frameon=False)
        made = io.StringIO()
        figure.savefig(made, format="svg", metadata={"Date": None, "Creator": None})
    text = made.getvalue()
    return text[text.index("<svg") :].rstrip() + "\n"


def with_table(readme, results):
    """Return a README with the table of these results in its place."""
    before, _, rest = readme.partition(OPENS)
    _, closing, after = rest.partition(CLOSES)
    if not closing:
        raise NotOneRun(f"README.md: {OPENS.strip()} … {CLOSES} were expected")
    return before + OPENS + table(results) + closing + after


def main():
    results = json.loads(RESULTS.read_bytes())
    readme = ROOT / "README.md"
    made = with_table(readme.read_text("utf-8"), results), picture(results)
    write_whole(KEPT, json.dumps(results, indent=1) + "\n")
    for path, text in zip((readme, PICTURE), made, strict=True):
        write_whole(path, text)


if __name__ == "__main__":
    main()
