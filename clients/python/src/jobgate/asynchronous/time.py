"""Waiting, in coroutines."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

AsyncLock = asyncio.Lock


async def sleep(seconds: float) -> None:
    """Waits."""
    await asyncio.sleep(seconds)


class AsyncLater:
    """Runs work after a delay (seconds), unless it is cancelled before."""

    def __init__(self, seconds: float, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._work = work
        self._task: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(seconds, self._begin)

    def cancel(self) -> None:
        """Cancels the work, unless it has begun."""
        self._timer.cancel()

    def _begin(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._work())
