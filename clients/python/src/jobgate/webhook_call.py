"""The content of a call to a worker."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import unquote

from .answers import parsed
from .shapes import Job, JobAddress

WITHOUT_ADDRESS = (
    "Nothing says where to report: give the worker a url, or set JOBGATE_URL,"
    " or PUBLIC_URL of the service"
)


@dataclass(frozen=True)
class CallItem:
    """One job of a call."""

    job: Job
    token: str
    #: None when the call carries none.
    children: list[dict[str, Any]] | None
    #: The values of saved steps by their names; None when the call carries none.
    steps: dict[str, Any] | None


@dataclass(frozen=True)
class WebhookCall:
    """The job, or the batch, of a call."""

    queue: str
    items: list[CallItem]
    is_batch: bool
    #: Whether the children come with their job.
    has_envelope: bool
    attempt: int
    max_attempts: int
    #: How many steps the job has saved; also where the body does not carry them.
    steps: int


def body_of(headers: Mapping[str, str], raw_body: bytes) -> Any:
    """The parsed body of a call: JSON, or text if its content type says so."""
    text = raw_body.decode("utf-8", "replace")
    is_text = headers.get("content-type", "").startswith("text/plain")
    return text if is_text and "jobgate-token" in headers else parsed(text)


def call_of(headers: Mapping[str, str], body: Any) -> WebhookCall:
    """Raises ValueError for a body without a job."""
    has_envelope = "jobgate-token" not in headers
    is_batch = has_envelope and isinstance(body, dict) and isinstance(body.get("jobs"), list)
    if has_envelope:
        items = [_enveloped(item) for item in (body["jobs"] if is_batch else [body])]
    else:
        items = [_bare(headers, body)]
    if not items:
        raise ValueError("The call has no job")
    first = items[0].job
    attempts = first.get("opts", {}).get("attempts") or 1
    return WebhookCall(
        queue=_text(headers, "jobgate-queue"),
        items=items,
        is_batch=is_batch,
        has_envelope=has_envelope,
        attempt=whole_number(headers, "jobgate-attempt") or first.get("attemptsMade", 0) + 1,
        max_attempts=whole_number(headers, "jobgate-max-attempts") or max(1, attempts),
        steps=whole_number(headers, "jobgate-steps") or 0,
    )


def address_of(
    headers: Mapping[str, str], url: str | None, queue: str, item: CallItem
) -> JobAddress | None:
    """The address for reports: below the given URL, or else at the origin that the call names."""
    base = url or _origin(headers.get("jobgate-callback", ""))
    if base is None:
        return None
    return {"url": base.rstrip("/"), "queue": queue, "id": item.job["id"], "token": item.token}


def whole_number(headers: Mapping[str, str], name: str) -> int | None:
    """The value of a header that consists of digits."""
    value = headers.get(name, "")
    return int(value) if re.fullmatch(r"[0-9]{1,15}", value) else None


def _enveloped(item: object) -> CallItem:
    job = item.get("job") if isinstance(item, dict) else None
    if (
        not isinstance(item, dict)
        or not isinstance(job, dict)
        or not isinstance(job.get("id"), str)
        or not isinstance(job.get("name"), str)
    ):
        raise ValueError("The call has no job")
    token = str(item.get("token", ""))
    return CallItem(cast(Job, job), token, item.get("children"), item.get("steps"))


def _bare(headers: Mapping[str, str], data: object) -> CallItem:
    id, name = _text(headers, "jobgate-job-id"), _text(headers, "jobgate-job-name")
    return CallItem({"id": id, "name": name, "data": data}, headers["jobgate-token"], None, None)


def _origin(callback: str) -> str | None:
    origin = re.match(r"https?://[^/?#]+", callback)
    return origin[0] if origin else None


def _text(headers: Mapping[str, str], name: str) -> str:
    """The value of a header in which `%` and non-ASCII characters are percent-encoded."""
    return unquote(headers.get(name, ""))
