"""Whether processes that were interrupted are gone."""

import os
import time


def all_gone(group, seconds=20):
    """Wait until no process of a group is alive; return whether that came about in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False
