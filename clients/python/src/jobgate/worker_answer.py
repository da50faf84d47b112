"""The answers of a worker to calls."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from .errors import Fail, NotNow, Retry, reason_of


@dataclass(frozen=True)
class WorkerAnswer:
    """The answer of a worker to a call."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


UNAUTHORIZED = WorkerAnswer(401, b"Unauthorized", {"content-type": "text/plain"})


def success(value: object) -> WorkerAnswer:
    """The answer after a handler returned. Raises TypeError or ValueError for a value that is not JSON."""
    return _json(200, value, {})


def suspension(answer: object) -> WorkerAnswer:
    """The answer when a handler waits for steps. Raises TypeError or ValueError for one that is not JSON."""
    return _json(206, answer, {})


def refusal(error: Exception) -> WorkerAnswer:
    """The answer after a handler raised."""
    if isinstance(error, NotNow):
        hold = {} if error.hold is None else {"jobgate-hold": error.hold}
        return _problem(429, "Not now", {"retry-after": _seconds(error.after), **hold})
    if isinstance(error, Fail):
        return _problem(422, reason_of(error), {"jobgate-no-retry": "true"})
    after = error.after if isinstance(error, Retry) else None
    pause = {} if after is None else {"retry-after": _seconds(after)}
    return _problem(500, reason_of(error), pause)


def with_cost(answer: WorkerAnswer, cost: int | None) -> WorkerAnswer:
    """The answer, with what the start of the attempt counts in limiters."""
    return replace(answer, headers={**answer.headers, **cost_header(cost)})


def cost_header(cost: int | None) -> dict[str, str]:
    """The header of a report or an answer with what the start of its attempt counts in limiters."""
    return {} if cost is None else {"jobgate-cost": str(cost)}


def deferral(deadline: float | None) -> WorkerAnswer:
    """The answer of a deferral: the job continues beyond the call, until `deadline` ms from now if given."""
    headers = {} if deadline is None else {"jobgate-deadline": str(int(deadline))}
    return WorkerAnswer(202, b"", headers)


def _seconds(ms: float) -> str:
    return str(math.ceil(ms / 1000))


def _problem(status: int, detail: str, headers: Mapping[str, str]) -> WorkerAnswer:
    body = {"type": "about:blank", "title": "The job failed", "status": status, "detail": detail}
    return _json(status, body, {"content-type": "application/problem+json", **headers})


def _json(status: int, value: object, headers: Mapping[str, str]) -> WorkerAnswer:
    body = json.dumps(value, allow_nan=False).encode()
    return WorkerAnswer(status, body, {"content-type": "application/json", **headers})
