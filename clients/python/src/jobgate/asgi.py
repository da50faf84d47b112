"""A worker as an ASGI application."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any

from .asynchronous.webhook_attempt import AsyncWebhookAttempt
from .blocking.webhook_attempt import WebhookAttempt
from .handling import is_coroutine
from .signature import headers_of
from .threads import in_thread
from .webhook_call import WebhookCall, whole_number
from .worker_answer import WorkerAnswer, deferral

if TYPE_CHECKING:
    from .webhook_worker import WebhookWorker

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


async def serve_asgi(worker: WebhookWorker, scope: Scope, receive: Receive, send: Send) -> None:
    """Answers one call, or handles the lifespan of the server."""
    if scope["type"] == "lifespan":
        await _live(worker, receive, send)
    elif scope["type"] == "http":
        raw_body = await _raw_body(receive)
        if raw_body is not None:
            answer = await _answer(worker, headers_of(scope["headers"]), raw_body, receive)
            await _send(send, answer)
    else:
        await send({"type": f"{scope['type']}.close"})


async def _answer(
    worker: WebhookWorker, headers: dict[str, str], raw_body: bytes, receive: Receive
) -> WorkerAnswer:
    begun = worker.begin(headers, raw_body)
    if isinstance(begun, WorkerAnswer):
        return begun
    call, handler = begun
    answered: asyncio.Future[WorkerAnswer] = asyncio.get_running_loop().create_future()

    def settle(answer: WorkerAnswer) -> None:
        if not answered.done():
            answered.set_result(answer)

    attempt, task = _begin(worker, call, handler, headers, settle)
    worker.tasks.add(task)
    task.add_done_callback(worker.tasks.discard)
    task.add_done_callback(lambda done: None if done.cancelled() else settle(done.result()))
    listening = asyncio.create_task(_closed(receive, attempt))
    try:
        return await answered
    except asyncio.CancelledError:
        attempt.signal.end(ConnectionError("The call was closed"))
        raise
    finally:
        listening.cancel()


def _begin(
    worker: WebhookWorker,
    call: WebhookCall,
    handler: Callable[..., Any],
    headers: dict[str, str],
    settle: Callable[[WorkerAnswer], None],
) -> tuple[AsyncWebhookAttempt | WebhookAttempt, asyncio.Task[WorkerAnswer]]:
    """The attempt, and the function that runs its handler: coroutine functions here, others in a thread."""
    bound = whole_number(headers, "jobgate-deadline")
    seconds = None if bound is None else bound / 1000
    if is_coroutine(handler):
        attempt: AsyncWebhookAttempt

        async def deferred(deadline: float | None) -> None:
            attempt.signal.lift()
            settle(deferral(deadline))

        attempt = AsyncWebhookAttempt(
            call,
            headers,
            seconds=seconds,
            url=worker.url,
            network=worker.network_of_loop(),
            deferred=deferred,
        )
        return attempt, asyncio.create_task(attempt.run(handler))

    loop = asyncio.get_running_loop()
    blocking: WebhookAttempt

    def deferred_in_thread(deadline: float | None) -> None:
        blocking.signal.lift()
        loop.call_soon_threadsafe(settle, deferral(deadline))

    blocking = WebhookAttempt(
        call,
        headers,
        seconds=seconds,
        url=worker.url,
        network=worker.network,
        deferred=deferred_in_thread,
    )
    return blocking, asyncio.create_task(in_thread(lambda: blocking.run(handler)))


async def _closed(receive: Receive, attempt: AsyncWebhookAttempt | WebhookAttempt) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    attempt.signal.end(ConnectionError("The call was closed"))


async def _raw_body(receive: Receive) -> bytes | None:
    """None when the call was closed before its end."""
    chunks = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        chunks.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(chunks)


async def _send(send: Send, answer: WorkerAnswer) -> None:
    headers = {**answer.headers, "content-length": str(len(answer.body))}
    await send(
        {
            "type": "http.response.start",
            "status": answer.status,
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
    )
    await send({"type": "http.response.body", "body": answer.body})


async def _live(worker: WebhookWorker, receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            await send({"type": "lifespan.startup.complete"})
        elif message["type"] == "lifespan.shutdown":
            await asyncio.gather(*worker.tasks, return_exceptions=True)
            await worker.network_of_loop().aclose()
            await send({"type": "lifespan.shutdown.complete"})
            return
