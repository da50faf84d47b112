"""How a handler ends that waits for steps."""

from __future__ import annotations


class Suspended(BaseException):
    """
    Raised by a wait for a step: the call ends, and a later one goes on. It is no Exception, so that a handler does not
    catch it as one.
    """


def without_waits(error: BaseException) -> BaseException | None:
    """What a handler raised beside its waits for steps; None for nothing else."""
    if isinstance(error, Suspended):
        return None
    # A group of tasks raises what its tasks raised as a group.
    split = getattr(error, "split", None)
    if split is None or isinstance(error, Exception):
        return error
    rest: BaseException | None = split(Suspended)[1]
    return rest
