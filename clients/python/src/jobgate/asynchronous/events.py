"""Event streams that reconnect as needed."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping

import httpx

from ..answers import error_of, jitter
from ..errors import JobgateError
from ..server_sent_events import Frame, FrameReader
from ..shapes import Event
from .time import sleep
from .transport import AsyncTransport

#: The service sends something every 15 s. A connection that is silent for this many seconds is dead.
_SILENCE = 45.0

#: How many of the latest events are remembered, to skip those that a new connection repeats.
_REMEMBERED = 1000

#: Reconnecting does not change these answers.
_FINAL = (400, 401, 403)


async def follow_events(
    transport: AsyncTransport,
    path: str,
    query: Mapping[str, object],
    last_event_id: str | None,
    timeout: float | None,
) -> AsyncGenerator[Event, None]:
    """The events of a stream, each once."""
    seen: dict[tuple[str, str], None] = {}
    last_id = last_event_id or ""
    failures = 0
    while True:
        headers = {"accept": "text/event-stream, application/problem+json"}
        if last_id:
            headers["last-event-id"] = last_id
        try:
            async with transport.stream(path, query, headers, _SILENCE, timeout) as response:
                if not response.is_success:
                    text = (await response.aread()).decode("utf-8", "replace")
                    raise error_of(response.status_code, text)
                reader = FrameReader()
                async for chunk in response.aiter_bytes():
                    failures = 0
                    for frame in reader.read(chunk):
                        last_id = last_id if frame.id is None else frame.id
                        event = _event_of(frame, last_id, seen)
                        if event is not None:
                            yield event
        except JobgateError as error:
            if error.status in _FINAL:
                raise
        except (httpx.HTTPError, httpx.StreamError, ValueError):
            pass
        failures += 1
        await sleep(jitter(failures))


def _event_of(frame: Frame, last_id: str, seen: dict[tuple[str, str], None]) -> Event | None:
    """The event of a frame, unless it has none or was seen before."""
    if frame.data is None:
        return None
    name = frame.event or "message"
    if frame.id is not None:
        if (name, frame.id) in seen:
            return None
        seen[name, frame.id] = None
        if len(seen) > _REMEMBERED:
            del seen[next(iter(seen))]
    return {"id": last_id, "event": name, "data": json.loads(frame.data)}
