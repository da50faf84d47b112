"""How answers of the service are interpreted."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import quote

from .errors import JobgateError

#: Temporary errors, which may be gone at the next try; 0 stands for no answer.
PASSING = (0, 429, 503)


def parsed(text: str) -> Any:
    """The value of a JSON text, or else the text itself."""
    if text == "":
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def error_of(status: int, text: str) -> JobgateError:
    """The error for an answer."""
    body = parsed(text)
    problem = body if isinstance(body, dict) else None
    detail = body if problem is None else problem.get("detail", problem.get("error"))
    message = detail if isinstance(detail, str) and detail else f"HTTP {status}"
    return JobgateError(message, status, problem)


def no_answer(method: str, url: str, cause: Exception) -> JobgateError:
    """The error for a request without an answer."""
    error = JobgateError(f"No answer to {method} {url}: {_reason_of(cause)}", 0)
    error.__cause__ = cause
    return error


def pause_of(value: str | None) -> float | None:
    """The seconds of a `Retry-After`, which contains seconds or a date."""
    if not value:
        return None
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def jitter(count: int) -> float:
    """Seconds before the next try, after this many tries: full jitter, up to ten seconds."""
    return random.random() * min(10.0, 0.25 * 2.0 ** min(count, 16))


def query_of(fields: Mapping[str, object]) -> str:
    """The query of a URL; `from_` stands for `from`, which is a keyword in Python."""
    pairs = [
        f"{quote(name.rstrip('_'), safe='')}={quote(_text(value), safe='')}"
        for name, value in fields.items()
        if value is not None
    ]
    return f"?{'&'.join(pairs)}" if pairs else ""


def without_nothing(fields: Mapping[str, object]) -> dict[str, object]:
    """The fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


def segment(name: str) -> str:
    """A name as a path segment. Raises ValueError for a name that would select another path."""
    if name in ("", ".", ".."):
        raise ValueError(f"{name!r} is not a name")
    return quote(name, safe="")


def _reason_of(error: BaseException) -> str:
    """What a failed request met: libraries wrap the error of the connection, which may be one error per address."""
    inner = error.__cause__ or error.__context__
    if isinstance(inner, Exception):
        return _reason_of(inner)
    several = getattr(error, "exceptions", None)
    if several:
        return ", ".join(_reason_of(one) for one in several)
    return str(error) or type(error).__name__


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(str(one) for one in value)
    return str(value)
