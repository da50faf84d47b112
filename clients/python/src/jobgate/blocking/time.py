"""Waiting, in functions."""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from collections.abc import Callable
from typing import Any

Lock = threading.Lock


def sleep(seconds: float) -> None:
    """Waits."""
    time.sleep(seconds)


def result_of(work: Callable[[], object]) -> Any:
    """What a function or coroutine function returns."""
    result = work()
    return asyncio.run(result) if inspect.iscoroutine(result) else result


class Work:
    """Counts the work that runs, in any thread."""

    def __init__(self) -> None:
        self._count = 0
        self._changed = threading.Condition()

    def begin(self) -> None:
        """Counts one more."""
        with self._changed:
            self._count += 1

    def end(self) -> None:
        """Counts one less."""
        with self._changed:
            self._count -= 1
            self._changed.notify_all()

    def ended(self) -> None:
        """Returns when none runs."""
        with self._changed:
            self._changed.wait_for(lambda: self._count == 0)


class Later:
    """Runs work after a delay (seconds), unless it is cancelled before."""

    def __init__(self, seconds: float, work: Callable[[], None]) -> None:
        self._timer = threading.Timer(seconds, work)
        self._timer.daemon = True
        self._timer.start()

    def cancel(self) -> None:
        """Cancels the work, unless it has begun."""
        self._timer.cancel()
