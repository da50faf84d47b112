"""Waiting, in functions."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

Lock = threading.Lock


def sleep(seconds: float) -> None:
    """Waits."""
    time.sleep(seconds)


class Later:
    """Runs work after a delay (seconds), unless it is cancelled before."""

    def __init__(self, seconds: float, work: Callable[[], None]) -> None:
        self._timer = threading.Timer(seconds, work)
        self._timer.daemon = True
        self._timer.start()

    def cancel(self) -> None:
        """Cancels the work, unless it has begun."""
        self._timer.cancel()
