"""What is raised: by the client, by the verification of calls, and by handlers to say what becomes of a job."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

# The path at the start of a message, such as `[0].opts.priority must be …`.
_PATH = re.compile(
    r"(?:\[\d+\](?:\.\w+|\[\d+\])*|[A-Za-z_]\w*(?:\.\w+|\[\d+\])+)(?= )", re.ASCII
)
# A field of the body itself. Other answers begin with words, such as `Job is completed`.
_NAME = re.compile(r"[A-Za-z_]\w*(?= (?:must|is|may|cannot|has)\b)", re.ASCII)


class JobgateError(Exception):
    """An answer that is not 2xx, or none: then `status` is 0 and `__cause__` the network's error."""

    def __init__(
        self, message: str, status: int, problem: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        #: The RFC 9457 object of the answer.
        self.problem = problem
        path = _PATH.match(message) or (_NAME.match(message) if status == 400 else None)
        #: The path that the first mistake names.
        self.field: str | None = path[0] if path else None


class VerificationError(Exception):
    """A call that carries no valid signature."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Fail(Exception):
    """Raised by a handler: the job fails for good, whatever `attempts` says."""


class Retry(Exception):
    """Raised by a handler: the attempt fails, and the next one starts after `after` ms or later."""

    def __init__(self, reason: str = "", *, after: float | None = None) -> None:
        super().__init__(reason)
        self.after = after


class NotNow(Exception):
    """Raised by a handler: the job comes again after `after` ms, and no attempt is used."""

    def __init__(
        self, *, after: float, hold: Literal["queue", "job", "group"] | None = None
    ) -> None:
        super().__init__("Not now")
        self.after = after
        self.hold = hold


def reason_of(error: BaseException) -> str:
    """What becomes the `failedReason` of a job; never empty."""
    return shortened(str(error)) or type(error).__name__


def shortened(reason: str) -> str:
    """A reason of at most 1 kB in UTF-8, which ends with a whole character."""
    return reason.encode("utf-8", "replace")[:1024].decode("utf-8", "ignore")
