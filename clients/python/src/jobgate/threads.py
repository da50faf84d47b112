"""Blocking functions beside an event loop."""

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
    Starts a thread for each function. The threads do not keep the process alive, since jobs that are still running when
    a worker is closed have been released. Unlike threads of a pool, they keep working after the main thread has ended.
    """

    def submit(
        self, fn: Callable[..., _Result], /, *args: Any, **kwargs: Any
    ) -> Future[_Result]:
        """Starts the function at once."""
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
    """Runs a function in its own thread, with the context variables of the caller."""
    context = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(Threads(), context.run, work)
