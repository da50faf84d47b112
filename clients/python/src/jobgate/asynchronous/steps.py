"""The steps of a job."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..answers import without_nothing
from ..durations import Duration, ms_of
from ..suspension import Suspended
from .reporter import AsyncReporter
from .time import AsyncLock, AsyncWork, result_of

#: Without those that would select another path.
_NAME = re.compile(r"(?!\.{1,2}$)[A-Za-z0-9._:-]{1,100}")

#: The values of steps by their names.
StepValues = Mapping[str, Any]


class AsyncSavedSteps:
    """The saved steps of a job: what was saved under a name is not done again by a later call of the job."""

    def __init__(
        self, reporter: AsyncReporter, carried: StepValues | None, *, is_whole: bool = True
    ) -> None:
        """`is_whole` is False when a call does not carry the steps of its job: they are read on the first use."""
        self._reporter = reporter
        self._values = dict(carried or {}) if is_whole or carried is not None else None
        self._order = AsyncLock()
        self._names: dict[str, AsyncLock] = {}
        self._work: AsyncWork = AsyncWork()

    async def run(self, name: str, work: Callable[[], object]) -> Any:
        """
        Calls a function or coroutine function and saves the value that it returns, as JSON and True for nothing, unless
        an earlier call did: then its value is returned. The work itself must not wait for steps.
        """
        values = await self._saved(name)
        async with self._names.setdefault(name, AsyncLock()):
            if name not in values:
                values[name] = await self._run(name, work)
        return values[name]

    def _begin(self) -> None:
        """Overridden by steps that may not begin any more."""

    async def _run(self, name: str, work: Callable[[], object]) -> Any:
        # A step that could not be saved is not begun.
        _ = self._reporter.address
        self._begin()
        self._work.begin()
        try:
            result = await result_of(work)
            value = json.loads(json.dumps(True if result is None else result, allow_nan=False))
            status, saved = await self._reporter.request("PUT", f"steps/{name}", value)
            # The first value of a name stays.
            return value if status == 201 else saved
        finally:
            self._work.end()

    async def _saved(self, name: str) -> dict[str, Any]:
        """Raises ValueError for a name that no step may have: its value could not be saved."""
        if not _NAME.fullmatch(name):
            raise ValueError(
                f"The name of a step must be 1 to 100 characters of A-Za-z0-9._:-: {name}"
            )
        async with self._order:
            if self._values is None:
                _, answer = await self._reporter.request("GET", "steps")
                self._values = {step["name"]: step["value"] for step in answer["steps"]}
            return self._values


class AsyncSteps(AsyncSavedSteps):
    """
    The steps of a job. A wait ends the call, and never returns in it, by a `Suspended`, which is no `Exception`: a later
    call finds what it waited for.
    """

    def __init__(
        self, reporter: AsyncReporter, carried: StepValues | None, *, is_whole: bool = True
    ) -> None:
        super().__init__(reporter, carried, is_whole=is_whole)
        self._awaited: dict[str, dict[str, object]] = {}
        self._is_over = False

    async def sleep(self, name: str, duration: Duration) -> int:
        """Lets the job rest. Returns the time (epoch ms) at which that was over."""
        ended: int = await self._wait("sleep", name, lambda: ms_of(duration))
        return ended

    async def wait_for(self, name: str, *, signal: str, timeout: Duration | None = None) -> Any:
        """Waits for a signal of the job's queue. Returns its body, or None after `timeout`."""
        bound = None if timeout is None else ms_of(timeout)
        wait = without_nothing({"signal": signal, "timeout": bound})
        return await self._wait("waitFor", name, lambda: wait)

    async def add(self, name: str, jobs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Adds jobs, and waits until all of them have ended for good. Returns their ends, in order."""
        ends: list[dict[str, Any]] = await self._wait("add", name, lambda: list(jobs))
        return ends

    def suspend(self) -> dict[str, object]:
        """Begins no further step, and returns the body of an answer 206."""
        self._is_over = True
        # One answer awaits steps of one kind; those of another follow in a later call.
        kind, awaited = next(iter(self._awaited.items()))
        return {kind: awaited}

    def _begin(self) -> None:
        if self._is_over:
            raise Suspended

    async def _wait(self, kind: str, name: str, what: Callable[[], object]) -> Any:
        values = await self._saved(name)
        if name in values:
            return values[name]
        self._awaited.setdefault(kind, {})[name] = what()
        # A step that runs is saved first, and waits that are started together go into one answer.
        await self._work.ended()
        raise Suspended
