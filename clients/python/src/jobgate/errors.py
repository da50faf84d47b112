"""Errors raised by the client, by the verification of calls, and by handlers to determine the outcome of a job."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

# The path at the start of a message, such as `[0].opts.priority must be …`.
_PATH = re.compile(
    r"(?:\[\d+\](?:\.\w+|\[\d+\])*|[A-Za-z_]\w*(?:\.\w+|\[\d+\])+)(?= )", re.ASCII
)
# A field of the body itself. Other messages begin with words, such as `Job is completed`.
_NAME = re.compile(r"[A-Za-z_]\w*(?= (?:must|is|may|cannot|has)\b)", re.ASCII)


class JobgateError(Exception):
    """An answer that is not 2xx, or no answer: then `status` is 0 and `__cause__` is the network's error."""

    def __init__(
        self, message: str, status: int, problem: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        #: The RFC 9457 object in the answer.
        self.problem = problem
        path = _PATH.match(message) or (_NAME.match(message) if status == 400 else None)
        #: The path of the first invalid field.
        self.field: str | None = path[0] if path else None

    def of_one_job(self) -> JobgateError:
        """The error of an add of one job: its message and its field name no place in an array."""
        message = re.sub(r"^\[0\]\.", "", str(self), flags=re.MULTILINE)
        return JobgateError(message, self.status, self.problem)


class VerificationError(Exception):
    """The error of a call without a valid signature."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Fail(Exception):
    """Raised by a handler: the job fails for good, regardless of `attempts`."""


class Retry(Exception):
    """Raised by a handler: the attempt fails, and the next one starts no earlier than after `after` ms."""

    def __init__(self, reason: str = "", *, after: float | None = None) -> None:
        super().__init__(reason)
        self.after = after


class NotNow(Exception):
    """Raised by a handler: the job is deferred for `after` ms, without using up an attempt."""

    def __init__(
        self, *, after: float, hold: Literal["queue", "job", "group"] | None = None
    ) -> None:
        super().__init__("Not now")
        self.after = after
        self.hold = hold


def reason_of(error: BaseException) -> str:
    """The text for the `failedReason` of a job; never empty."""
    return shortened(str(error)) or type(error).__name__


def shortened(reason: str) -> str:
    """Cuts a reason to 1 kB of UTF-8 at a character boundary."""
    return reason.encode("utf-8", "replace")[:1024].decode("utf-8", "ignore")
