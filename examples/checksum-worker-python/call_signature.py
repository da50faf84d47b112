"""Verifies that a call comes from jobgate."""

import base64
import hashlib
import hmac
import math
import time

# How old a call may be, in seconds: an older one may be one that somebody recorded.
TOLERANCE = 300


class NotSigned(Exception):
    """A call that is not signed with the secret, or was not just now."""


def verify_call(secret, headers, body):
    """Verifies a call as Standard Webhooks has it (https://www.standardwebhooks.com).

    The body is the bytes as they came. Raises NotSigned.
    """
    identity, timestamp, signatures = (
        headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature")
    )
    if not _age(timestamp) <= TOLERANCE:
        raise NotSigned("The call is not signed, or is too old")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    content = f"{identity}.{timestamp}.".encode() + body
    digest = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest())
    expected = b"v1," + digest
    # One for each secret: for a day after a rotation there are two.
    if not any(hmac.compare_digest(each.encode(), expected) for each in signatures.split(" ")):
        raise NotSigned("The call is not signed with the secret")


def _age(timestamp):
    try:
        return abs(time.time() - float(timestamp))
    except ValueError:
        return math.inf
