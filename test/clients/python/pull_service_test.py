"""Pull workers with a real service, whose URL and token are in the environment."""

import asyncio
import signal
import subprocess
import sys
import threading
import time
import uuid

import pytest
from jobgate import AsyncJobgate, Fail, Jobgate, NotNow


@pytest.fixture
def jobgate():
    with Jobgate() as client:
        yield client


@pytest.fixture
def queue(jobgate):
    return jobgate.queue(f"python-{uuid.uuid4()}")


async def awaiting(job, context):
    await context.progress(50)
    await context.log("a line")
    return job["data"] * 2


def blocking(job, context):
    context.progress(50)
    context.log("a line")
    return job["data"] * 2


@pytest.mark.parametrize("handler", [blocking, awaiting])
def test_does_jobs_several_at_a_time(jobgate, queue, handler):
    jobs = queue.add_all([{"name": "double", "data": data} for data in range(4)])
    worker = jobgate.pull(queue.name, handler, concurrency=2)
    for job in jobs:
        assert queue.result(job["id"], timeout=10000)["returnvalue"] == job["data"] * 2
        assert queue.job(job["id"]).logs()["logs"] == ["a line"]
        assert queue.job(job["id"]).get()["progress"] == 50
    worker.close()
    assert worker.closed()


def test_cancels_a_job_with_those_that_it_waits_for(jobgate, queue):
    child = {"queue": queue.name, "name": "child", "data": 1, "opts": {"delay": 60000}}
    root = {"queue": queue.name, "name": "root", "data": 0, "children": [child]}
    flow = jobgate.flow(root)
    queue.job(flow["id"]).cancel(reason="Not today", children=True)
    failed = queue.job(flow["children"][0]["id"]).get()
    assert failed["failedReason"] == "Not today"


def test_brings_letters_back(jobgate, queue):
    dead = jobgate.queue(f"{queue.name}-dead")
    callback = {"queue": dead.name, "as": "job"}
    queue.job(queue.add("lost", opts={"callback": callback})["id"]).cancel()
    assert dead.redrive(all=True, dry_run=True)["matched"] == 1
    rate = {"max": 100, "duration": 1000}
    assert dead.redrive(all=True, rate=rate) == {"matched": 1, "done": 1, "remaining": 0}
    assert queue.get()["counts"]["waiting"] == 1


def test_maps_what_is_raised(jobgate, queue):
    calls = []

    def wait(job, context):
        calls.append(job)
        if len(calls) == 1:
            raise NotNow(after=0)
        return "now"

    def never(job, context):
        raise Fail("never")

    worker = jobgate.pull(queue.name, {"fail": never, "wait": wait})
    failing = queue.job(queue.add("fail", None, {"attempts": 5})["id"])
    assert failing.result(timeout=10000)["failedReason"] == "never"
    assert failing.attempts()["count"] == 1
    assert queue.result(queue.add("wait")["id"], timeout=10000)["returnvalue"] == "now"
    unknown = queue.result(queue.add("unknown")["id"], timeout=10000)
    assert unknown["failedReason"] == "No handler for unknown"
    worker.close()


def test_gives_back_what_is_left_when_it_closes(jobgate, queue):
    started = threading.Event()
    ended = threading.Event()

    def stuck(job, context):
        started.set()
        assert context.signal.wait(10000)
        ended.set()

    worker = jobgate.pull(queue.name, stuck)
    job = queue.job(queue.add("stuck")["id"])
    assert started.wait(10)
    worker.close(timeout=0)
    assert ended.wait(10)
    assert job.get()["state"] == "waiting"
    assert job.get()["attemptsMade"] == 0


def test_a_deferral_holds_the_job_beyond_its_handler(jobgate, queue):
    deferrals = []

    def later(job, context):
        deferrals.append(context.defer())
        time.sleep(1.5)

    worker = jobgate.pull(queue.name, later, lock=1000)
    job = queue.job(queue.add("later")["id"])
    while not deferrals:
        time.sleep(0.01)
    worker.close()
    time.sleep(1.2)
    deferrals[0].complete("done")
    assert job.result(timeout=10000)["returnvalue"] == "done"


def test_is_awaited():
    async def play():
        async with AsyncJobgate() as jobgate:
            queue = jobgate.queue(f"python-{uuid.uuid4()}")
            worker = jobgate.pull(queue.name, awaiting)
            job = await queue.add("double", 21)
            assert (await queue.result(job["id"], timeout=10000))["returnvalue"] == 42
            found = [one["id"] async for one in queue.search(name="double")]
            assert found == [job["id"]]
            await worker.close()
            await worker.closed()

    asyncio.run(play())


@pytest.mark.parametrize("end", ["worker.join()", "pass"])
def test_ends_with_0_at_sigterm(queue, end):
    program = f"""
import jobgate
worker = jobgate.Jobgate().pull({queue.name!r}, lambda job, context: print(job["name"], flush=True))
{end}
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        queue.result(queue.add("first")["id"], timeout=10000)
        assert process.stdout.readline() == "first\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
    finally:
        process.kill()
        process.stdout.close()


def charging(job, context):
    steps = context.steps
    charge = steps.run("charge", lambda: {"id": "ch_1"})
    rested = steps.sleep("rest", "0.1s")
    paid = steps.wait_for("paid", signal="paid:17", timeout="1m")
    labels = [{"queue": job["data"], "name": "label", "data": data} for data in (1, 2)]
    ends = [end["returnvalue"] for end in steps.add("ship", labels)]
    return [charge, rested > 0, paid, ends]


async def awaiting_charge(job, context):
    steps = context.steps
    charge = await steps.run("charge", lambda: {"id": "ch_1"})
    rested = await steps.sleep("rest", "0.1s")
    paid = await steps.wait_for("paid", signal="paid:17", timeout="1m")
    labels = [{"queue": job["data"], "name": "label", "data": data} for data in (1, 2)]
    ends = [end["returnvalue"] for end in await steps.add("ship", labels)]
    return [charge, rested > 0, paid, ends]


@pytest.mark.parametrize("handler", [charging, awaiting_charge])
def test_goes_on_where_a_job_was(jobgate, queue, handler):
    handlers = {"order": handler, "label": lambda job, context: job["data"]}
    worker = jobgate.pull(queue.name, handlers)
    job = queue.job(queue.add("order", queue.name)["id"])
    while not any(signal["waiting"] for signal in queue.signals()["signals"]):
        time.sleep(0.01)
    assert queue.signal("paid:17", {"by": "card"}) == {"woken": 1}
    value = [{"id": "ch_1"}, True, {"by": "card"}, [1, 2]]
    assert job.result(timeout=10000)["returnvalue"] == value
    steps = job.steps()["steps"]
    assert [step["name"] for step in steps] == ["charge", "rest", "paid", "ship"]
    job.remove_step("rest")
    assert len(job.steps()["steps"]) == 3
    job.remove_steps()
    assert job.steps() == {"steps": []}
    worker.close()


def test_keeps_and_forgets_signals(queue):
    assert queue.signal("go", keep="1h", idempotency_key="once") == {"woken": 0}
    page = queue.signals(length=1)
    assert (page["total"], page["signals"][0]["key"]) == (1, "go")
    queue.forget_signal("go")
    assert queue.signals()["total"] == 0


# holds: topics.clients
def test_publishes_messages_to_topics(jobgate, queue):
    topic = jobgate.topic(f"orders-{uuid.uuid4()}")
    stored = topic.subscribe("billing", {"queue": queue.name, "filter": {"name": ["paid"]}})
    assert stored["id"] == "billing"
    dry = topic.publish("paid", {"n": 1}, dry_run=True)
    assert dry == {"matched": {"billing": {"queue": queue.name}}, "skipped": []}
    job = topic.publish("paid", {"n": 1}, {"attempts": 3})["matched"]["billing"]
    assert queue.job(job["id"]).get()["data"] == {"n": 1}
    messages = [{"name": "paid", "data": 1}, {"name": "refunded", "data": 2}]
    assert [len(each["matched"]) for each in topic.publish_all(messages)] == [1, 0]
    assert [each["id"] for each in topic.get()["subscriptions"]] == ["billing"]
    assert topic.unsubscribe("billing") == "OK"
    assert jobgate.topics()["total"] == 0
