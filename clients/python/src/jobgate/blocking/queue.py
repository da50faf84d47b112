# Written by write_blocking.py from the file of this name in `asynchronous`.
"""One queue."""

from __future__ import annotations

import time
import uuid
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from ..answers import segment, without_nothing
from ..durations import Duration, ms_of
from ..errors import JobgateError
from ..shapes import Event, Job, JobOptions, JobPage, JobResult, NewJob, RepairAnswer, Signals
from .events import follow_events
from .groups import Groups
from .job_handle import JobHandle
from .policy import Policy
from .schedulers import Schedulers
from .transport import UNSET, Routes, Transport

#: How long (ms) one request waits for the end of a job at most.
_WAIT = 30000


class Queue(Routes):
    """One queue. Creating it sends no request."""

    def __init__(self, transport: Transport, name: str) -> None:
        super().__init__(transport, f"/queues/{segment(name)}")
        self.name = name
        self.schedulers: Schedulers = Schedulers(transport, f"{self._path}/schedulers")
        self.policy: Policy = Policy(transport, f"{self._path}/policy")
        self.groups: Groups = Groups(transport, f"{self._path}/groups")

    def add(
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
            added: list[Job] = self._once("/jobs", [job], idempotency_key, timeout)
        except JobgateError as error:
            raise error.of_one_job() from error.__cause__
        return added[0]

    def add_all(
        self,
        jobs: Sequence[NewJob | Mapping[str, Any]],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> list[Job]:
        """Adds all jobs with one request; repeating the request does not add them again."""
        added: list[Job] = self._once("/jobs", list(jobs), idempotency_key, timeout)
        return added

    def get(self, *, timeout: float | None = None) -> dict[str, Any]:
        """The current state of the queue."""
        return dict(self._ask("GET", "", timeout=timeout))

    def jobs(
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
        page: JobPage = self._ask("GET", "/jobs", query=query, timeout=timeout)
        return page

    def failures(
        self, *, window: int | None = None, timeout: float | None = None
    ) -> dict[str, Any]:
        """The causes of the latest `window` failed jobs."""
        query = {"window": window}
        return dict(self._ask("GET", "/failures", query=query, timeout=timeout))

    def figures(self, *, timeout: float | None = None, **query: object) -> dict[str, Any]:
        """Figures of the queue: `from_`, `to`, `step`."""
        return dict(self._ask("GET", "/figures", query=query, timeout=timeout))

    def result(self, id: str, *, timeout: float | None = None) -> JobResult:
        """Waits up to `timeout` ms for the end of a job, then raises a JobgateError with status 202."""
        end = float("inf") if timeout is None else time.monotonic() + timeout / 1000
        while True:
            wait = int(max(0.0, min(_WAIT, (end - time.monotonic()) * 1000)))
            status, answer = self._transport.call(
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

    def search(
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
    ) -> Generator[Job, None, None]:
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
            page = self._ask(
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
    ) -> Generator[Event, None, None]:
        """The events of the queue, reconnecting as needed."""
        query = {"events": events, "job": job, "digest": digest}
        return follow_events(self._transport, f"{self._path}/events", query, last_event_id, timeout)

    def pause(self, *, reason: str | None = None, timeout: float | None = None) -> str:
        """Pauses the queue: no further jobs start."""
        body = without_nothing({"reason": reason})
        return str(self._ask("POST", "/pause", body=body, timeout=timeout))

    def resume(self, *, timeout: float | None = None) -> str:
        """Resumes the queue."""
        return str(self._ask("POST", "/resume", timeout=timeout))

    def hold(
        self, ms: int, *, reason: str | None = None, timeout: float | None = None
    ) -> dict[str, int]:
        """Starts no job for this many milliseconds."""
        body = without_nothing({"for": ms, "reason": reason})
        return dict(self._ask("POST", "/hold", body=body, timeout=timeout))

    def end_hold(self, *, timeout: float | None = None) -> str:
        """Ends a hold."""
        return str(self._ask("DELETE", "/hold", timeout=timeout))

    def drain(
        self, *, delayed: bool | None = None, timeout: float | None = None
    ) -> dict[str, int]:
        """Removes the waiting jobs, and delayed ones on request."""
        body = without_nothing({"delayed": delayed})
        return dict(self._ask("POST", "/drain", body=body, timeout=timeout))

    def remove(
        self, *, force: bool | None = None, timeout: float | None = None
    ) -> dict[str, Any]:
        """Removes the queue and everything that belongs to it."""
        query = {"confirm": self.name, "force": force}
        return dict(self._ask("DELETE", "", query=query, timeout=timeout))

    def retry(
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
        return self._repair("/retry", filter, all, older_than, limit, dry_run, timeout)

    def promote(
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
        return self._repair("/promote", filter, all, older_than, limit, dry_run, timeout)

    def clean(
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
        return self._repair("/clean", filter, all, older_than, limit, dry_run, timeout)

    def cancel(
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
        return self._repair("/cancel", filter, all, older_than, limit, dry_run, timeout)

    def redrive(
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
        answer: RepairAnswer = self._ask("POST", "/redrive", body=body, timeout=timeout)
        return answer

    def signal(
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
        return dict(self._once(path, content, idempotency_key, timeout, query))

    def signals(
        self,
        *,
        start: int | None = None,
        length: int | None = None,
        timeout: float | None = None,
    ) -> Signals:
        """The signals that are kept, or that jobs wait for."""
        query = {"start": start, "length": length}
        signals: Signals = self._ask("GET", "/signals", query=query, timeout=timeout)
        return signals

    def forget_signal(self, key: str, *, timeout: float | None = None) -> str:
        """Forgets a kept signal."""
        return str(self._ask("DELETE", f"/signals/{segment(key)}", timeout=timeout))

    def job(self, id: str) -> JobHandle:
        """A handle of a job. Creating it sends no request."""
        return JobHandle(self._transport, f"{self._path}/jobs/{segment(id)}", id, self.result)

    def _once(
        self,
        path: str,
        body: object,
        idempotency_key: str | None,
        timeout: float | None,
        query: Mapping[str, object] | None = None,
    ) -> Any:
        """Sends a request that takes effect once, even when it is repeated."""
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        return self._ask(
            "POST",
            path,
            body=body,
            query=query,
            headers={"idempotency-key": key},
            timeout=timeout,
            is_repeatable=True,
        )

    def _repair(
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
        answer: RepairAnswer = self._ask("POST", path, body=body, timeout=timeout)
        return answer
