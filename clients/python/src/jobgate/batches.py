"""The outcomes of the jobs of a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .errors import shortened

#: The outcome of one job of a batch, created by `ok` and `fail`.
BatchOutcome = dict[str, Any]


def ok(value: Any = None) -> BatchOutcome:
    """The outcome of a job that is completed with a value."""
    return {"status": "completed", "value": value}


def fail(reason: str, *, retry: bool | None = None, delay: float | None = None) -> BatchOutcome:
    """The outcome of a failed attempt, for good with `retry=False`; a `delay` (ms) replaces its backoff."""
    outcome: BatchOutcome = {"status": "failed", "reason": shortened(reason)}
    if retry is not None:
        outcome["retry"] = retry
    if delay is not None:
        outcome["delay"] = delay
    return outcome


def results_of(
    ids: Sequence[str], costs: Sequence[int | None], outcomes: Sequence[BatchOutcome]
) -> list[dict[str, Any]]:
    """The results of a call, with the costs that are set. Raises ValueError unless there is one outcome per job."""
    if len(outcomes) != len(ids):
        raise ValueError(
            f"The batch handler returned {len(outcomes)} results for {len(ids)} jobs"
        )
    results: list[dict[str, Any]] = [{"id": id, **outcome} for id, outcome in zip(ids, outcomes)]
    for result, cost in zip(results, costs):
        if cost is not None:
            result["cost"] = cost
    return results
