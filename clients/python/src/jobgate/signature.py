"""Calls signed according to Standard Webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Union, cast

from .errors import VerificationError

HeaderText = Union[str, bytes]
#: Headers in the form of a framework, a server or a test.
CallHeaders = Union[
    Mapping[str, Union[HeaderText, Sequence[HeaderText]]],
    Iterable[tuple[HeaderText, HeaderText]],
]

_SECRET = re.compile(r"whsec_([A-Za-z0-9+/]+={0,2})")
_WRONG_SECRET = "secret must be whsec_ and base64, or False for unsigned calls"
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_SECONDS = re.compile(r"[0-9]{1,12}")
# Servers join repeated headers with a comma.
_BETWEEN = re.compile(r",? |,(?=v[0-9]+[a-z]*,)")


class Verifier:
    """Verifies calls with one of several secrets."""

    def __init__(
        self, secret: str | Sequence[str], tolerance: float, now: Callable[[], float]
    ) -> None:
        """Raises ValueError for a malformed secret, or if no secret is given."""
        secrets = [secret] if isinstance(secret, str) or not isinstance(secret, Sequence) else list(secret)
        if not secrets:
            raise ValueError(_WRONG_SECRET)
        self._keys = [_key(text) for text in secrets]
        self._tolerance = tolerance
        self._now = now

    def verify(self, headers: Mapping[str, str], body: bytes) -> None:
        """Raises VerificationError unless one signature is valid."""
        id = headers.get("webhook-id")
        timestamp = headers.get("webhook-timestamp")
        signature = headers.get("webhook-signature")
        if not id:
            raise VerificationError("webhook-id is missing")
        if timestamp is None or not _SECONDS.fullmatch(timestamp):
            raise VerificationError("webhook-timestamp is missing or no number of seconds")
        if not abs(self._now() - int(timestamp) * 1000) <= self._tolerance:
            raise VerificationError("webhook-timestamp is too far from now")
        if signature is None:
            raise VerificationError("webhook-signature is missing")
        expected = [_digest(key, id, timestamp, body) for key in self._keys]
        for one in _BETWEEN.split(signature):
            version, _, value = one.partition(",")
            if version != "v1" or not _BASE64.fullmatch(value):
                continue
            try:
                digest = base64.b64decode(value, validate=True)
            except binascii.Error:
                continue
            if any([hmac.compare_digest(digest, right) for right in expected]):
                return
        raise VerificationError("No signature is right")


def sign(secret: str, id: str, timestamp: str, body: bytes) -> str:
    """The signature that the service computes for a call."""
    return "v1," + base64.b64encode(_digest(_key(secret), id, timestamp, body)).decode()


def headers_of(headers: CallHeaders) -> dict[str, str]:
    """Headers by lowercase name; repeated headers are joined as in HTTP."""
    pairs = cast(
        Iterable[tuple[HeaderText, Union[HeaderText, Sequence[HeaderText]]]],
        headers.items() if isinstance(headers, Mapping) else headers,
    )
    values: dict[str, str] = {}
    for name, value in pairs:
        several: Sequence[HeaderText] = [value] if isinstance(value, (str, bytes)) else value
        key = _text(name).lower()
        for one in several:
            values[key] = f"{values[key]}, {_text(one)}" if key in values else _text(one)
    return values


def _digest(key: bytes, id: str, timestamp: str, body: bytes) -> bytes:
    head = f"{id}.{timestamp}.".encode("utf-8", "surrogatepass")
    return hmac.new(key, head + body, hashlib.sha256).digest()


def _key(secret: object) -> bytes:
    match = _SECRET.fullmatch(secret) if isinstance(secret, str) else None
    try:
        return base64.b64decode(match[1] if match else "-", validate=True)
    except binascii.Error:
        raise ValueError(_WRONG_SECRET) from None


def _text(value: HeaderText) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
