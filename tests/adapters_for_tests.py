"""Adapters as a studio would write them, right ones and wrong ones."""


def rounds(record):
    """One round with its steps becomes one Play."""
    play = f"R{record['round']}"
    yield {"play": play, "step": 0, "event": "start"}
    for step, shown in enumerate(record["steps"], start=1):
        yield {"play": play, "step": step, "event": "spin", "shows": {"n": shown, 1: "label"}}


class Lines:
    """Lines that only name a round as it begins: what comes before has to be remembered."""

    def __init__(self):
        self.play, self.step = "none", 0

    def __call__(self, record):
        if "round" in record:
            self.play, self.step = f"R{record['round']}", -1
        self.step += 1
        return [{"play": self.play, "step": self.step, "event": record["what"]}]

    def end(self):
        return [{"play": self.play, "step": self.step + 1, "event": "finish"}]


def deep(record):
    """Fail two calls down on a record that has no steps."""
    return _steps(record)


def _steps(record):
    return [{"play": "P", "step": step, "event": "spin"} for step in record["steps"]]


def nothing(record):
    """Return nothing at all."""


def one(record):
    """Return an event where a list of them is expected."""
    return {"play": "P", "step": 0, "event": "start"}


def no_json(record):
    """Return what JSON cannot hold."""
    return [{"play": "P", "step": 0, "event": object()}]


def ends(record):
    """Try to end the whole command."""
    raise SystemExit(0)


class Unmade:
    """Cannot even be made."""

    def __init__(self):
        raise OSError("no database")


SOMETHING = 7
