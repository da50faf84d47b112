# Written by write_blocking.py from the file of this name in `asynchronous`.
"""Reports on one job."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from ..answers import PASSING, error_of, jitter, no_answer, parsed, pause_of, segment
from ..errors import JobgateError
from ..shapes import JobAddress
from ..webhook_call import WITHOUT_ADDRESS
from ..worker_answer import cost_header
from .network import Network
from .time import Later, Lock, sleep
from .transport import UNSET

#: Seconds between two values: with the last one before the outcome, there are never more than four values a second.
_PROGRESS_INTERVAL = 0.334

#: How long (seconds) the service recognizes a repeated outcome.
_REPEATED_FOR = 60.0


class Reporter:
    """Reports on one job with its token, in order."""

    def __init__(
        self,
        address: JobAddress | None,
        network: Network,
        lost: Callable[[JobgateError], None],
    ) -> None:
        """`lost` is called when a report is answered with 401: the job is no longer held."""
        self._address = address
        self._network = network
        self._lost = lost
        self._order = Lock()
        self._latest: list[bytes] = []
        self._due: Later | None = None
        self._sent_at = float("-inf")
        #: What the start of the attempt counts in limiters, for its outcome; what its job says unless set.
        self.cost: int | None = None

    @property
    def address(self) -> JobAddress:
        """Raises ValueError when the address of the service is unknown."""
        if self._address is None:
            raise ValueError(WITHOUT_ADDRESS)
        return self._address

    @property
    def has_address(self) -> bool:
        """Whether the address of the service is known."""
        return self._address is not None

    def progress(self, value: Any) -> None:
        """Sends at most four values a second; a new value replaces a pending one."""
        address = self.address
        self._latest = [_json(value)]
        wait = self._sent_at + _PROGRESS_INTERVAL - time.monotonic()
        if wait <= 0:
            self._send_latest(address)
        elif self._due is None:
            self._due = Later(wait, self._send_quietly)

    def progress_now(self, value: Any) -> None:
        """Sends a value, after all previous reports."""
        address = self.address
        self._latest = [_json(value)]
        if self._due is not None:
            self._due.cancel()
        self._send_latest(address)

    def log(self, text: str) -> None:
        """Sends a log line, after the previous ones."""
        content = _json(text)
        _ = self.address
        with self._order:
            self._send("logs", content)

    def flush(self) -> None:
        """Returns when all previous reports have been sent."""
        if self._due is not None:
            self._due.cancel()
        self._send_quietly()

    def outcome(self, verb: str, body: object) -> None:
        """Reports an outcome, after all previous reports."""
        content = _json(body)
        self.flush()
        self._answer("POST", verb, content, cost_header(self.cost))

    def extend(self, ms: float) -> dict[str, int]:
        """Holds the job for this many milliseconds from now."""
        return dict(self._send("extend", _json({"lock": ms})))

    def _send_quietly(self) -> None:
        try:
            self._send_latest(self._address)
        except JobgateError:
            pass

    def _send_latest(self, address: JobAddress | None) -> None:
        if address is None:
            return
        with self._order:
            self._due = None
            # Another thread may replace the list in the meantime.
            pending = self._latest
            if not pending:
                return
            content = pending.pop()
            self._sent_at = time.monotonic()
            try:
                self._send("progress", content)
            finally:
                self._sent_at = time.monotonic()

    def request(self, method: str, path: str, body: object = UNSET) -> tuple[int, Any]:
        """The status and the value of the answer to a request with the job's token."""
        return self._answer(method, path, None if body is UNSET else _json(body))

    def _send(self, verb: str, content: bytes) -> Any:
        return (self._answer("POST", verb, content))[1]

    def _answer(
        self,
        method: str,
        verb: str,
        content: bytes | None,
        more: Mapping[str, str] | None = None,
    ) -> tuple[int, Any]:
        """Sends one request with the job's token, repeating it for up to a minute while there is no answer."""
        address = self.address
        job = f"{address['url']}/queues/{segment(address['queue'])}/jobs/{segment(address['id'])}"
        url = f"{job}/{verb}"
        headers = {
            "authorization": f"Bearer {address['token']}",
            "accept": "application/problem+json, application/json",
            "content-type": "application/json",
            **(more or {}),
        }
        end = time.monotonic() + _REPEATED_FOR
        count = 0
        while True:
            count += 1
            pause = jitter(count)
            try:
                response = self._network.send(method, url, headers, content)
                if response.is_success:
                    return response.status_code, parsed(response.text)
                error = error_of(response.status_code, response.text)
                asked = pause_of(response.headers.get("retry-after"))
                pause = pause if asked is None else asked
            except httpx.RequestError as cause:
                error = no_answer(method, url, cause)
            if error.status == 401:
                self._lost(error)
            if error.status not in PASSING or time.monotonic() + pause > end:
                raise error
            sleep(pause)


def _json(value: object) -> bytes:
    return json.dumps(value, allow_nan=False).encode()
