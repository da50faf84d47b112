"""
The client of jobgate: add jobs, wait for results, repair queues, and work by webhook or by pulling. Times are epoch
ms, durations ms.
"""

from .asynchronous.client import AsyncJobgate
from .asynchronous.context import AsyncBatchJob, AsyncContext
from .asynchronous.deferred import AsyncDeferred
from .asynchronous.job_handle import AsyncJobHandle
from .asynchronous.pulling import AsyncPullWorker
from .asynchronous.queue import AsyncQueue
from .asynchronous.steps import AsyncSavedSteps, AsyncSteps
from .batches import BatchOutcome, fail, ok
from .blocking.client import Jobgate
from .blocking.context import BatchJob, Context
from .blocking.deferred import Deferred
from .blocking.job_handle import JobHandle
from .blocking.pulling import PullWorker
from .blocking.queue import Queue
from .blocking.steps import SavedSteps, Steps
from .errors import Fail, JobgateError, NotNow, Retry, VerificationError
from .shapes import Event, Job, JobOptions, JobResult, NewJob, RepairAnswer
from .signals import AsyncSignal, Signal
from .suspension import Suspended
from .webhook_worker import WebhookWorker, create_worker

__all__ = [
    "AsyncBatchJob",
    "AsyncContext",
    "AsyncDeferred",
    "AsyncJobHandle",
    "AsyncJobgate",
    "AsyncPullWorker",
    "AsyncQueue",
    "AsyncSavedSteps",
    "AsyncSignal",
    "AsyncSteps",
    "BatchJob",
    "BatchOutcome",
    "Context",
    "Deferred",
    "Event",
    "Fail",
    "Job",
    "JobHandle",
    "JobOptions",
    "JobResult",
    "Jobgate",
    "JobgateError",
    "NewJob",
    "NotNow",
    "PullWorker",
    "Queue",
    "RepairAnswer",
    "Retry",
    "SavedSteps",
    "Signal",
    "Steps",
    "Suspended",
    "VerificationError",
    "WebhookWorker",
    "create_worker",
    "fail",
    "ok",
]
