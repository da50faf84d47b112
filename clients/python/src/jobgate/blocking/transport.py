# Written by write_blocking.py from the file of this name in `asynchronous`.
"""Requests to a service."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

import httpx

from ..answers import PASSING, error_of, jitter, no_answer, parsed, pause_of, query_of
from .time import sleep

#: Requests with these methods can safely be repeated.
_REPEATABLE = ("GET", "PUT", "DELETE")

UNSET: Any = object()


class Transport:
    """Sends requests, and repeats them if that is allowed."""

    def __init__(self, url: str | None, token: str | None, timeout: float, tries: int) -> None:
        self.url: str = (url or _required("JOBGATE_URL", "url")).rstrip("/")
        self.token: str = token or _required("JOBGATE_TOKEN", "token")
        #: Timeout (ms) of a try in addition to the time that the service is asked to wait.
        self.timeout = timeout
        self.tries = tries
        self.client: httpx.Client = httpx.Client()

    def call(
        self,
        method: str,
        path: str,
        *,
        body: object = UNSET,
        query: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
        is_repeatable: bool = False,
    ) -> tuple[int, Any]:
        """The status and the value of an answer. Raises JobgateError for an answer that is not 2xx, or no answer."""
        tries = self.tries if is_repeatable or method in _REPEATABLE else 1
        seconds = (self.timeout if timeout is None else timeout) / 1000
        count = 0
        while True:
            count += 1
            pause = jitter(count)
            try:
                response = self.client.request(
                    method,
                    self.url + path + query_of(query or {}),
                    headers=self._headers(body, headers),
                    content=None if body is UNSET else _json(body),
                    timeout=seconds,
                )
                if response.is_success:
                    return response.status_code, parsed(response.text)
                error = error_of(response.status_code, response.text)
                asked = pause_of(response.headers.get("retry-after"))
                pause = pause if asked is None else asked
            except httpx.RequestError as cause:
                error = no_answer(method, self.url + path, cause)
            if count >= tries or error.status not in PASSING:
                raise error
            sleep(pause)

    def stream(
        self,
        path: str,
        query: Mapping[str, object],
        headers: Mapping[str, str],
        silence: float,
        timeout: float | None,
    ) -> AbstractContextManager[httpx.Response]:
        """
        An endless answer. It counts as dead after `silence` seconds without data; `timeout` limits connecting.
        """
        seconds = (self.timeout if timeout is None else timeout) / 1000
        return self.client.stream(
            "GET",
            self.url + path + query_of(query),
            headers=self._headers(UNSET, headers),
            timeout=httpx.Timeout(seconds, read=silence),
        )

    def send_claim(self, path: str, body: object, wait: float) -> httpx.Response:
        """The answer to a claim of `wait` ms, once it begins. Raises httpx.RequestError without an answer."""
        request = self.client.build_request(
            "POST",
            self.url + path,
            headers=self._headers(body, None),
            content=_json(body),
            timeout=(wait + self.timeout) / 1000,
        )
        return self.client.send(request, stream=True)

    def close(self) -> None:
        """Closes the connections."""
        self.client.close()

    def _headers(self, body: object, headers: Mapping[str, str] | None) -> dict[str, str]:
        return {
            "authorization": f"Bearer {self.token}",
            "accept": "application/problem+json, application/json",
            **({} if body is UNSET else {"content-type": "application/json"}),
            **(headers or {}),
        }


class Routes:
    """Requests below a path."""

    def __init__(self, transport: Transport, path: str) -> None:
        self._transport = transport
        self._path = path

    def _ask(self, method: str, path: str, **call: Any) -> Any:
        _, value = self._transport.call(method, self._path + path, **call)
        return value


def _json(body: object) -> bytes:
    return json.dumps(body, allow_nan=False).encode()


def _required(variable: str, parameter: str) -> str:
    value = os.environ.get(variable)
    if not value:
        raise ValueError(f"{variable} is not set: set it, or give {parameter}")
    return value


