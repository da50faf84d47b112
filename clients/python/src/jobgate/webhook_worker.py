"""Workers that jobgate calls."""

from __future__ import annotations

import asyncio
import os
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal
from weakref import WeakKeyDictionary

from .asgi import Receive, Scope, Send, serve_asgi
from .asynchronous.network import AsyncNetwork
from .blocking.network import Network
from .errors import VerificationError
from .handling import BatchHandler, Handler, Handlers
from .signature import CallHeaders, Verifier, headers_of
from .webhook_call import WITHOUT_ADDRESS, WebhookCall, body_of, call_of
from .worker_answer import UNAUTHORIZED, WorkerAnswer, refusal
from .wsgi import Environment, StartResponse, serve_wsgi


class WebhookWorker:
    """A worker that jobgate calls, with the applications `asgi` and `wsgi`."""

    def __init__(
        self,
        handlers: Handlers,
        verifier: Verifier | None,
        url: str | None,
        on_rejected: Callable[[str], object] | None,
    ) -> None:
        self._handlers = handlers
        self._verifier = verifier
        self._on_rejected = on_rejected
        self._networks: WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncNetwork] = (
            WeakKeyDictionary()
        )
        #: The URL for reports, None for the origin that a call names.
        self.url = url
        #: The connections of functions.
        self.network: Network = Network()
        #: Work that continues beyond its call.
        self.tasks: set[asyncio.Task[WorkerAnswer]] = set()

    def verify(self, headers: CallHeaders, raw_body: bytes | str) -> Any:
        """The parsed body of a call. Raises VerificationError when it must not be accepted."""
        raw = raw_body.encode() if isinstance(raw_body, str) else bytes(raw_body)
        known = headers_of(headers)
        if self._verifier is not None:
            self._verifier.verify(known, raw)
        return body_of(known, raw)

    async def asgi(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI application."""
        await serve_asgi(self, scope, receive, send)

    def wsgi(self, environ: Environment, start_response: StartResponse) -> Iterable[bytes]:
        """The WSGI application."""
        return serve_wsgi(self, environ, start_response)

    def begin(
        self, headers: Mapping[str, str], raw_body: bytes
    ) -> WorkerAnswer | tuple[WebhookCall, Callable[..., Any]]:
        """The call with its handler, or the answer that refuses it."""
        try:
            body = self.verify(headers, raw_body)
        except VerificationError as error:
            self._reject(error.reason)
            return UNAUTHORIZED
        try:
            call = call_of(headers, body)
            if call.is_batch:
                return call, self._handlers.of_batch()
            return call, self._handlers.of(call.items[0].job["name"])
        except Exception as error:
            return refusal(error)

    def network_of_loop(self) -> AsyncNetwork:
        """The connections of coroutines, which belong to an event loop."""
        return self._networks.setdefault(asyncio.get_running_loop(), AsyncNetwork())

    def _reject(self, reason: str) -> None:
        try:
            if self._on_rejected is not None:
                self._on_rejected(reason)
        except Exception:
            # The call is refused regardless.
            pass


def create_worker(
    handlers: Mapping[str, Handler],
    *,
    otherwise: Handler | None = None,
    batch: BatchHandler | None = None,
    secret: str | Sequence[str] | Literal[False],
    url: str | None = None,
    tolerance: float = 300000,
    now: Callable[[], float] | None = None,
    on_rejected: Callable[[str], object] | None = None,
) -> WebhookWorker:
    """
    Creates a worker that jobgate calls. The handlers, by job name, are functions or coroutine functions; `otherwise`
    handles all other names, and `batch` handles calls for several jobs. Only calls that `secret`, or one of several,
    signed are accepted, and their clock may differ from `now()` (epoch ms) by `tolerance` ms; `on_rejected` is called
    with the reason when a call is refused. `secret=False` accepts unsigned calls. Reports go to `url`, or else to
    `JOBGATE_URL`, or else to the origin that the call names. Raises ValueError for a missing or malformed secret.
    """
    clock = now if now is not None else lambda: time.time() * 1000
    verifier = None if secret is False else Verifier(secret, tolerance, clock)
    address = url or os.environ.get("JOBGATE_URL")
    if not address:
        warnings.warn(WITHOUT_ADDRESS, stacklevel=2)
    return WebhookWorker(Handlers(handlers, otherwise, batch), verifier, address, on_rejected)
