"""Logs that are somewhere else: named by URL, read through fsspec."""

from __future__ import annotations

import gzip
import importlib.util
import random

import pytest

from playproof.errors import BadInput
from playproof.oracles.bulk import judge_files
from playproof.oracles.judge import Judge
from playproof.oracles.parquet import log_to_parquet
from playproof.oracles.remote import remote
from playproof.oracles.sources import find_sources

from .played import DIP, log
from .test_bulk import PLAYS, made_up

pytestmark = pytest.mark.skipif(
    not importlib.util.find_spec("upath"), reason="files elsewhere take the extra `cluster`"
)


@pytest.fixture
def bucket():
    """Return the URL of a folder that is in memory."""
    return "memory://bucket/logs"


def put(url, data):
    path = remote(url)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def findings(paths):
    return [
        (finding.text().replace("memory://bucket/", ""))
        for finding in judge_files(Judge(DIP), find_sources(paths))
    ]


def test_a_log_is_judged_where_it_is(bucket, tmp_path, monkeypatch):
    lines = b"\n".join(made_up(random.Random(5), 30, 0.02)) + b"\n"
    put(f"{bucket}/a.jsonl", lines)
    put(f"{bucket}/deep/b.jsonl.gz", gzip.compress(lines))
    put(f"{bucket}/notes.txt", b"not a log")
    (tmp_path / "logs" / "deep").mkdir(parents=True)
    (tmp_path / "logs" / "a.jsonl").write_bytes(lines)
    (tmp_path / "logs" / "deep" / "b.jsonl.gz").write_bytes(gzip.compress(lines))
    monkeypatch.chdir(tmp_path)
    here = findings(["logs"])
    assert here
    assert findings([bucket]) == here
    assert findings([f"{bucket}/a.jsonl", f"{bucket}/d*/*.gz"]) == here


def test_parquet_is_read_where_it_is(bucket, tmp_path):
    events = [event for event, _ in log(DIP, PLAYS[0], "P-1")]
    log_to_parquet(events, tmp_path / "log.parquet")
    put(f"{bucket}/log.parquet", (tmp_path / "log.parquet").read_bytes())
    assert findings([f"{bucket}/log.parquet"]) == []


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("memory://nowhere/log.jsonl", "there is no such file"),
        ("memory://nowhere/*.jsonl", "no file is called like this"),
        ("nobody://bucket/log.jsonl", "cannot be reached: Unsupported filesystem"),
    ],
)
def test_what_is_not_there_is_named(url, said):
    with pytest.raises(BadInput, match=said) as told:
        find_sources([url])
    assert url in str(told.value)
