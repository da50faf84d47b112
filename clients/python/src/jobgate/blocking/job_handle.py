# Written by write_blocking.py from the file of this name in `asynchronous`.
"""A handle of one job."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

from ..answers import segment, without_nothing
from ..shapes import Attempts, Blocked, Job, JobOptions, JobResult, JobSteps, Logs
from .transport import UNSET, Routes, Transport


class ResultReader(Protocol):
    """Waits for the end of a job."""

    def __call__(self, id: str, *, timeout: float | None = None) -> JobResult: ...


class JobHandle(Routes):
    """One job of a queue. Creating it sends no request."""

    def __init__(
        self, transport: Transport, path: str, id: str, result: ResultReader
    ) -> None:
        super().__init__(transport, path)
        self.id = id
        self._result = result

    def get(self, *, timeout: float | None = None, view: str | None = None) -> Job:
        """The current job."""
        job: Job = self._ask("GET", "", query={"view": view}, timeout=timeout)
        return job

    def result(self, *, timeout: float | None = None) -> JobResult:
        """Waits up to `timeout` ms for the end of the job."""
        return self._result(self.id, timeout=timeout)

    def retry(
        self,
        *,
        opts: JobOptions | Mapping[str, Any] | None = None,
        data: Any = UNSET,
        steps: Literal["keep", "forget"] | None = None,
        timeout: float | None = None,
    ) -> str:
        """Restarts the job, with other options or data, or without its saved steps, on request."""
        body = {**without_nothing({"opts": opts, "steps": steps}), **_given(data)}
        return str(self._ask("POST", "/retry", body=body, timeout=timeout))

    def promote(self, *, timeout: float | None = None) -> str:
        """Promotes the delayed job, ending its delay."""
        return str(self._ask("POST", "/promote", timeout=timeout))

    def change(
        self,
        *,
        data: Any = UNSET,
        priority: int | None = None,
        delay: int | None = None,
        timeout: float | None = None,
    ) -> Job:
        """Changes the unfinished job."""
        body = {**without_nothing({"priority": priority, "delay": delay}), **_given(data)}
        job: Job = self._ask("PATCH", "", body=body, timeout=timeout)
        return job

    def cancel(
        self,
        *,
        reason: str | None = None,
        children: bool | None = None,
        timeout: float | None = None,
    ) -> str:
        """Fails the job for good, and ends its attempt; with `children`, those that it waits for too."""
        body = without_nothing({"reason": reason, "children": children})
        return str(self._ask("POST", "/cancel", body=body, timeout=timeout))

    def remove(self, *, timeout: float | None = None) -> str:
        """Removes the job."""
        return str(self._ask("DELETE", "", timeout=timeout))

    def attempts(self, *, timeout: float | None = None) -> Attempts:
        """The latest attempts."""
        attempts: Attempts = self._ask("GET", "/attempts", timeout=timeout)
        return attempts

    def logs(
        self,
        *,
        start: int | None = None,
        length: int | None = None,
        timeout: float | None = None,
    ) -> Logs:
        """Lines of the log."""
        query = {"start": start, "length": length}
        logs: Logs = self._ask("GET", "/logs", query=query, timeout=timeout)
        return logs

    def steps(self, *, timeout: float | None = None) -> JobSteps:
        """The saved steps, by time."""
        steps: JobSteps = self._ask("GET", "/steps", timeout=timeout)
        return steps

    def remove_step(self, name: str, *, timeout: float | None = None) -> str:
        """Removes a saved step, which the next call of the job does anew."""
        return str(self._ask("DELETE", f"/steps/{segment(name)}", timeout=timeout))

    def remove_steps(self, *, timeout: float | None = None) -> str:
        """Removes all saved steps."""
        return str(self._ask("DELETE", "/steps", timeout=timeout))

    def blocked(self, *, timeout: float | None = None) -> Blocked | None:
        """Why the job does not start; None if it starts in its turn, runs or has ended."""
        answer = self._ask("GET", "/blocked", timeout=timeout)
        blocked: Blocked | None = answer["blocked"]
        return blocked

    def children(self, *, timeout: float | None = None) -> list[dict[str, Any]]:
        """The outcomes of the jobs that this one waited for."""
        return list(self._ask("GET", "/children", timeout=timeout))


def _given(data: Any) -> dict[str, Any]:
    return {} if data is UNSET else {"data": data}
