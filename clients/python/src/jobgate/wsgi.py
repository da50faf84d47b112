"""A worker as a WSGI application."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from .asynchronous.network import AsyncNetwork
from .asynchronous.webhook_attempt import AsyncWebhookAttempt
from .blocking.webhook_attempt import WebhookAttempt
from .handling import is_coroutine
from .webhook_call import WebhookCall, whole_number
from .worker_answer import WorkerAnswer, deferral

if TYPE_CHECKING:
    from .webhook_worker import WebhookWorker

Environment = dict[str, Any]
StartResponse = Callable[..., object]


def serve_wsgi(
    worker: WebhookWorker, environ: Environment, start_response: StartResponse
) -> Iterable[bytes]:
    """Answers one call. WSGI does not reveal when its caller has closed it."""
    answer = _answer(worker, _headers(environ), _raw_body(environ))
    headers = [*answer.headers.items(), ("content-length", str(len(answer.body)))]
    start_response(f"{answer.status} {HTTPStatus(answer.status).phrase}", headers)
    return [answer.body]


def _answer(worker: WebhookWorker, headers: dict[str, str], raw_body: bytes) -> WorkerAnswer:
    begun = worker.begin(headers, raw_body)
    if isinstance(begun, WorkerAnswer):
        return begun
    call, handler = begun
    bound = whole_number(headers, "jobgate-deadline")
    seconds = None if bound is None else bound / 1000
    if is_coroutine(handler):
        return asyncio.run(_run_coroutine(worker, call, handler, headers, seconds))
    deferrals: list[WorkerAnswer] = []
    attempt: WebhookAttempt

    def deferred(deadline: float | None) -> None:
        attempt.signal.lift()
        deferrals.append(deferral(deadline))

    attempt = WebhookAttempt(
        call,
        headers,
        seconds=seconds,
        url=worker.url,
        network=worker.network,
        deferred=deferred,
    )
    answer = attempt.run(handler)
    return deferrals[0] if deferrals else answer


async def _run_coroutine(
    worker: WebhookWorker,
    call: WebhookCall,
    handler: Callable[..., Any],
    headers: dict[str, str],
    seconds: float | None,
) -> WorkerAnswer:
    deferrals: list[WorkerAnswer] = []
    attempt: AsyncWebhookAttempt

    async def deferred(deadline: float | None) -> None:
        attempt.signal.lift()
        deferrals.append(deferral(deadline))

    network = AsyncNetwork()
    attempt = AsyncWebhookAttempt(
        call, headers, seconds=seconds, url=worker.url, network=network, deferred=deferred
    )
    try:
        answer = await attempt.run(handler)
    finally:
        await network.aclose()
    return deferrals[0] if deferrals else answer


def _headers(environ: Environment) -> dict[str, str]:
    headers = {
        name[5:].replace("_", "-").lower(): value
        for name, value in environ.items()
        if name.startswith("HTTP_")
    }
    if environ.get("CONTENT_TYPE"):
        headers["content-type"] = environ["CONTENT_TYPE"]
    return headers


def _raw_body(environ: Environment) -> bytes:
    body = environ["wsgi.input"]
    length = environ.get("CONTENT_LENGTH") or ""
    if re.fullmatch(r"[0-9]{1,15}", length):
        return bytes(body.read(int(length)))
    return bytes(body.read()) if environ.get("wsgi.input_terminated") else b""
