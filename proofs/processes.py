"""How processes are started that ask solvers, and how Ctrl-C is kept from them."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import Any

__all__ = ["deaf", "starting_with"]


def starting_with(*modules: str) -> Any:
    """Return how processes are started: forked from a server that has these modules loaded."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(modules))
    return context


@contextmanager
def deaf() -> Iterator[None]:
    """Hold Ctrl-C back while processes start; they stay deaf to it, as we are to stop them."""
    resource_tracker.ensure_running()  # it would let Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
