"""Functions that block, beside an event loop."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

_Result = TypeVar("_Result")


class Threads(ThreadPoolExecutor):
    """
    A thread for each function. They hold no process, since what still runs when a worker is closed has been given back,
    and unlike those of a pool they work on when the main thread has ended.
    """

    def submit(
        self, fn: Callable[..., _Result], /, *args: Any, **kwargs: Any
    ) -> Future[_Result]:
        """Begins at once."""
        future: Future[_Result] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as error:
                future.set_exception(error)

        threading.Thread(target=run, name="jobgate", daemon=True).start()
        return future


async def in_thread(work: Callable[[], _Result]) -> _Result:
    """Runs a function in a thread of its own, with the context variables of the caller."""
    context = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(Threads(), context.run, work)
