# Written by write_blocking.py from the file of this name in `asynchronous`.
"""The groups of a queue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..answers import segment, without_nothing
from .transport import Routes


class Groups(Routes):
    """The groups of a queue."""

    def list(self, *, timeout: float | None = None, **query: object) -> dict[str, Any]:
        """Those with jobs or settings: `start`, `length`, `sort`, `state`, `id`."""
        return dict(self._ask("GET", "", query=query, timeout=timeout))

    def put(
        self, id: str, settings: Mapping[str, Any], *, timeout: float | None = None
    ) -> dict[str, Any]:
        """Replaces the settings of a group."""
        return dict(self._ask("PUT", f"/{segment(id)}", body=settings, timeout=timeout))

    def get(self, id: str, *, timeout: float | None = None) -> dict[str, Any]:
        """A group."""
        return dict(self._ask("GET", f"/{segment(id)}", timeout=timeout))

    def remove(self, id: str, *, timeout: float | None = None) -> str:
        """Removes the settings of a group; its jobs stay."""
        return str(self._ask("DELETE", f"/{segment(id)}", timeout=timeout))

    def pause(
        self, id: str, *, reason: str | None = None, timeout: float | None = None
    ) -> str:
        """Starts no job of a group."""
        body = without_nothing({"reason": reason})
        return str(self._ask("POST", f"/{segment(id)}/pause", body=body, timeout=timeout))

    def resume(self, id: str, *, timeout: float | None = None) -> str:
        """Starts jobs of a group again."""
        return str(self._ask("POST", f"/{segment(id)}/resume", timeout=timeout))

    def hold(
        self, id: str, ms: int, *, reason: str | None = None, timeout: float | None = None
    ) -> dict[str, int]:
        """Starts no job of a group for this many milliseconds."""
        path = f"/{segment(id)}/hold"
        body = without_nothing({"for": ms, "reason": reason})
        return dict(self._ask("POST", path, body=body, timeout=timeout))

    def end_hold(self, id: str, *, timeout: float | None = None) -> str:
        """Ends a hold."""
        return str(self._ask("DELETE", f"/{segment(id)}/hold", timeout=timeout))
