# Written by write_blocking.py from the file of this name in `asynchronous`.
"""The schedulers of a queue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..answers import segment, without_nothing
from ..shapes import Job
from .transport import Routes


class Schedulers(Routes):
    """The schedulers of a queue."""

    def list(
        self, *, timeout: float | None = None, **query: object
    ) -> list[dict[str, Any]]:
        """A page of schedulers: `start`, `length`."""
        answer: list[dict[str, Any]] = self._ask("GET", "", query=query, timeout=timeout)
        return answer

    def put(
        self, id: str, body: Mapping[str, Any], *, timeout: float | None = None
    ) -> dict[str, Any]:
        """Creates or replaces a scheduler."""
        return dict(self._ask("PUT", f"/{segment(id)}", body=body, timeout=timeout))

    def get(self, id: str, *, timeout: float | None = None) -> dict[str, Any]:
        """A scheduler, with its next slots."""
        return dict(self._ask("GET", f"/{segment(id)}", timeout=timeout))

    def remove(self, id: str, *, timeout: float | None = None) -> str:
        """Removes a scheduler."""
        return str(self._ask("DELETE", f"/{segment(id)}", timeout=timeout))

    def run(self, id: str, *, timeout: float | None = None) -> Job:
        """Adds its job now."""
        job: Job = self._ask("POST", f"/{segment(id)}/run", timeout=timeout)
        return job

    def pause(
        self, id: str, *, reason: str | None = None, timeout: float | None = None
    ) -> str:
        """Pauses a scheduler: it makes no jobs."""
        body = without_nothing({"reason": reason})
        return str(self._ask("POST", f"/{segment(id)}/pause", body=body, timeout=timeout))

    def resume(self, id: str, *, timeout: float | None = None) -> str:
        """Resumes a scheduler."""
        return str(self._ask("POST", f"/{segment(id)}/resume", timeout=timeout))
