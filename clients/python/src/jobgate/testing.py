"""Helpers for testing workers: calls that they accept, and a service that records their reports."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import quote, unquote

import httpx

from .signature import sign


def signed_request(
    job: Mapping[str, Any],
    secret: str,
    *,
    body: bytes | str | None = None,
    headers: Mapping[str, str] | None = None,
    steps: Mapping[str, Any] | None = None,
    now: float | Callable[[], float] | None = None,
) -> httpx.Request:
    """
    A request that a worker with this secret accepts; `now` is in epoch ms, `body` replaces the usual body, and `steps`
    are the values of saved steps by their names.
    """
    whole: dict[str, Any] = {"id": "1", "name": "test", "data": None, "opts": {}, "attemptsMade": 0}
    whole.update(job)
    usual = {"job": whole, "token": "test-token", **({} if steps is None else {"steps": steps})}
    content = json.dumps(usual) if body is None else body
    raw = content.encode() if isinstance(content, str) else content
    ms = time.time() * 1000 if now is None else now() if callable(now) else now
    id, timestamp = f"msg_{quote(str(whole['id']), safe='')}", str(int(ms // 1000))
    return httpx.Request(
        "POST",
        "http://worker.test/",
        content=raw,
        headers={
            "content-type": "application/json",
            "webhook-id": id,
            "webhook-timestamp": timestamp,
            "webhook-signature": sign(secret, id, timestamp, raw),
            "jobgate-queue": "test",
            "jobgate-job-id": quote(str(whole["id"])),
            "jobgate-job-name": quote(str(whole["name"])),
            "jobgate-attempt": "1",
            "jobgate-max-attempts": "1",
            "jobgate-deadline": "30000",
            **(headers or {}),
        },
    )


# How often (s) the server looks whether it is to end: its default, half a second, is what each test would wait.
_PACE = 0.01


@dataclass(frozen=True)
class Report:
    """The reports of a worker on a job."""

    queue: str
    id: str
    token: str
    verb: str
    body: Any


@dataclass
class _State:
    reports: list[Report] = field(default_factory=list)
    waiting: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    changed: threading.Condition = field(default_factory=threading.Condition)
    status: int = 200
    count: int = 0


class FakeService:
    """An in-process server with the worker routes of jobgate."""

    def __init__(self) -> None:
        self._state = state = _State()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                _answer(state, self)

            def do_POST(self) -> None:
                _answer(state, self)

            def do_PUT(self) -> None:
                _answer(state, self)

            def log_message(self, format: str, *args: object) -> None:
                """Logs nothing, so that tests print only failures."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url: str = f"http://127.0.0.1:{self._server.server_port}"
        serve = self._server.serve_forever
        threading.Thread(target=serve, args=(_PACE,), daemon=True).start()

    def __enter__(self) -> FakeService:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def reports(self) -> list[Report]:
        """The reports, in order."""
        return list(self._state.reports)

    def add(
        self,
        queue: str,
        job: Mapping[str, Any],
        children: Sequence[Mapping[str, Any]] = (),
        steps: Mapping[str, Any] | None = None,
    ) -> None:
        """Adds a job to a queue, with the values of its saved steps by their names, for the next claim."""
        with self._state.changed:
            self._state.count += 1
            id = str(self._state.count)
            whole: dict[str, Any] = {"id": id, "name": "test", "data": None, "opts": {}}
            whole.update({"attemptsMade": 0, **job})
            claimed = {"job": whole, "token": f"token-{whole['id']}", "children": list(children)}
            if steps is not None:
                claimed["steps"] = dict(steps)
            self._state.waiting.append((queue, claimed))
            self._state.changed.notify_all()

    def answer_reports(self, status: int) -> None:
        """Answers all further reports with a status, such as 401 for a lost lock."""
        self._state.status = status

    def close(self) -> None:
        """Stops serving."""
        self._server.shutdown()
        self._server.server_close()


def _answer(state: _State, request: BaseHTTPRequestHandler) -> None:
    text = request.rfile.read(int(request.headers.get("content-length") or 0))
    body = json.loads(text) if text else None
    parts = [unquote(part) for part in request.path.split("?")[0].split("/")]
    _, _, queue, _, id, *rest = [*parts, "", "", "", ""]
    verb = "/".join(rest).rstrip("/")
    if id == "claim":
        _send(request, 200, _claim(state, queue, body or {}))
        return
    token = (request.headers.get("authorization") or "").removeprefix("Bearer ")
    if verb == "children":
        _send(request, 200, [])
        return
    state.reports.append(Report(queue, id, token, verb, body))
    if state.status != 200:
        _send(request, state.status, {"status": state.status, "detail": "Unauthorized"})
    elif verb == "extend":
        _send(request, 200, {"until": int(time.time() * 1000) + (body or {}).get("lock", 0)})
    else:
        _send(request, 201 if request.command == "PUT" else 200, "OK")


def _claim(state: _State, queue: str, body: Mapping[str, Any]) -> list[dict[str, Any]]:
    end = time.monotonic() + body.get("wait", 0) / 1000
    with state.changed:
        while True:
            found = [one for one in state.waiting if one[0] == queue][: body.get("count", 1)]
            left = end - time.monotonic()
            if found or left <= 0:
                state.waiting = [one for one in state.waiting if one not in found]
                return [claimed for _, claimed in found]
            state.changed.wait(left)


def _send(request: BaseHTTPRequestHandler, status: int, value: object) -> None:
    content = json.dumps(value).encode()
    try:
        request.send_response(status)
        request.send_header("content-type", "application/json")
        request.send_header("content-length", str(len(content)))
        request.end_headers()
        request.wfile.write(content)
    except ConnectionError:
        # The worker has abandoned the request.
        pass
