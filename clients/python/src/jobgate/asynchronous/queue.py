"""One queue."""

from __future__ import annotations

import time
import uuid
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any

from ..answers import segment, without_nothing
from ..durations import Duration, ms_of
from ..errors import JobgateError
from ..shapes import Event, Job, JobOptions, JobPage, JobResult, NewJob, RepairAnswer, Signals
from .events import follow_events
from .groups import AsyncGroups
from .job_handle import AsyncJobHandle
from .policy import AsyncPolicy
from .schedulers import AsyncSchedulers
from .transport import UNSET, AsyncRoutes, AsyncTransport

#: How long (ms) one request waits for the end of a job at most.
_WAIT = 30000


class AsyncQueue(AsyncRoutes):
    """One queue. Creating it sends no request."""

    def __init__(self, transport: AsyncTransport, name: str) -> None:
        super().__init__(transport, f"/queues/{segment(name)}")
        self.name = name
        self.schedulers: AsyncSchedulers = AsyncSchedulers(transport, f"{self._path}/schedulers")
        self.policy: AsyncPolicy = AsyncPolicy(transport, f"{self._path}/policy")
        self.groups: AsyncGroups = AsyncGroups(transport, f"{self._path}/groups")

    async def add(
        self,
        name: str,
        data: Any = None,
        opts: JobOptions | Mapping[str, Any] | None = None,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Job:
        """Adds a job; repeating the request does not add it again."""
        job = {"name": name, "data": data, **({} if opts is None else {"opts": opts})}
        try:
            added: list[Job] = await self._once("/jobs", [job], idempotency_key, timeout)
        except JobgateError as error:
            raise error.of_one_job() from error.__cause__
        return added[0]

    async def add_all(
        self,
        jobs: Sequence[NewJob | Mapping[str, Any]],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> list[Job]:
        """Adds all jobs with one request; repeating the request does not add them again."""
        added: list[Job] = await self._once("/jobs", list(jobs), idempotency_key, timeout)
        return added

    async def get(self, *, timeout: float | None = None) -> dict[str, Any]:
        """The current state of the queue."""
        return dict(await self._ask("GET", "", timeout=timeout))

    async def jobs(
        self,
        *,
        statuses: Sequence[str] | None = None,
        start: int | None = None,
        length: int | None = None,
        view: str | None = None,
        timeout: float | None = None,
        **query: object,
    ) -> JobPage:
        """A page of jobs."""
        query = {"statuses": statuses, "start": start, "length": length, "view": view, **query}
        page: JobPage = await self._ask("GET", "/jobs", query=query, timeout=timeout)
        return page

    async def failures(
        self, *, window: int | None = None, timeout: float | None = None
    ) -> dict[str, Any]:
        """The causes of the latest `window` failed jobs."""
        query = {"window": window}
        return dict(await self._ask("GET", "/failures", query=query, timeout=timeout))

    async def figures(self, *, timeout: float | None = None, **query: object) -> dict[str, Any]:
        """Figures of the queue: `from_`, `to`, `step`."""
        return dict(await self._ask("GET", "/figures", query=query, timeout=timeout))

    async def result(self, id: str, *, timeout: float | None = None) -> JobResult:
        """Waits up to `timeout` ms for the end of a job, then raises a JobgateError with status 202."""
        end = float("inf") if timeout is None else time.monotonic() + timeout / 1000
        while True:
            wait = int(max(0.0, min(_WAIT, (end - time.monotonic()) * 1000)))
            status, answer = await self._transport.call(
                "GET",
                f"{self._path}/jobs/{segment(id)}/result",
                query={"timeout": wait},
                timeout=wait + self._transport.timeout,
            )
            if status != 202:
                result: JobResult = answer
                return result
            if time.monotonic() >= end:
                raise JobgateError(f"Job {id} is {answer['state']} after {timeout} ms", 202)

    async def search(
        self,
        *,
        statuses: Sequence[str] | None = None,
        name: str | None = None,
        reason: str | None = None,
        status: int | None = None,
        from_: int | None = None,
        to: int | None = None,
        data: str | None = None,
        length: int | None = None,
        view: str | None = None,
        timeout: float | None = None,
        **query: object,
    ) -> AsyncGenerator[Job, None]:
        """The matching jobs of all pages."""
        query = {
            "statuses": statuses,
            "name": name,
            "reason": reason,
            "status": status,
            "from": from_,
            "to": to,
            "data": data,
            "length": length,
            "view": view,
            **query,
        }
        cursor = None
        while True:
            page = await self._ask(
                "GET", "/jobs/search", query={**query, "cursor": cursor}, timeout=timeout
            )
            for job in page["jobs"]:
                yield job
            cursor = page["cursor"]
            if cursor is None:
                return

    def events(
        self,
        *,
        events: Sequence[str] | None = None,
        job: str | None = None,
        digest: int | None = None,
        last_event_id: str | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[Event, None]:
        """The events of the queue, reconnecting as needed."""
        query = {"events": events, "job": job, "digest": digest}
        return follow_events(self._transport, f"{self._path}/events", query, last_event_id, timeout)

    async def pause(self, *, reason: str | None = None, timeout: float | None = None) -> str:
        """Pauses the queue: no further jobs start."""
        body = without_nothing({"reason": reason})
        return str(await self._ask("POST", "/pause", body=body, timeout=timeout))

    async def resume(self, *, timeout: float | None = None) -> str:
        """Resumes the queue."""
        return str(await self._ask("POST", "/resume", timeout=timeout))

    async def hold(
        self, ms: int, *, reason: str | None = None, timeout: float | None = None
    ) -> dict[str, int]:
        """Starts no job for this many milliseconds."""
        body = without_nothing({"for": ms, "reason": reason})
        return dict(await self._ask("POST", "/hold", body=body, timeout=timeout))

    async def end_hold(self, *, timeout: float | None = None) -> str:
        """Ends a hold."""
        return str(await self._ask("DELETE", "/hold", timeout=timeout))

    async def drain(
        self, *, delayed: bool | None = None, timeout: float | None = None
    ) -> dict[str, int]:
        """Removes the waiting jobs, and delayed ones on request."""
        body = without_nothing({"delayed": delayed})
        return dict(await self._ask("POST", "/drain", body=body, timeout=timeout))

    async def remove(
        self, *, force: bool | None = None, timeout: float | None = None
    ) -> dict[str, Any]:
        """Removes the queue and everything that belongs to it."""
        query = {"confirm": self.name, "force": force}
        return dict(await self._ask("DELETE", "", query=query, timeout=timeout))

    async def retry(
        self,
        *,
        filter: Mapping[str, Any] | None = None,
        all: bool | None = None,
        older_than: int | None = None,
        limit: int | None = None,
        dry_run: bool | None = None,
        timeout: float | None = None,
    ) -> RepairAnswer:
        """Restarts failed or completed jobs."""
        return await self._repair("/retry", filter, all, older_than, limit, dry_run, timeout)

    async def promote(
        self,
        *,
        filter: Mapping[str, Any] | None = None,
        all: bool | None = None,
        older_than: int | None = None,
        limit: int | None = None,
        dry_run: bool | None = None,
        timeout: float | None = None,
    ) -> RepairAnswer:
        """Promotes delayed jobs, ending their delay."""
        return await self._repair("/promote", filter, all, older_than, limit, dry_run, timeout)

    async def clean(
        self,
        *,
        filter: Mapping[str, Any] | None = None,
        all: bool | None = None,
        older_than: int | None = None,
        limit: int | None = None,
        dry_run: bool | None = None,
        timeout: float | None = None,
    ) -> RepairAnswer:
        """Removes jobs."""
        return await self._repair("/clean", filter, all, older_than, limit, dry_run, timeout)

    async def cancel(
        self,
        *,
        filter: Mapping[str, Any] | None = None,
        all: bool | None = None,
        older_than: int | None = None,
        limit: int | None = None,
        dry_run: bool | None = None,
        timeout: float | None = None,
    ) -> RepairAnswer:
        """Fails unfinished jobs for good."""
        return await self._repair("/cancel", filter, all, older_than, limit, dry_run, timeout)

    async def redrive(
        self,
        *,
        filter: Mapping[str, Any] | None = None,
        all: bool | None = None,
        to: str | None = None,
        rate: Mapping[str, int] | None = None,
        limit: int | None = None,
        dry_run: bool | None = None,
        timeout: float | None = None,
    ) -> RepairAnswer:
        """Brings letters of this dead letter queue back as the jobs that they were."""
        body = without_nothing(
            {
                "filter": filter,
                "all": all,
                "to": to,
                "rate": rate,
                "limit": limit,
                "dryRun": dry_run,
            }
        )
        answer: RepairAnswer = await self._ask("POST", "/redrive", body=body, timeout=timeout)
        return answer

    async def signal(
        self,
        key: str,
        body: Any = None,
        *,
        keep: Duration | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> dict[str, int]:
        """
        Wakes the jobs that wait for a signal; its body, by default True, becomes the value of their steps. Waits that
        begin within `keep` find it too.
        """
        query = {"keep": None if keep is None else ms_of(keep)}
        content = UNSET if body is None else body
        path = f"/signals/{segment(key)}"
        return dict(await self._once(path, content, idempotency_key, timeout, query))

    async def signals(
        self,
        *,
        start: int | None = None,
        length: int | None = None,
        timeout: float | None = None,
    ) -> Signals:
        """The signals that are kept, or that jobs wait for."""
        query = {"start": start, "length": length}
        signals: Signals = await self._ask("GET", "/signals", query=query, timeout=timeout)
        return signals

    async def forget_signal(self, key: str, *, timeout: float | None = None) -> str:
        """Forgets a kept signal."""
        return str(await self._ask("DELETE", f"/signals/{segment(key)}", timeout=timeout))

    def job(self, id: str) -> AsyncJobHandle:
        """A handle of a job. Creating it sends no request."""
        return AsyncJobHandle(self._transport, f"{self._path}/jobs/{segment(id)}", id, self.result)

    async def _once(
        self,
        path: str,
        body: object,
        idempotency_key: str | None,
        timeout: float | None,
        query: Mapping[str, object] | None = None,
    ) -> Any:
        """Sends a request that takes effect once, even when it is repeated."""
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        return await self._ask(
            "POST",
            path,
            body=body,
            query=query,
            headers={"idempotency-key": key},
            timeout=timeout,
            is_repeatable=True,
        )

    async def _repair(
        self,
        path: str,
        filter: Mapping[str, Any] | None,
        all: bool | None,
        older_than: int | None,
        limit: int | None,
        dry_run: bool | None,
        timeout: float | None,
    ) -> RepairAnswer:
        body = without_nothing(
            {
                "filter": filter,
                "all": all,
                "olderThan": older_than,
                "limit": limit,
                "dryRun": dry_run,
            }
        )
        answer: RepairAnswer = await self._ask("POST", path, body=body, timeout=timeout)
        return answer
