# Written by write_blocking.py from the file of this name in `asynchronous`.
"""The policy of a queue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .transport import Routes


class Policy(Routes):
    """The defaults of jobs that are added to a queue, and the limits for adding."""

    def get(self, *, timeout: float | None = None) -> dict[str, Any]:
        """The policy."""
        return dict(self._ask("GET", "", timeout=timeout))

    def put(self, body: Mapping[str, Any], *, timeout: float | None = None) -> dict[str, Any]:
        """Sets the policy."""
        return dict(self._ask("PUT", "", body=body, timeout=timeout))

    def remove(self, *, timeout: float | None = None) -> str:
        """Removes the policy."""
        return str(self._ask("DELETE", "", timeout=timeout))
