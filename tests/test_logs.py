"""Logs are read from files of any kind; what is wrong is told, the rest is read."""

import gzip
import json
import subprocess
import sys
import time
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playproof.errors import BadInput
from playproof.oracles import sources
from playproof.oracles.finding import Severity
from playproof.oracles.log import DEEPEST, read_log
from playproof.oracles.shards import LONGEST
from playproof.oracles.sources import find_sources

from .logs import events, lines, read, steps, told

zstandard = pytest.importorskip("zstandard", reason="zstd takes the extra `logs`")
pyarrow = pytest.importorskip("pyarrow", reason="Parquet takes the extra `logs`")
parquet = pytest.importorskip("pyarrow.parquet")

from playproof.oracles.parquet import COLUMNS, log_to_parquet  # noqa: E402  # takes pyarrow

LOG = lines(events(20) + events(5, "P-2"))
PACKED = {
    "gzip": gzip.compress,
    "zstd": zstandard.ZstdCompressor().compress,
    "gzip, in two": lambda data: gzip.compress(data[:700]) + gzip.compress(data[700:]),
    "zstd, in two": lambda data: b"".join(
        zstandard.ZstdCompressor().compress(part) for part in (data[:700], data[700:])
    ),
    "gzip, filled up": lambda data: gzip.compress(data) + bytes(1000),
    "zstd, after what may be skipped": lambda data: (
        b"\x50\x2a\x4d\x18\x04\x00\x00\x00skip" + zstandard.ZstdCompressor().compress(data)
    ),
}


@pytest.fixture
def log(tmp_path):
    """A file in which to put a log."""
    return tmp_path / "log"


@pytest.fixture
def plain(tmp_path):
    """What reading the log as it is comes to."""
    path = tmp_path / "plain.jsonl"
    path.write_bytes(LOG)
    return read(path)[0]


def read_bytes(path, data):
    path.write_bytes(data)
    return read(path)


# ---- What is read -------------------------------------------------------------------------


def test_each_line_is_an_event_with_its_place(plain):
    assert [(event.play, event.step, line) for event, line in plain[:2]] == [
        ("P-1", 0, 1),
        ("P-1", 1, 2),
    ]
    assert len(plain) == 25
    assert plain[1][0].shows == {"n": 1}


@pytest.mark.parametrize("how", PACKED)
def test_packed_logs_are_read_whatever_they_are_called(how, log, plain):
    assert read_bytes(log, PACKED[how](LOG)) == (plain, [])


@pytest.mark.parametrize(
    "changed",
    [
        LOG.removesuffix(b"\n"),
        LOG.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + LOG,
        LOG[:200] + LOG[200:].replace(b'{"play"', b'\xef\xbb\xbf{"play"', 1),
    ],
    ids=["without the last line end", "of Windows", "with a BOM", "with a BOM in between"],
)
def test_text_is_read_as_editors_and_systems_write_it(changed, log, plain):
    assert read_bytes(log, changed) == (plain, [])


@pytest.mark.parametrize("as_", ["JSON", "structs", "maps"])
def test_parquet_is_read_with_fields_as_json_structs_or_maps(as_, log, plain):
    if as_ == "JSON":
        log_to_parquet((event for event, _ in plain), log)
    else:
        counts = pyarrow.map_(pyarrow.string(), pyarrow.int64())
        shows = counts if as_ == "maps" else pyarrow.struct([("n", pyarrow.int64())])
        kinds = {"play": pyarrow.string(), "step": pyarrow.int32(), "event": pyarrow.string()}
        schema = pyarrow.schema(kinds | {"game": pyarrow.string(), "shows": shows})
        rows = [json.loads(line) for line in LOG.splitlines()]
        parquet.write_table(pyarrow.Table.from_pylist(rows, schema), log, row_group_size=10)

    assert read(log) == (plain, [])


def test_numbers_of_any_size_are_kept_as_they_are(log):
    huge = 2**80
    read_, found = read_bytes(log, lines([events(1)[0] | {"shows": {"n": huge}, "step": huge}]))

    assert not found
    assert (read_[0][0].shows, read_[0][0].step) == ({"n": huge}, huge)


def test_several_files_folders_and_patterns_are_read_in_order_and_once(tmp_path):
    (tmp_path / "logs" / "old").mkdir(parents=True)
    for number, name in enumerate(
        ("b.jsonl", "a.jsonl", "old/c.jsonl", ".hidden.jsonl", "x.txt")
    ):
        (tmp_path / "logs" / name).write_bytes(lines(events(1, f"P-{number}")))
    logs = [tmp_path / "logs", tmp_path / "logs" / "*.jsonl", tmp_path / "logs/old/../a.jsonl"]
    found = find_sources([str(path) for path in logs])

    names = [str(source.path.relative_to(tmp_path)) for source in found]
    assert names == ["logs/a.jsonl", "logs/b.jsonl", "logs/old/c.jsonl"]
    assert [e.play for e, _ in read_log(found, pytest.fail)] == ["P-1", "P-0", "P-2"]


def test_a_file_without_events_among_others_is_told(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(LOG)
    (tmp_path / "b.jsonl").write_bytes(b"")
    read_, found = read(tmp_path)

    assert len(read_) == 25
    assert [(one.code, one.where.file) for one in found] == [
        ("empty", str(tmp_path / "b.jsonl"))
    ]


# ---- What is wrong is told, and the rest is read --------------------------------------------

LONG_NUMBER = b'{"n": ' + b"9" * 9999 + b"}"
FAR_TOO_DEEP = b'{"a":' * 100_000 + b"1" + b"}" * 100_000
TOO_DEEP = json.dumps(
    json.loads('{"a":' * (DEEPEST + 1) + "1" + "}" * (DEEPEST + 1))
).encode()  # within what Python itself can take


def event(shows):
    return b'{"play": "P-1", "step": 1, "event": "spin", "shows": ' + shows + b"}"


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        (b'{"play": "P-1", "step"', "unreadable", "not JSON: it breaks off"),
        (b'{"play" = "P-1"}', "unreadable", "not JSON: expected ':' (byte 8)"),
        (event(b"{}") + b" {}", "unreadable", "not JSON: trailing characters (byte 58)"),
        (b'{"play": "\xff"}', "unreadable", "not UTF-8 text (byte 11)"),
        (event(b'{"n": NaN}'), "unreadable", "not JSON: NaN is no number there"),
        (event(b'{"n": -Infinity}'), "unreadable", "not JSON: Infinity is no number there"),
        (event(b'{"n": 1e999}'), "unreadable", "a number that is too large to be read"),
        (event(LONG_NUMBER), "unreadable", "a number that is too large to be read"),
        (event(FAR_TOO_DEEP), "unreadable", "an event that is nested more than 100 deep"),
        (event(TOO_DEEP), "unreadable", "an event that is nested more than 100 deep"),
        (b"[1]", "format", "an event: an object was expected, not a list"),
        (b"7", "format", "an event: an object was expected, not a whole number"),
        (
            b'{"step": 1}',
            "format",
            "the key play is missing (records of another form take --adapter)",
        ),
        (event(b"[]"), "format", "shows: an object or null was expected, not a list"),
        (
            b'{"play": 7, "step": 1, "event": "spin"}',
            "format",
            "play: text was expected, not a whole number",
        ),
        (
            b'{"play": "P", "step": 1.0, "event": "spin"}',
            "format",
            "step: a whole number was expected, not a number with a point",
        ),
        (
            b'{"play": "P", "step": true, "event": "spin"}',
            "format",
            "step: a whole number was expected, not true or false",
        ),
    ],
    ids=lambda value: value[:40] if isinstance(value, str | bytes) else value,
)  # fmt: skip
def test_a_line_that_is_no_event_is_told_with_its_number(line, code, said, log):
    read_, found = read_bytes(log, lines(events(2)) + line + b"\n" + lines(events(4)[2:]))

    assert steps(read_) == [0, 1, 2, 3]
    assert told(found) == [(code, 3, said)]
    assert found[0].severity is Severity.ERROR


def test_unknown_keys_are_told_once_each_as_notes(log):
    odd = [one | {"time": 1, "host": "a"} for one in events(3)]
    read_, found = read_bytes(log, lines(odd))

    assert steps(read_) == [0, 1, 2]
    assert [(f.where.line, f.severity) for f in found] == [(1, Severity.NOTE)] * 2
    assert "unknown key 'time'" in found[0].message
    assert "unknown key 'host'" in found[1].message


START = b'{"play": "P-1", "step": 0, "event": "start"'


@pytest.mark.parametrize(
    ("line", "said", "severity"),
    [
        (
            event(b'{"n": 1, "n": 2}'),
            "the key n stands twice in one object; the last one counts",
            Severity.ERROR,
        ),
        (
            event(b"{}").replace(b'"step"', b'"step": 2, "step"'),
            "the key step stands twice in one object; the last one counts",
            Severity.ERROR,
        ),
        (
            START + b', "outcome": {"amout": 5}}',
            "unknown key 'outcome.amout', which is passed over here and from now on",
            Severity.NOTE,
        ),
        (
            START + b', "paid": 0}',
            "a start has no paid, which is not judged there",
            Severity.ERROR,
        ),
        (
            START + b', "reveal": {"symbols": 1}}',
            "a start has no reveal, which is not judged there",
            Severity.ERROR,
        ),
        (
            event(b"{}").replace(b'"step"', b'"outcome": {"amount": 5}, "step"'),
            "outcome is read of a start alone, and passed over elsewhere",
            Severity.NOTE,
        ),
        (
            event(b"{}").replace(b'"step"', b'"version": 1, "step"'),
            "version is read of a start alone, and passed over elsewhere",
            Severity.NOTE,
        ),
    ],
    ids=lambda value: value.name if isinstance(value, Severity) else value[-40:],
)
def test_a_key_that_is_passed_over_or_says_nothing_is_told_once(line, said, severity, log):
    read_, found = read_bytes(log, (line + b"\n") * 3)

    assert len(read_) == 3
    assert [(f.code, f.where.line, f.message) for f in found] == [("format", 1, said)]
    assert found[0].severity is severity


def test_colons_in_values_and_keys_that_are_null_do_not_stand_twice(log):
    odd = [event(b'{"at": "12:30:00"}'), event(b"{}")[:-1] + b', "choice": null}']
    read_, found = read_bytes(
        log, b"\n".join([*odd, START[:-1].replace(b"P-1", b"P:1") + b'"}'])
    )

    assert len(read_) == 3
    assert not found


@pytest.mark.parametrize(
    ("play", "said"),
    [("", "play: the Play Number is empty"), ("7" * 1001, "play: a Play Number of 1001 ch")],
)
def test_a_play_number_that_is_none_is_told(play, said, log):
    read_, found = read_bytes(log, lines([*events(1), *events(1, play)]))

    assert len(read_) == 1
    assert [(f.code, f.where.line) for f in found] == [("format", 2)]
    assert found[0].message.startswith(said)


def test_what_is_long_is_cut_in_findings(log):
    long = b"x" * 100_000
    read_, found = read_bytes(
        log, event(b"{}").replace(b'"step"', b'"' + long + b'": 1, "step"')
    )

    assert len(read_) == 1
    assert len(found[0].message) < 600
    assert "(100000 characters)" in found[0].message


def test_empty_lines_are_told_once_as_a_note(log):
    read_, found = read_bytes(log, LOG.replace(b"\n", b"\n\n \n"))

    assert len(read_) == 25
    assert [(f.code, f.where.line, f.severity) for f in found] == [
        ("unreadable", 2, Severity.NOTE)
    ]


@pytest.mark.parametrize("size", [LONGEST + 1, 5 * LONGEST])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_line_that_is_too_long_is_told_and_not_held(size, pack, log):
    long = b'{"play": "' + b"x" * size + b'"}\n'
    log.write_bytes(pack(lines(events(1)) + long + lines(events(2)[1:])))
    del long
    tracemalloc.start()
    read_, found = read(log)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert steps(read_) == [0, 1]
    said = "a line of more than 4 MB, which is not read: one record a line was expected"
    assert told(found) == [("unreadable", 2, said)]
    assert most < 4 * LONGEST


def test_what_unpacks_to_very_much_is_not_held(log):
    log.write_bytes(zstandard.ZstdCompressor().compress(bytes(200 << 20)))
    tracemalloc.start()
    read_, found = read(log)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert read_ == []
    assert [(f.code, f.where.line) for f in found] == [("unreadable", 1)]
    assert most < 120 << 20


@pytest.mark.parametrize("how", ["gzip", "zstd"])
def test_of_a_packed_log_that_is_cut_off_what_came_before_is_read(how, log, plain):
    data = PACKED[how](lines(events(5000)))
    read_, found = read_bytes(log, data[: len(data) // 2])

    assert 0 < len(read_) < 5000
    assert steps(read_) == list(range(len(read_)))
    (one,) = found
    assert (one.code, one.where.line, one.severity) == ("unreadable", 0, Severity.ERROR)
    assert "is cut off" in one.message


@pytest.mark.parametrize("how", ["gzip", "zstd"])
def test_a_packed_log_that_is_damaged_is_told(how, log):
    read_, found = read_bytes(log, PACKED[how](LOG) + b"not packed")

    assert len(read_) == 25
    assert "cannot be unpacked any further" in found[0].message


@given(st.data())
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None
)
def test_wherever_a_packed_log_is_cut_it_is_told_and_nothing_is_made_up(log, plain, data):
    pack = PACKED[data.draw(st.sampled_from(["gzip", "zstd"]))]
    packed = pack(LOG)
    cut = data.draw(st.integers(1, len(packed) - 1))
    read_, found = read_bytes(log, packed[:cut])

    assert read_ == plain[: len(read_)]
    assert found


@given(st.binary(max_size=300), st.sampled_from([bytes, *PACKED.values()]))
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100, deadline=None
)
def test_any_bytes_at_all_are_events_or_findings(log, data, pack):
    read_, found = read_bytes(log, pack(data))

    assert read_ or found or not data.strip().strip(b"\0\xef\xbb\xbf \n\r\t\v\f")


@pytest.mark.parametrize("line", [b"{", b"["])
def test_a_first_line_that_breaks_off_is_told_and_the_rest_is_read(line, log, plain):
    read_, found = read_bytes(log, line + b"\n" + LOG)

    assert [event for event, _ in read_] == [event for event, _ in plain]
    assert told(found) == [("unreadable", 1, "not JSON: it breaks off")]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (json.dumps(events(3), indent=1).encode(), "JSON over many lines"),
        (json.dumps(events(1)[0], indent=1).encode(), "JSON over many lines"),
        (LOG.decode().encode("utf-16"), "UTF-16 text: UTF-8 was expected"),
    ],
)
def test_a_file_of_another_kind_is_told_once(data, said, log):
    read_, found = read_bytes(log, data)

    assert read_ == []
    assert len(found) == 1
    assert said in found[0].message


def test_a_parquet_file_with_other_columns_is_told_in_one_sentence(log):
    parquet.write_table(pyarrow.table({"round": [1, 2], "payout": [0, 5]}), log)
    read_, found = read(log)

    assert read_ == []
    said = (
        "a Parquet file with the columns play, step, event was expected; "
        "its columns are round, payout"
    )
    assert told(found) == [("unreadable", 0, said)]


def test_unknown_columns_and_text_that_is_no_json_are_told_with_their_row(log):
    rows = [one | {"host": "a", "shows": "{}" if n else "{"} for n, one in enumerate(events(3))]
    parquet.write_table(pyarrow.Table.from_pylist(rows), log)
    read_, found = read(log)

    assert steps(read_) == [1, 2]
    assert [(f.code, f.where.line) for f in found] == [("unreadable", 1), ("format", 2)]
    assert "a column holds what is not JSON" in found[0].message
    assert "unknown key 'host'" in found[1].message


def test_a_parquet_file_that_is_cut_off_is_told(log, plain):
    log_to_parquet((one for one, _ in plain), log)
    read_, found = read_bytes(log, log.read_bytes()[:-50])

    assert read_ == []
    assert [(f.code, f.where.line) for f in found] == [("unreadable", 0)]
    assert "cannot be read from row 1 on" in found[0].message


def test_the_columns_of_parquet_are_the_keys_of_events():
    assert COLUMNS[:3] == ("play", "step", "event")
    assert {"reveal", "choice", "shows", "outcome", "paid", "won"} <= set(COLUMNS)


# ---- What cannot be read at all ------------------------------------------------------------


def test_paths_that_lead_to_nothing_are_bad_input(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match=r"none.jsonl: cannot be read: No such file"):
        find_sources([str(tmp_path / "none.jsonl")])
    with pytest.raises(BadInput, match=r"\*.jsonl: no file is called like this"):
        find_sources([str(tmp_path / "*.jsonl")])
    with pytest.raises(BadInput, match=r"empty: no log in this folder: .jsonl, .ndjson"):
        find_sources([str(tmp_path / "empty")])
    with pytest.raises(BadInput, match="a log was expected, not nothing"):
        find_sources([""])


@pytest.mark.parametrize(("package", "how"), [("zstandard", "zstd"), ("pyarrow", "Parquet")])
def test_a_package_that_is_not_installed_is_named(package, how, log, plain, monkeypatch):
    if how == "zstd":
        log.write_bytes(PACKED["zstd"](LOG))
    else:
        log_to_parquet((one for one, _ in plain), log)
    monkeypatch.setattr(sources.importlib.util, "find_spec", lambda name: None)

    with pytest.raises(BadInput, match=f"takes the package {package}: pip install {package}"):
        find_sources([str(log)])


def test_nothing_but_logs_in_parquet_or_zstd_takes_the_extra_packages():
    code = (
        "import sys, playproof.reports.judging; "
        "raise SystemExit(bool({'pyarrow', 'zstandard'} & set(sys.modules)))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ---- How well ------------------------------------------------------------------------------

MEMORY = """
import re, sys
from playproof.oracles.log import read_log
from playproof.oracles.sources import find_sources
count = sum(1 for _ in read_log(find_sources(sys.argv[1:]), print))
(most,) = re.findall(r"VmHWM:\\s*(\\d+) kB", open("/proc/self/status").read())
print(count, int(most) >> 10)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is asked of Linux")
def test_a_log_is_not_held_in_memory(log):
    some = lines(events(200))
    with gzip.open(log, "wb", compresslevel=1) as file:
        for _ in range(750):
            file.write(some)
    ran = subprocess.run(
        [sys.executable, "-c", MEMORY, str(log)], capture_output=True, text=True, check=True
    )
    count, megabytes = map(int, ran.stdout.split())

    assert count == 150_000
    assert len(some) * 750 >> 20 > 7  # megabytes of text, and far more as objects
    assert megabytes < 64


@pytest.mark.bench
@pytest.mark.parametrize("how", ["plain", "gzip", "zstd", "Parquet"])
def test_what_reading_takes(how, log):
    shows = {"rows": dict.fromkeys("1234567", 0), "awarded": dict.fromkeys("1234567", False)}
    data = lines([one | {"shows": shows, "reveal": shows} for one in events(100)]) * 2000
    log.write_bytes(PACKED.get(how, bytes)(data))
    if how == "Parquet":
        read_ = list(read_log(find_sources([str(log)]), pytest.fail))
        log_to_parquet((event for event, _ in read_), log)
        del read_
    began = time.process_time()
    count = sum(1 for _ in read_log(find_sources([str(log)]), pytest.fail))
    seconds = time.process_time() - began
    speed = f"{count / seconds:,.0f} events, {len(data) / seconds / 1e6:.0f} MB a second"
    print(f"\n{how}: {speed}")  # noqa: T201

    assert count == 200_000
