"""A handle of one job."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

from ..answers import segment, without_nothing
from ..shapes import Attempts, Blocked, Job, JobOptions, JobResult, JobSteps, Logs
from .transport import UNSET, AsyncRoutes, AsyncTransport


class AsyncResultReader(Protocol):
    """Waits for the end of a job."""

    async def __call__(self, id: str, *, timeout: float | None = None) -> JobResult: ...


class AsyncJobHandle(AsyncRoutes):
    """One job of a queue. Creating it sends no request."""

    def __init__(
        self, transport: AsyncTransport, path: str, id: str, result: AsyncResultReader
    ) -> None:
        super().__init__(transport, path)
        self.id = id
        self._result = result

    async def get(self, *, timeout: float | None = None, view: str | None = None) -> Job:
        """The current job."""
        job: Job = await self._ask("GET", "", query={"view": view}, timeout=timeout)
        return job

    async def result(self, *, timeout: float | None = None) -> JobResult:
        """Waits up to `timeout` ms for the end of the job."""
        return await self._result(self.id, timeout=timeout)

    async def retry(
        self,
        *,
        opts: JobOptions | Mapping[str, Any] | None = None,
        data: Any = UNSET,
        steps: Literal["keep", "forget"] | None = None,
        timeout: float | None = None,
    ) -> str:
        """Restarts the job, with other options or data, or without its saved steps, on request."""
        body = {**without_nothing({"opts": opts, "steps": steps}), **_given(data)}
        return str(await self._ask("POST", "/retry", body=body, timeout=timeout))

    async def promote(self, *, timeout: float | None = None) -> str:
        """Promotes the delayed job, ending its delay."""
        return str(await self._ask("POST", "/promote", timeout=timeout))

    async def change(
        self,
        *,
        data: Any = UNSET,
        priority: int | None = None,
        delay: int | None = None,
        timeout: float | None = None,
    ) -> Job:
        """Changes the unfinished job."""
        body = {**without_nothing({"priority": priority, "delay": delay}), **_given(data)}
        job: Job = await self._ask("PATCH", "", body=body, timeout=timeout)
        return job

    async def cancel(
        self,
        *,
        reason: str | None = None,
        children: bool | None = None,
        timeout: float | None = None,
    ) -> str:
        """Fails the job for good, and ends its attempt; with `children`, those that it waits for too."""
        body = without_nothing({"reason": reason, "children": children})
        return str(await self._ask("POST", "/cancel", body=body, timeout=timeout))

    async def remove(self, *, timeout: float | None = None) -> str:
        """Removes the job."""
        return str(await self._ask("DELETE", "", timeout=timeout))

    async def attempts(self, *, timeout: float | None = None) -> Attempts:
        """The latest attempts."""
        attempts: Attempts = await self._ask("GET", "/attempts", timeout=timeout)
        return attempts

    async def logs(
        self,
        *,
        start: int | None = None,
        length: int | None = None,
        timeout: float | None = None,
    ) -> Logs:
        """Lines of the log."""
        query = {"start": start, "length": length}
        logs: Logs = await self._ask("GET", "/logs", query=query, timeout=timeout)
        return logs

    async def steps(self, *, timeout: float | None = None) -> JobSteps:
        """The saved steps, by time."""
        steps: JobSteps = await self._ask("GET", "/steps", timeout=timeout)
        return steps

    async def remove_step(self, name: str, *, timeout: float | None = None) -> str:
        """Removes a saved step, which the next call of the job does anew."""
        return str(await self._ask("DELETE", f"/steps/{segment(name)}", timeout=timeout))

    async def remove_steps(self, *, timeout: float | None = None) -> str:
        """Removes all saved steps."""
        return str(await self._ask("DELETE", "/steps", timeout=timeout))

    async def blocked(self, *, timeout: float | None = None) -> Blocked | None:
        """Why the job does not start; None if it starts in its turn, runs or has ended."""
        answer = await self._ask("GET", "/blocked", timeout=timeout)
        blocked: Blocked | None = answer["blocked"]
        return blocked

    async def children(self, *, timeout: float | None = None) -> list[dict[str, Any]]:
        """The outcomes of the jobs that this one waited for."""
        return list(await self._ask("GET", "/children", timeout=timeout))


def _given(data: Any) -> dict[str, Any]:
    return {} if data is UNSET else {"data": data}
