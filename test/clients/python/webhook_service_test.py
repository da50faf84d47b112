"""Webhook workers with a real service, whose URL and token are in the environment."""

import asyncio
import contextlib
import socket
import subprocess
import sys
import time
import uuid

import pytest
from jobgate import AsyncJobgate, Deferred, Fail, Jobgate, JobgateError, NotNow, create_worker
from serving import asgi_server, wsgi_server


@pytest.fixture
def jobgate():
    with Jobgate() as client:
        yield client


@pytest.fixture
def queue(jobgate):
    return jobgate.queue(f"python-{uuid.uuid4()}")


@contextlib.contextmanager
def called(jobgate, queue, server, handlers, opts=None, **endpoint):
    """A worker that verifies its calls, registered for a queue."""
    holder = {}

    async def asgi(scope, receive, send):
        await holder["worker"].asgi(scope, receive, send)

    def wsgi(environ, start_response):
        return holder["worker"].wsgi(environ, start_response)

    holder["worker"] = create_worker(handlers, secret=False)
    with server(asgi if server is asgi_server else wsgi) as url:
        endpoint = {"url": url, "method": "post", "signing": True, **endpoint}
        answer = jobgate.workers.register(queue.name, endpoint, opts)
        holder["worker"] = create_worker(handlers, secret=answer["secret"])
        yield
        jobgate.workers.remove(queue.name)


def blocking_sum(job, context):
    for step in range(1, 11):
        context.progress(step)
    context.log("first")
    context.log("second")
    return sum(job["data"])


async def awaiting_sum(job, context):
    for step in range(1, 11):
        await context.progress(step)
    await context.log("first")
    await context.log("second")
    return sum(job["data"])


BOTH = pytest.mark.parametrize("server", [asgi_server, wsgi_server])


@BOTH
@pytest.mark.parametrize("handler", [blocking_sum, awaiting_sum])
def test_signed_calls_with_progress_and_logs(jobgate, queue, server, handler):
    with called(jobgate, queue, server, {"add": handler}):
        job = queue.add("add", [1, 2, 3])
        assert queue.result(job["id"], timeout=10000) == {"state": "completed", "returnvalue": 6}
        assert queue.job(job["id"]).get()["progress"] == 10
        assert queue.job(job["id"]).logs()["logs"] == ["first", "second"]


@BOTH
@pytest.mark.parametrize("handler", [blocking_sum, awaiting_sum])
def test_a_test_reports_nothing_though_its_token_is_good_for_nothing(
    jobgate, queue, server, handler
):
    with called(jobgate, queue, server, {"add": handler}):
        report = jobgate.workers.test(queue.name, name="add", data=[1, 2, 3])
        assert (report["outcome"], report["response"]) == ("completed", "6")


def test_keeps_the_groups_of_a_queue(jobgate, queue):
    queue.add("work", 1, {"group": {"id": "acme"}})
    assert queue.groups.put("acme", {"weight": 3})["settings"] == {"weight": 3}
    queue.groups.pause("acme", reason="Unpaid")
    assert queue.groups.get("acme")["pause"]["reason"] == "Unpaid"
    assert queue.groups.get("acme")["paused"]
    queue.groups.resume("acme")
    assert queue.groups.hold("acme", 60000, reason="Busy")["until"] > 0
    queue.groups.end_hold("acme")
    queue.groups.remove("acme")
    page = queue.groups.list(id="ac*")
    assert (page["total"], page["groups"][0]["settings"]) == (1, None)


@BOTH
def test_fails_for_good_and_puts_off(jobgate, queue, server):
    calls = []

    def wait(job, context):
        calls.append(job)
        if len(calls) == 1:
            raise NotNow(after=0, hold="job")
        return "now"

    def never(job, context):
        raise Fail("never")

    with called(jobgate, queue, server, {"fail": never, "wait": wait}):
        failing = queue.job(queue.add("fail", None, {"attempts": 5})["id"])
        assert failing.result(timeout=10000)["failedReason"] == "never"
        assert failing.attempts()["count"] == 1
        waiting = queue.job(queue.add("wait")["id"])
        assert waiting.result(timeout=10000)["returnvalue"] == "now"


@BOTH
def test_another_process_completes_a_deferred_job(jobgate, queue, server):
    texts = []

    def later(job, context):
        texts.append(context.defer().to_json())

    with called(jobgate, queue, server, {"later": later}, accepted="defer"):
        job = queue.job(queue.add("later")["id"])
        while not texts:
            time.sleep(0.01)
        program = "import sys, jobgate; jobgate.Deferred.from_json(sys.stdin.read()).complete(7)"
        subprocess.run([sys.executable, "-c", program], input=texts[0], text=True, check=True)
        assert job.result(timeout=10000)["returnvalue"] == 7


def test_a_coroutine_defers_and_works_on(jobgate, queue):
    async def later(job, context):
        deferred = await context.defer(deadline=60000)
        await asyncio.sleep(0.2)
        await deferred.progress(50)
        await deferred.complete("late")
        return "nothing to the job"

    with called(jobgate, queue, asgi_server, {"later": later}, accepted="defer"):
        job = queue.job(queue.add("later")["id"])
        assert job.result(timeout=10000)["returnvalue"] == "late"
        assert job.get()["progress"] == 50


@pytest.mark.parametrize("kind", ["function", "coroutine"])
def test_a_cancellation_ends_the_signal_within_a_second(jobgate, queue, kind):
    events = {}

    def function(job, context):
        events["started"] = True
        assert context.signal.wait(10000)
        events["ended"] = (time.monotonic(), str(context.signal.reason))

    async def coroutine(job, context):
        events["started"] = True
        assert await context.signal.wait(10000)
        events["ended"] = (time.monotonic(), str(context.signal.reason))

    handler = function if kind == "function" else coroutine
    with called(jobgate, queue, asgi_server, {"long": handler}):
        job = queue.job(queue.add("long")["id"])
        while "started" not in events:
            time.sleep(0.01)
        cancelled = time.monotonic()
        job.cancel(reason="Not today")
        assert job.result(timeout=10000)["failedReason"] == "Not today"
        while "ended" not in events and time.monotonic() < cancelled + 5:
            time.sleep(0.01)
        ended, reason = events["ended"]
        assert ended - cancelled < 1
        assert reason == "The call was closed"


@BOTH
def test_a_deadline_ends_the_signal(jobgate, queue, server):
    reasons = []

    def late(job, context):
        assert context.deadline is not None
        context.signal.wait()
        reasons.append(str(context.signal.reason))

    with called(jobgate, queue, server, {"late": late}):
        job = queue.job(queue.add("late", None, {"timeout": 300})["id"])
        assert job.result(timeout=10000)["state"] == "failed"
        while not reasons:
            time.sleep(0.01)
        # The service closes the call at the same moment.
        assert reasons[0] in ("The deadline has passed", "The call was closed")


@BOTH
def test_a_lost_lock_ends_the_signal(jobgate, queue, server):
    signals = []

    def lost(job, context):
        queue.job(job["id"]).cancel()
        try:
            context.progress(1)
        except Exception as error:
            signals.append((context.signal.is_set(), getattr(error, "status", None)))

    with called(jobgate, queue, server, {"lost": lost}):
        queue.job(queue.add("lost")["id"]).result(timeout=10000)
        while not signals:
            time.sleep(0.01)
        assert signals == [(True, 401)]


@BOTH
def test_children(jobgate, queue, server):
    def parent(job, context):
        return [child["returnvalue"] for child in context.children()]

    handlers = {"parent": parent, "child": lambda job, context: job["data"]}
    with called(jobgate, queue, server, handlers):
        children = [{"queue": queue.name, "name": "child", "data": data} for data in (1, 2)]
        tree = {"queue": queue.name, "name": "parent", "data": None, "children": children}
        job = queue.job(jobgate.flow(tree)["id"])
        assert sorted(job.result(timeout=10000)["returnvalue"]) == [1, 2]


def resting(job, context):
    charge = context.steps.run("charge", lambda: {"id": "ch_1"})
    rested = context.steps.sleep("rest", 50)
    return [charge, rested > 0, context.steps.wait_for("paid", signal="paid:17")]


async def awaiting_rest(job, context):
    charge = await context.steps.run("charge", lambda: {"id": "ch_1"})
    rested = await context.steps.sleep("rest", 50)
    return [charge, rested > 0, await context.steps.wait_for("paid", signal="paid:17")]


@BOTH
@pytest.mark.parametrize("handler", [resting, awaiting_rest])
@pytest.mark.parametrize("body", ["envelope", "data", "none"])
def test_goes_on_where_a_job_was(jobgate, queue, server, handler, body):
    with called(jobgate, queue, server, {"order": handler}, steps=True, body=body):
        job = queue.job(queue.add("order")["id"])
        queue.signal("paid:17", "kept", keep="1m")
        value = [{"id": "ch_1"}, True, "kept"]
        assert job.result(timeout=10000)["returnvalue"] == value
        attempts = job.attempts()["attempts"]
        assert [one["outcome"] for one in attempts] == ["suspended", "suspended", "completed"]
        assert attempts[0]["saved"] == ["charge"]


@BOTH
def test_a_test_of_a_worker_runs_its_steps_and_saves_none(jobgate, queue, server):
    with called(jobgate, queue, server, {"order": resting}, steps=True):
        report = jobgate.workers.test(queue.name, name="order")
        assert report["response"] == '{"sleep": {"rest": 50}}'


def test_a_deferral_is_carried_by_the_text_of_any_language():
    text = '{"url": "http://127.0.0.1:1", "queue": "mail", "id": "1", "token": "t"}'
    assert Deferred.from_json(text).to_json() == text


def test_says_how_to_get_a_secret_when_it_registers_a_worker_that_keeps_its_own(jobgate, queue):
    endpoint = {"url": "http://127.0.0.1:9/", "method": "post", "signing": True}
    assert jobgate.workers.register(queue.name, endpoint)["secret"].startswith("whsec_")
    assert jobgate.workers.register(queue.name, endpoint) == {
        "note": "The worker keeps its secret; rotate_secret(queue) returns a new one"
    }
    unsigned = jobgate.workers.register(f"{queue.name}-unsigned", {**endpoint, "signing": False})
    assert unsigned == {}


def test_changes_a_worker_whose_headers_stay_and_returns_a_secret_once(jobgate, queue):
    endpoint = {"url": "http://127.0.0.1:9/", "method": "post", "headers": {"X-Key": "a"}}
    jobgate.workers.register(queue.name, endpoint, {"concurrency": 2, "breaker": {"failures": 5}})
    changed = jobgate.workers.change(
        queue.name, endpoint={"signing": True}, opts={"concurrency": 10, "breaker": None}
    )
    assert changed.pop("secret").startswith("whsec_")
    assert changed["endpoint"]["headers"] == {"X-Key": "[redacted]"}
    assert changed["opts"] == {"concurrency": 10}
    assert "opts" not in jobgate.workers.change(queue.name, opts=None)


def test_the_error_of_an_add_of_one_job_names_no_place_in_an_array(queue):
    must = "must be an integer from 0 to 2097152"
    with pytest.raises(JobgateError) as one:
        queue.add("send", None, {"priority": -1})
    assert (one.value.status, one.value.field) == (400, "opts.priority")
    assert str(one.value) == f"opts.priority {must}"
    with pytest.raises(JobgateError) as of_all:
        queue.add_all([{"name": "send", "data": None, "opts": {"priority": -1}}])
    assert (of_all.value.field, str(of_all.value)) == (
        "[0].opts.priority",
        f"[0].opts.priority {must}",
    )


@pytest.mark.parametrize("kind", ["function", "coroutine"])
def test_names_the_address_and_the_cause_when_there_is_no_answer(kind):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    url = f"http://127.0.0.1:{port}"

    async def ask():
        async with AsyncJobgate(url, "secret", tries=1) as away:
            await away.queue("mail").get()

    with pytest.raises(JobgateError) as caught:
        if kind == "coroutine":
            asyncio.run(ask())
        else:
            with Jobgate(url, "secret", tries=1) as away:
                away.queue("mail").get()
    assert caught.value.status == 0
    start, cause = str(caught.value).split(": ", 1)
    assert start == f"No answer to GET {url}/queues/mail"
    assert "Errno 111" in cause or "refused" in cause
