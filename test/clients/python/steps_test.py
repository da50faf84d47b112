"""The steps of workers, without a service or beside one that records reports."""

import asyncio
import io
import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from jobgate import Jobgate, Suspended, create_worker, ok
from jobgate.durations import ms_of
from jobgate.testing import FakeService, signed_request

SECRET = "whsec_" + "YWFh" * 11


@pytest.fixture
def service():
    with FakeService() as fake:
        yield fake


def called(service, handler, steps=None, body=None, batch=None):
    """The status and the value of the answer to one call."""
    worker = create_worker({"test": handler}, batch=batch, secret=SECRET, url=service.url)
    request = signed_request({}, SECRET, steps=steps, body=body)
    environ = {
        f"HTTP_{name.upper().replace('-', '_')}": value for name, value in request.headers.items()}
    environ |= {"wsgi.input": io.BytesIO(request.content), "CONTENT_LENGTH": str(len(request.content))}
    started = []
    text = b"".join(worker.wsgi(environ, lambda *parts: started.append(parts)))
    return int(started[0][0][:3]), json.loads(text or "null")


def reports(service):
    return [(report.verb, report.body) for report in service.reports]


def test_are_saved_as_their_work_returns_and_are_not_run_again(service):
    charged = []

    def charge():
        charged.append(1)
        return {"id": "ch_1", "sums": (1, 2)}

    def handler(_job, context):
        first = context.steps.run("charge", charge)
        again = context.steps.run("charge", lambda: "again")
        context.steps.run("mail", lambda: None)
        return [first, again]

    saved = {"id": "ch_1", "sums": [1, 2]}
    assert called(service, handler) == (200, [saved, saved])
    assert reports(service) == [("steps/charge", saved), ("steps/mail", True)]
    assert called(service, handler, {"charge": 1, "mail": True}) == (200, [1, 1])
    assert (len(charged), len(service.reports)) == (1, 2)


def test_take_functions_and_coroutine_functions(service):
    async def awaited():
        await asyncio.sleep(0)
        return "awaited"

    async def coroutine(_job, context):
        return [await context.steps.run("a", awaited), await context.steps.run("b", lambda: "b")]

    def function(_job, context):
        return [context.steps.run("a", awaited), context.steps.run("b", lambda: "b")]

    assert called(service, coroutine) == (200, ["awaited", "b"])
    assert called(service, function) == (200, ["awaited", "b"])


@pytest.mark.parametrize("name", ["", "a b", "..", "a/b", "a\n", "x" * 101])
def test_do_no_work_for_a_name_that_no_step_may_have(service, name):
    runs = []
    status, _ = called(service, lambda _, context: context.steps.run(name, lambda: runs.append(1)))
    assert (status, runs, service.reports) == (500, [], [])


def test_fail_the_attempt_by_an_error_of_their_work(service):
    def fail():
        raise ValueError("No money")

    status, body = called(service, lambda _, context: context.steps.run("charge", fail))
    assert (status, body["detail"], service.reports) == (500, "No money", [])


def test_wait_by_what_an_except_of_exceptions_does_not_catch(service):
    seen = []

    def handler(_job, context):
        try:
            context.steps.sleep("rest", "1h30m")
        except Exception as error:
            seen.append(error)
        except Suspended:
            seen.append("suspended")
            raise

    assert called(service, handler) == (206, {"sleep": {"rest": 5400000}})
    assert seen == ["suspended"]


def test_of_several_kinds_wait_one_after_the_other(service):
    async def handler(_job, context):
        paid = context.steps.wait_for("paid", signal="paid:17")
        return await asyncio.gather(paid, context.steps.sleep("rest", 1000))

    waits = {"waitFor": {"paid": {"signal": "paid:17"}}}
    assert called(service, handler) == (206, waits)
    assert called(service, handler, {"paid": None}) == (206, {"sleep": {"rest": 1000}})
    assert called(service, handler, {"paid": None, "rest": 5}) == (200, [None, 5])


async def in_a_group(*works):
    if not hasattr(asyncio, "TaskGroup"):
        return await asyncio.gather(*works)
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(work) for work in works]
    return [task.result() for task in tasks]


@pytest.mark.parametrize("together", [asyncio.gather, in_a_group])
def test_that_run_are_saved_before_the_call_ends(service, together):
    async def slow():
        await asyncio.sleep(0.03)
        return "saved"

    async def handler(_job, context):
        steps = context.steps
        return await together(
            steps.sleep("rest", 1000), steps.run("slow", slow), steps.sleep("nap", "2s")
        )

    assert called(service, handler) == (206, {"sleep": {"rest": 1000, "nap": 2000}})
    assert reports(service) == [("steps/slow", "saved")]


def test_that_run_in_other_threads_are_saved_before_the_call_ends(service):
    def slow():
        time.sleep(0.03)
        return "saved"

    def handler(_job, context):
        with ThreadPoolExecutor() as threads:
            running = threads.submit(context.steps.run, "slow", slow)
            context.steps.sleep("rest", 1000)
        return running.result()

    assert called(service, handler) == (206, {"sleep": {"rest": 1000}})
    assert reports(service) == [("steps/slow", "saved")]


@pytest.mark.parametrize("together", [asyncio.gather, in_a_group])
def test_fail_the_attempt_when_one_fails_beside_a_wait(service, together):
    async def fail():
        raise ValueError("No money")

    async def handler(_job, context):
        return await together(context.steps.run("charge", fail), context.steps.sleep("rest", 1000))

    status, body = called(service, handler)
    assert status == 500
    assert "No money" in body["detail"] or "TaskGroup" in body["detail"]


@pytest.mark.parametrize("kind", ["function", "coroutine"])
def test_are_reported_after_a_deferral_whose_answer_was_given_before(service, kind):
    def function(_job, context):
        context.defer()
        context.steps.sleep("rest", 1000)

    async def coroutine(_job, context):
        await context.defer()
        await context.steps.sleep("rest", 1000)

    assert called(service, function if kind == "function" else coroutine) == (202, None)
    assert reports(service) == [("suspend", {"sleep": {"rest": 1000}})]


def test_are_saved_by_jobs_of_a_batch_each_its_own(service):
    def batch(jobs, context):
        with pytest.raises(ValueError, match="those of its jobs"):
            _ = context.steps
        return [ok(each.steps.run("save", lambda data=each.job["data"]: data)) for each in jobs]

    jobs = [{"job": {"id": id, "name": "row", "data": id}, "token": f"token-{id}"} for id in "12"]
    jobs[0]["steps"] = {"save": "saved"}
    status, body = called(service, None, body=json.dumps({"jobs": jobs}), batch=batch)
    assert (status, [result["value"] for result in body["results"]]) == (200, ["saved", "2"])
    [report] = service.reports
    assert (report.verb, report.body, report.token) == ("steps/save", "2", "token-2")


@pytest.mark.parametrize("kind", ["function", "coroutine"])
@pytest.mark.parametrize("defers", [False, True])
def test_end_the_hold_of_a_pull_worker_by_a_report(service, kind, defers):
    label = {"queue": "ship", "name": "label", "data": 1}

    def function(_job, context):
        if defers:
            context.defer()
        context.steps.run("charge", lambda: 1)
        context.steps.add("ship", [label])

    async def coroutine(_job, context):
        if defers:
            await context.defer()
        await context.steps.run("charge", lambda: 1)
        await context.steps.add("ship", [label])

    with Jobgate(service.url, "api-token") as jobgate:
        service.add("orders", {}, steps={"charge": 1})
        handler = function if kind == "function" else coroutine
        worker = jobgate.pull("orders", handler, wait=100, signals=False)
        while not any(report.verb == "suspend" for report in service.reports):
            time.sleep(0.005)
        worker.close()
    expected = [("suspend", {"add": {"ship": [label]}})]
    assert reports(service)[1 if defers else 0 :] == expected


def test_durations_are_ms_or_texts():
    texts = {"30s": 30000, "1h30m": 5400000, "7d": 604800000, "0.5 min": 30000, "250ms": 250}
    assert {text: ms_of(text) for text in texts} == texts
    assert (ms_of(5), ms_of(1.2)) == (5, 2)
    for wrong in ("", "5", "1 fortnight", "1h x", "-1s"):
        with pytest.raises(ValueError, match="is not a duration"):
            ms_of(wrong)
