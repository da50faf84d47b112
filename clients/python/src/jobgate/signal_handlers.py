"""The handling of SIGTERM and SIGINT while a worker claims jobs."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from typing import Any

_NAMES = (signal.SIGTERM, signal.SIGINT)


class SignalHandlers:
    """Calls a function on SIGTERM and SIGINT, in addition to those of other workers in this process."""

    def __init__(self, close: Callable[[], None]) -> None:
        self._close = close
        self._is_removed = False
        self._previous: dict[int, Any] = {}
        # Python handles signals only in its main thread.
        if threading.current_thread() is threading.main_thread():
            for name in _NAMES:
                self._previous[name] = signal.signal(name, self)

    def __call__(self, name: int, frame: Any) -> None:
        """Handles a signal."""
        previous = self._previous[name]
        if not self._is_removed:
            self._close()
            if isinstance(previous, SignalHandlers):
                previous(name, frame)
        else:
            signal.signal(name, previous)
            signal.raise_signal(name)

    def remove(self) -> None:
        """Restores the previous handling of signals."""
        self._is_removed = True
        if threading.current_thread() is threading.main_thread():
            for name, previous in self._previous.items():
                current: Any = signal.getsignal(name)
                if current is self:
                    signal.signal(name, previous)
