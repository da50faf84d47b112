"""The outcomes of the jobs that a job waited for."""

from __future__ import annotations

from typing import Any

from ..answers import segment
from ..errors import JobgateError
from .transport import AsyncTransport

Children = list[dict[str, Any]]


async def all_children(
    carried: Children | None, url: str | None, token: str | None, queue: str, id: str
) -> Children:
    """
    All children of a job. A call carries as many as fit; their values are complete, regardless of the rights of the API
    token. `carried` is None for a job whose call cannot carry any.
    """
    if not url or not token:
        if carried is not None:
            return carried
        raise ValueError(
            "A call without an envelope carries no children: set JOBGATE_TOKEN to read them"
        )
    transport = AsyncTransport(url, token, 30000, 3)
    try:
        path = f"/queues/{segment(queue)}/jobs/{segment(id)}/children"
        answer = await transport.call("GET", path)
        children: Children = answer[1]
    except JobgateError as error:
        if carried is None or not 400 <= error.status < 500:
            raise
        return carried
    finally:
        await transport.aclose()
    whole = {(child.get("queue"), child.get("id")): child for child in carried or []}
    return [whole.get((child.get("queue"), child.get("id")), child) for child in children]
