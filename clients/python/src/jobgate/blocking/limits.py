# Written by write_blocking.py from the file of this name in `asynchronous`.
"""The limits that queues share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..answers import segment
from .transport import Routes


class Limits(Routes):
    """The limits of a service."""

    def list(self, *, timeout: float | None = None) -> dict[str, Any]:
        """All limits, with their `total`, and how much of each is in use."""
        return dict(self._ask("GET", "", timeout=timeout))

    def put(
        self, name: str, limit: Mapping[str, Any], *, timeout: float | None = None
    ) -> dict[str, Any]:
        """Replaces any other limit of the name."""
        return dict(self._ask("PUT", f"/{segment(name)}", body=limit, timeout=timeout))

    def get(self, name: str, *, timeout: float | None = None) -> dict[str, Any]:
        """The limit, and how much of it is in use."""
        return dict(self._ask("GET", f"/{segment(name)}", timeout=timeout))

    def queues(self, name: str, *, timeout: float | None = None) -> dict[str, Any]:
        """The queues that run calls under the limit, or wait for room."""
        return dict(self._ask("GET", f"/{segment(name)}/queues", timeout=timeout))

    def remove(self, name: str, *, timeout: float | None = None) -> str:
        """Removes the limit, which no policy may name."""
        return str(self._ask("DELETE", f"/{segment(name)}", timeout=timeout))
