"""Frames of a stream of Server-Sent Events."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

# A carriage return at the end may be the first half of a line break.
_LINE_END = re.compile(r"\r\n|\n|\r(?!$)")


@dataclass
class Frame:
    """The fields between two blank lines."""

    id: str | None = None
    event: str | None = None
    data: str | None = None


class FrameReader:
    """Parses the chunks of a body into frames. An incomplete last frame is dropped."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._frame = Frame()

    def read(self, chunk: bytes) -> list[Frame]:
        """The frames that end in the chunk."""
        *lines, self._rest = _LINE_END.split(self._rest + self._decoder.decode(chunk))
        frames = []
        for line in lines:
            if line == "":
                frames.append(self._frame)
                self._frame = Frame()
            else:
                self._take(line)
        return frames

    def _take(self, line: str) -> None:
        field, _, content = line.partition(":")
        content = content.removeprefix(" ")
        if field == "id":
            self._frame.id = content
        elif field == "event":
            self._frame.event = content
        elif field == "data":
            data = self._frame.data
            self._frame.data = content if data is None else f"{data}\n{content}"
