"""Plays the scenarios of `clients/conformance/webhook.json` against both applications of a worker."""

import asyncio
import io
import json
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest
from jobgate import Fail, NotNow, Retry, create_worker
from jobgate.signature import sign

FOLDER = Path(__file__).parents[3] / "clients" / "conformance"
SCENARIOS = json.loads((FOLDER / "webhook.json").read_text("utf-8"))
NOW = 1_795_337_293_000
LABEL = {"queue": "ship", "name": "label", "data": 1}


def secret_of(letter):
    import base64

    return "whsec_" + base64.b64encode(letter.encode() * 32).decode()


def over_asgi(worker, headers, body):
    sent = []
    received = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive():
        if received:
            return received.pop()
        await asyncio.Event().wait()

    async def send(message):
        sent.append(message)

    pairs = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    asyncio.run(worker.asgi({"type": "http", "headers": pairs}, receive, send))
    start, content = sent
    answered = {name.decode(): value.decode() for name, value in start["headers"]}
    return start["status"], answered, content["body"]


def over_wsgi(worker, headers, body):
    environ = {"wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body))}
    for name, value in headers:
        key = "HTTP_" + name.upper().replace("-", "_")
        environ[key] = f"{environ[key]},{value}" if key in environ else value
    started = []
    content = b"".join(worker.wsgi(environ, lambda *parts: started.append(parts)))
    [(status, answered)] = started
    return int(status.split(" ")[0]), dict(answered), content


@pytest.mark.parametrize("application", [over_asgi, over_wsgi])
@pytest.mark.parametrize("kind", ["function", "coroutine"])
@pytest.mark.parametrize("scenario", SCENARIOS, ids=[one["title"] for one in SCENARIOS])
def test_webhook(scenario, kind, application):
    runs = []
    rejections = []

    def handler(work):
        def function(job, context):
            runs.append(job)
            return work(job["data"])

        async def coroutine(job, context):
            return function(job, context)

        return function if kind == "function" else coroutine

    def costing():
        def function(job, context):
            runs.append(job)
            context.cost(1532)
            if job["data"] == "fail":
                raise Fail("wrong")

        async def coroutine(job, context):
            return function(job, context)

        return function if kind == "function" else coroutine

    def stepping(wait):
        def function(job, context):
            runs.append(job)
            try:
                return wait(context.steps)
            except Exception:
                return "caught"

        async def coroutine(job, context):
            runs.append(job)
            try:
                return await wait(context.steps)
            except Exception:
                return "caught"

        return function if kind == "function" else coroutine

    def together(steps):
        def nap():
            return steps.sleep("nap", "1s")

        def rest():
            return steps.sleep("rest", 2000)

        if kind == "coroutine":
            return asyncio.gather(nap(), rest())
        with ThreadPoolExecutor() as threads:
            started = [threads.submit(work) for work in (nap, rest)]
        return [work.result() for work in started]

    def raising(error):
        def work(data):
            raise error

        return handler(work)

    def rejected(reason):
        rejections.append(reason)
        raise RuntimeError("A listener that fails changes no answer")

    circular = []
    circular.append(circular)
    secrets = scenario.get("secrets", ["a"])
    handlers = {
        "echo": handler(lambda data: data),
        "nothing": handler(lambda data: None),
        "fail": raising(Fail("wrong")),
        "retry": raising(Retry("later", after=1500)),
        "notNow": raising(NotNow(after=3000, hold="job")),
        "throw": raising(RuntimeError("broken")),
        "long": raising(RuntimeError("x" * 2000)),
        "circular": handler(lambda data: circular),
        "cost": costing(),
        "rest": stepping(lambda steps: steps.sleep("rest", "1h30m")),
        "together": stepping(together),
        "paid": stepping(lambda steps: steps.wait_for("paid", signal="paid:17", timeout="1d")),
        "ship": stepping(lambda steps: steps.add("ship", [LABEL])),
        "charge": stepping(lambda steps: steps.run("charge", lambda: "again")),
    }

    def created():
        return create_worker(
            handlers,
            secret=scenario.get("secret", [secret_of(letter) for letter in secrets]),
            url="http://127.0.0.1:9",
            now=lambda: NOW,
            on_rejected=rejected,
        )

    if scenario["expect"].get("created") is False:
        with pytest.raises(ValueError, match="^secret "):
            created()
        return
    worker = created()

    body = scenario.get("body", {"job": {"id": "1", "name": "echo", "data": None}, "token": "t"})
    if "size" in scenario:
        data = "x" * scenario["size"]
        body = {"job": {"id": "1", "name": "echo", "data": data}, "token": "t"}
    right = scenario.get("text", json.dumps(body, ensure_ascii=False, separators=(",", ":")))
    timestamp = str(NOW // 1000 + scenario.get("offset", 0))
    signer = secret_of(scenario.get("signedWith", secrets[0]))
    begins = "v1," + scenario.get("begins", "")
    ids = (f"msg_{number}" for number in count(1))
    signed = ((each, sign(signer, each, timestamp, right.encode())) for each in ids)
    message, signature = next(pair for pair in signed if pair[1].startswith(begins))
    headers = {
        "webhook-id": message,
        "webhook-timestamp": timestamp,
        "webhook-signature": signature,
    }
    for name, value in scenario.get("set", {}).items():
        value = value.replace("{unpadded}", signature[3:].rstrip("="))
        headers[name] = value.replace("{right}", signature[3:])
    for name in scenario.get("remove", []):
        del headers[name]
    pairs = [*headers.items(), *((name, headers[name]) for name in scenario.get("double", []))]
    sent = scenario["changed"].replace("{right}", right) if "changed" in scenario else right

    status, answered, content = application(worker, pairs, sent.encode())

    expected = scenario["expect"]
    if "status" in expected:
        assert status == expected["status"]
    if expected.get("failing"):
        assert status >= 400
    assert bool(runs) == expected["runs"]
    assert len(rejections) == (1 if expected.get("status") == 401 else 0)
    if expected.get("status") == 401:
        assert "jobgate-no-retry" not in answered
    if "value" in expected:
        assert json.loads(content) == expected["value"]
    if "detail" in expected:
        assert json.loads(content)["detail"] == expected["detail"]
    if "detailBytes" in expected:
        assert len(json.loads(content)["detail"].encode()) == expected["detailBytes"]
    for name, value in expected.get("headers", {}).items():
        assert answered.get(name) == value
