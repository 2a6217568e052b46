"""A build may do anything: whatever it does is a trouble with a name, in the time there is."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from playproof.errors import BadInput
from playproof.oracles.builds import CallableBuild, CommandBuild, HttpBuild, Trouble, connect

BAD = Path(__file__).parent / "builds" / "bad.py"


def bad(way):
    return CommandBuild([sys.executable, "-S", str(BAD), way])


def played(build, steps=3, timeout=5.0):
    """Ask for a few steps; return what the trouble was, and how many answers came first."""
    answers = 0
    try:
        for step in range(steps):
            if build.ask({"play": "P", "step": step}, timeout) != {"play": "P", "step": step}:
                return "echo", answers, ""  # an answer to something else
            answers += 1
        build.close()
    except Trouble as trouble:
        return trouble.code, answers, str(trouble)
    finally:
        build.restart()
    return "well", answers, ""


@pytest.mark.parametrize(
    ("way", "timeout", "code", "says"),
    [
        ("hangs", 0.6, "hang", "no answer in 0.6 s"),
        ("hangs-half", 0.6, "hang", 'after part of an answer: \'{"play":'),
        (
            "dies",
            5,
            "died",
            "exit code 3; it wrote on standard error: first | out of memory | ",
        ),
        ("dies-half", 5, "died", "was ended by SIGKILL in the middle of an answer: '{\"play"),
        ("rubbish", 5, "rubbish", "not JSON"),
        ("binary", 5, "rubbish", "not JSON"),
        ("list", 5, "rubbish", "no JSON object: '[1, 2]'"),
        ("nested", 5, "rubbish", "nested too deeply"),
        ("floods-a-line", 5, "flood", "more than 1048576 bytes: 'xxx"),
        ("closes", 5, "died", "it closed its output"),
    ],
)
def test_what_a_process_does_wrong_has_a_name(way, timeout, code, says):
    began = time.monotonic()
    found = played(bad(way), timeout=timeout)

    assert found[:2] == (code, 2)
    assert says in found[2]
    assert "\x1b" not in found[2]
    assert time.monotonic() - began < 4


@pytest.mark.parametrize("way", ["twice", "last-word"])
def test_an_answer_that_nobody_asked_for_is_noticed_at_the_end_at_the_latest(way):
    code, answers, says = played(bad(way))

    assert (code, answers) == ("twice", 3)
    assert says.startswith("beyond its answer it wrote '{")


def test_a_second_answer_is_noticed_before_the_next_question():
    build = bad("twice")
    assert played(build, steps=4)[:2] == ("twice", 3)


def test_a_build_that_writes_for_ever_is_read_within_a_limit():
    # A line more may come just after the answer was taken: then it is the next answer.
    assert played(bad("floods-lines"), steps=4)[0] in ("flood", "twice", "echo")


def test_a_build_that_reads_no_more_cannot_hold_us_up():
    build = bad("deaf")
    for step in range(3):
        build.ask({"play": "P", "step": step}, 5)
    with pytest.raises(Trouble, match=r"no answer in 0\.5 s") as found:
        build.ask({"play": "x" * 3_000_000}, 0.5)  # more than a pipe holds
    assert found.value.code == "hang"
    build.restart()


def test_what_goes_to_standard_error_holds_nobody_up():
    assert played(bad("loud"))[:2] == ("well", 3)


def test_a_build_is_ended_with_all_that_it_started():
    build = bad("hangs")
    build.ask({"play": "P", "step": 0}, 5)
    group = build._process._popen.pid
    with pytest.raises(Trouble, match="no answer"):
        build.ask({"play": "P", "step": 2}, 0.6)
    build.restart()

    left = subprocess.run(["pgrep", "-g", str(group)], capture_output=True, text=True)
    alive = [
        pid
        for pid in left.stdout.split()
        if "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    ]
    assert alive == []


@pytest.mark.skipif(sys.platform != "linux", reason="others have no /proc to find them in")
def test_so_is_what_has_left_its_group():
    build = bad("leaves")
    build.ask({"play": "P", "step": 0}, 5)
    mark = build._process._mark
    with pytest.raises(Trouble, match="no answer"):
        build.ask({"play": "P", "step": 2}, 0.8)
    assert len(carrying(mark)) >= 2
    build.restart()

    until = time.monotonic() + 5
    while carrying(mark) and time.monotonic() < until:
        time.sleep(0.01)
    assert carrying(mark) == []


def carrying(mark):
    """Return the processes whose environment has this."""
    found = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            found += [environment] if mark in environment.read_bytes() else []
    return found


def test_after_a_restart_it_plays_again():
    build = bad("dies")
    assert played(build)[0] == "died"
    assert played(build, steps=2)[0] == "well"


def test_a_command_that_is_none_is_bad_input():
    with pytest.raises(BadInput, match="'no-such-build' cannot be started: No such file"):
        CommandBuild(["no-such-build"]).ask({}, 1)


# Over HTTP


@contextmanager
def serving(reply):
    """Serve what ``reply(handler, request)`` writes."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            length = int(self.headers["Content-Length"])
            reply(self, json.loads(self.rfile.read(length)))

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def send(handler, body, status=200):
    handler.send_response(status)
    handler.end_headers()
    handler.wfile.write(body)


def drip(handler, begin, byte):
    """Send a byte now and then, none too late for a timeout that begins anew with each."""
    with suppress(OSError):
        handler.wfile.write(begin)
        for _ in range(40):
            time.sleep(0.05)
            handler.wfile.write(byte)


def continues(handler):
    """Say that an answer is coming, and say so again."""
    drip(handler, b"", b"HTTP/1.1 100 Continue\r\n\r\n")


@pytest.mark.parametrize(
    ("reply", "code", "says"),
    [
        (lambda h, r: send(h, b"<html>"), "rubbish", "not JSON"),
        (lambda h, r: send(h, b"{}\n{}"), "twice", "once more: '{}'"),
        (lambda h, r: send(h, b"oh no", 500), "rubbish", "HTTP status 500: 'oh no'"),
        (lambda h, r: send(h, b"x" * 3_000_000), "flood", "more than 1048576 bytes"),
        (lambda h, r: None, "died", "broke off"),
        (lambda h, r: drip(h, b"HTTP/1.1 200 OK\r\n\r\n", b" "), "hang", "no answer in 0.4 s"),
        (lambda h, r: drip(h, b"HTTP/1.1 200 OK\r\nX: ", b"x"), "hang", "no answer in 0.4 s"),
        (lambda h, r: drip(h, b"H", b"T"), "hang", "no answer in 0.4 s"),
        (lambda h, r: continues(h), "hang", "no answer in 0.4 s"),
        (lambda h, r: time.sleep(0.7), "hang", "no answer in 0.4 s"),
    ],
    ids=[
        "html", "twice", "status", "flood", "nothing",
        "drip", "drip-headers", "drip-status", "continue", "hang",
    ],
)  # fmt: skip
def test_what_goes_wrong_over_http_has_a_name(reply, code, says):
    with serving(reply) as url:
        began = time.monotonic()
        with pytest.raises(Trouble) as found:
            HttpBuild(url).ask({"do": "start"}, 0.4)
        took = time.monotonic() - began

    assert found.value.code == code
    assert took < 1.5
    assert says in str(found.value)


def test_a_build_may_refuse_with_a_status_of_its_own():
    with serving(lambda h, r: send(h, b'{"error": "no"}', 409)) as url:
        assert HttpBuild(url).ask({"do": "step"}, 5) == {"error": "no"}


def test_nobody_at_an_address_is_bad_input_unless_somebody_was_there():
    with serving(lambda h, r: send(h, b"{}")) as url:
        build = HttpBuild(url)
        build.ask({}, 5)
    with pytest.raises(Trouble, match="any more"):
        build.ask({}, 5)
    with pytest.raises(BadInput, match="nothing answers there"):
        HttpBuild(url).ask({}, 5)


# In our own process


def ask(function, timeout=5.0):
    return CallableBuild("f", function).ask({"do": "start"}, timeout)


def test_a_callable_answers():
    assert ask(lambda request: {"seen": request["do"]}) == {"seen": "start"}


def runs_for_ever(_):
    while True:
        with suppress(Exception):
            time.sleep(1)


def leaves(_):
    sys.exit(0)


@pytest.mark.parametrize(
    ("function", "code", "says"),
    [
        (runs_for_ever, "hang", "no answer in 0.3 s"),
        (lambda request: 1 / 0, "died", "it raised ZeroDivisionError: division by zero ("),
        (leaves, "died", "it raised SystemExit"),
        (lambda request: None, "rubbish", "no JSON object: 'null'"),
        (lambda request: {"a": object()}, "rubbish", "cannot be written as JSON"),
        (lambda request: {"a": "x" * 2_000_000}, "flood", "more than 1048576 bytes"),
    ],
    ids=["hangs", "raises", "leaves", "nothing", "no-json", "flood"],
)
def test_what_a_callable_does_wrong_has_a_name(function, code, says):
    with pytest.raises(Trouble) as found:
        ask(function, 0.3)

    assert found.value.code == code
    assert says in str(found.value)


def test_what_a_callable_prints_is_no_output_of_ours(capsys):
    ask(lambda request: sys.stdout.write("debug\n") and {})

    assert capsys.readouterr() == ("", "debug\n")


def test_a_class_makes_a_new_build_after_a_restart():
    class Counts:
        def __init__(self):
            self.asked = 0

        def __call__(self, request):
            self.asked += 1
            return {"asked": self.asked}

    build = CallableBuild("Counts", Counts)
    assert [build.ask({}, 5), build.ask({}, 5)] == [{"asked": 1}, {"asked": 2}]
    build.restart()
    assert build.ask({}, 5) == {"asked": 1}


def test_a_request_cannot_be_changed_by_the_build():
    request = {"reveal": {"rows": {"1": 0}}}
    CallableBuild("f", lambda given: given["reveal"]["rows"].clear() or {}).ask(request, 5)

    assert request == {"reveal": {"rows": {"1": 0}}}


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({}, "no build is named"),
        ({"command": ["true"], "url": "http://localhost"}, "more than one build"),
        ({"url": "localhost:80"}, "http://HOST:PORT/PATH was expected"),
        ({"url": "http://localhost:port"}, "is no address"),
        ({"callable_": "json"}, "write it as module:function"),
        ({"callable_": "no_such_module:f"}, "no module 'no_such_module'"),
        ({"callable_": "json:no_such"}, "module 'json' has no 'no_such'"),
        ({"callable_": "json:__name__"}, "a callable was expected, not str"),
        ({"callable_": "tests.builds.broken_on_purpose:f"}, "no module"),
    ],
)
def test_a_build_that_is_named_wrongly_is_bad_input(given, says):
    with pytest.raises(BadInput, match=says):
        connect(**given)
