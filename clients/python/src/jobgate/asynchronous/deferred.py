"""Jobs that are completed later."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from ..answers import without_nothing
from ..errors import JobgateError, shortened
from ..shapes import JobAddress
from .network import AsyncNetwork
from .reporter import AsyncReporter

_Result = TypeVar("_Result")


class AsyncDeferred:
    """A job, or all jobs of a batch, to be completed later, here or in another process."""

    def __init__(self, reporters: Sequence[AsyncReporter]) -> None:
        """Raises ValueError when the address of the service is unknown."""
        self._reporters = reporters
        self._addresses = [reporter.address for reporter in reporters]

    @staticmethod
    def from_json(text: str) -> AsyncDeferred:
        """Restores a deferral from the result of `to_json`, in any language."""
        fields = json.loads(text)
        if not isinstance(fields, dict):
            raise ValueError("A deferred job must be an object")
        reporters = []
        for one in [fields, *fields.get("others", [])]:
            address = JobAddress(
                url=_text(fields, "url"),
                queue=_text(fields, "queue"),
                id=_text(one, "id"),
                token=_text(one, "token"),
            )
            reporters.append(AsyncReporter(address, AsyncNetwork(is_kept=False), _nothing))
        return AsyncDeferred(reporters)

    def to_json(self) -> str:
        """The text that transfers it to another process. It is a secret."""
        first, *others = self._addresses
        rest = [{"id": other["id"], "token": other["token"]} for other in others]
        fields: dict[str, object] = dict(first)
        if rest:
            fields["others"] = rest
        return json.dumps(fields)

    @property
    def jobs(self) -> list[AsyncDeferred]:
        """One deferral per job of a batch, in the order of the call."""
        return [AsyncDeferred([reporter]) for reporter in self._reporters]

    def cost(self, cost: int) -> None:
        """Sets what the start of the attempt counts in limiters, with the report that ends it: 0 to 1,000,000."""
        for one in self._reporters:
            one.cost = cost

    async def complete(self, value: Any = None) -> None:
        """Completes the job with a value."""
        await report_on_all(self._reporters, lambda one: one.outcome("complete", value))

    async def fail(
        self, reason: str, *, retry: bool | None = None, delay: float | None = None
    ) -> None:
        """Fails the attempt, for good with `retry=False`; a `delay` (ms) replaces its backoff."""
        body: dict[str, object] = {"reason": shortened(reason)}
        body.update(without_nothing({"retry": retry, "delay": delay}))
        await report_on_all(self._reporters, lambda one: one.outcome("fail", body))

    async def extend(self, ms: float) -> dict[str, int]:
        """Holds the job for this many milliseconds from now; returns `until`."""
        answers = await report_on_all(self._reporters, lambda one: one.extend(ms))
        return {"until": min(answer["until"] for answer in answers)}

    async def release(self, *, delay: float | None = None) -> None:
        """Puts the job back to wait, without using up an attempt."""
        body = without_nothing({"delay": delay})
        await report_on_all(self._reporters, lambda one: one.outcome("release", body))

    async def suspend(self, answer: Mapping[str, Any]) -> None:
        """Saves steps of the job, and lets it rest; `answer` is as that of an answer 206."""
        await report_on_all(self._reporters, lambda one: one.outcome("suspend", answer))

    async def progress(self, value: Any) -> None:
        """Sends the value at once, since no further one may follow."""
        await report_on_all(self._reporters, lambda one: one.progress_now(value))

    async def log(self, text: str) -> None:
        """Adds a line to the log of the job."""
        await report_on_all(self._reporters, lambda one: one.log(text))


async def report_on_all(
    reporters: Sequence[AsyncReporter],
    report: Callable[[AsyncReporter], Awaitable[_Result]],
) -> list[_Result]:
    """
    Reports on all jobs of a call. Jobs that are no longer held are ignored as long as others are held, since a
    cancellation ends only one job of a batch.
    """
    results = []
    errors = []
    for reporter in reporters:
        try:
            results.append(await report(reporter))
        except JobgateError as error:
            errors.append(error)
    for failure in errors:
        if not results or failure.status != 401:
            raise failure
    return results


def _text(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{name} of a deferred job must be a string")
    return value


def _nothing(_error: JobgateError) -> None:
    """A deferred job has no signal to end."""
