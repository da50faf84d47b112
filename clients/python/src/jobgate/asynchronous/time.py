"""Waiting, in coroutines."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from typing import Any

AsyncLock = asyncio.Lock

#: Seconds in which tasks that are ready have begun.
_TURN = 0.001


async def sleep(seconds: float) -> None:
    """Waits."""
    await asyncio.sleep(seconds)


async def result_of(work: Callable[[], object]) -> Any:
    """What a function or coroutine function returns."""
    result = work()
    return await result if inspect.isawaitable(result) else result


class AsyncWork:
    """Counts the work that runs."""

    def __init__(self) -> None:
        self._count = 0
        self._changed = asyncio.Event()

    def begin(self) -> None:
        """Counts one more."""
        self._count += 1

    def end(self) -> None:
        """Counts one less."""
        self._count -= 1
        self._changed.set()

    async def ended(self) -> None:
        """Returns when none runs, and other tasks had the time to begin some."""
        await asyncio.sleep(_TURN)
        while self._count > 0:
            self._changed.clear()
            await self._changed.wait()
            await asyncio.sleep(_TURN)


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
