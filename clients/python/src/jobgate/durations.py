"""Durations."""

from __future__ import annotations

import math
import re
from typing import Union

#: Milliseconds, or a text such as `30s`, `5m`, `1h30m` or `7d`.
Duration = Union[float, str]

_UNITS = {
    "ms": 1,
    "s": 1000,
    "m": 60_000,
    "min": 60_000,
    "h": 3_600_000,
    "d": 86_400_000,
    "w": 604_800_000,
}
_PART = r"([0-9]+(?:\.[0-9]+)?) ?(ms|s|min|m|h|d|w) ?"


def ms_of(duration: Duration) -> int:
    """A duration in ms. Raises ValueError for a text that is not a duration."""
    if not isinstance(duration, str):
        return math.ceil(duration)
    if not re.fullmatch(f"(?:{_PART})+", duration):
        raise ValueError(f"{duration} is not a duration such as 30s, 5m, 1h30m or 7d")
    parts = re.findall(_PART, duration)
    return math.ceil(sum(float(count) * _UNITS[unit] for count, unit in parts))
