"""The shapes of requests and answers of the API, with its own field names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict


class JobOptions(TypedDict, total=False):
    """Options of a job; the service checks them."""

    attempts: int
    delay: int
    priority: int
    lifo: bool
    jobId: str
    backoff: int | Mapping[str, Any]
    timeout: int
    ttl: int
    retryFor: int
    maxCalls: int
    cost: int
    removeOnComplete: bool | int | Mapping[str, Any]
    removeOnFail: bool | int | Mapping[str, Any]
    keepLogs: int
    deduplication: Mapping[str, Any]
    group: Mapping[str, Any]


class _NewJob(TypedDict):
    name: str
    data: Any


class NewJob(_NewJob, total=False):
    """A job that is added."""

    opts: JobOptions


class _Job(TypedDict):
    id: str
    name: str
    data: Any


class Job(_Job, total=False):
    """A job as the service returns and sends it."""

    opts: JobOptions
    state: str
    priority: int
    deduplicationId: str
    timestamp: int
    processedOn: int
    finishedOn: int
    attemptsMade: int
    progress: Any
    returnvalue: Any
    failedReason: str
    deduplicated: bool


class JobPage(TypedDict):
    """A page of jobs with the counts of their states."""

    jobs: list[Job]
    counts: dict[str, int]
    start: int
    length: int


class _JobResult(TypedDict):
    state: str


class JobResult(_JobResult, total=False):
    """How a job ended."""

    returnvalue: Any
    failedReason: str


class RepairFilter(TypedDict, total=False):
    """The jobs that a bulk repair selects."""

    ids: list[str]
    cause: str
    name: str
    reason: str
    status: int
    to: int
    statuses: list[str]
    group: str


class _RepairAnswer(TypedDict):
    matched: int
    done: int
    remaining: int


class RepairAnswer(_RepairAnswer, total=False):
    """The progress of a bulk repair; `samples` only for a dry run."""

    samples: list[Any]


class Event(TypedDict):
    """What happened in a queue."""

    id: str
    event: str
    data: dict[str, Any]


class Attempts(TypedDict):
    """The attempts of a job: how many there were, and the latest."""

    count: int
    attempts: list[dict[str, Any]]


class _Step(TypedDict):
    name: str
    kind: str
    at: int
    size: int


class Step(_Step, total=False):
    """A saved step; its value only for tokens that may read data."""

    value: Any


class JobSteps(TypedDict):
    """The saved steps of a job, by time."""

    steps: list[Step]


class Signals(TypedDict):
    """The signals that are kept, or that jobs wait for."""

    total: int
    signals: list[dict[str, Any]]


class Logs(TypedDict):
    """Lines of the log of a job, and how many it has."""

    count: int
    logs: list[str]


class Blocked(TypedDict, total=False):
    """Why a job does not start, and until when if that is known (ms); `queue` and `id` name a job in the way."""

    reason: str
    until: float
    detail: str
    queue: str
    id: str


class JobAddress(TypedDict):
    """The job to report on, and the address of its service."""

    url: str
    queue: str
    id: str
    token: str
