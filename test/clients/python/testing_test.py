"""The testing entry, and batches."""

from queue import Queue
import base64
import json

import pytest
from jobgate import Deferred, Jobgate, VerificationError, create_worker, fail, ok
from jobgate.testing import FakeService, signed_request
from webhook_conformance_test import over_asgi

SECRET = "whsec_" + base64.b64encode(b"a" * 32).decode()


def test_signs_what_a_worker_accepts():
    worker = create_worker({}, secret=SECRET)
    request = signed_request({"data": "whole"}, SECRET)
    assert worker.verify(request.headers, request.content)["job"]["data"] == "whole"
    with pytest.raises(VerificationError) as raised:
        worker.verify(request.headers, request.content + b" ")
    assert raised.value.reason == "No signature is right"


def test_a_lost_lock_ends_the_signal_and_reports_no_outcome():
    ended = []

    def handler(job, context):
        try:
            context.progress(1)
        finally:
            ended.append(context.signal.is_set())

    with FakeService() as fake:
        fake.add("mail", {"id": "7"})
        fake.answer_reports(401)
        worker = Jobgate(fake.url, "secret").pull("mail", handler, signals=False)
        while not fake.reports:
            pass
        worker.close()
        assert ended == [True]
        assert [report.verb for report in fake.reports] == ["progress"]


@pytest.mark.parametrize("name", ["", ".", ".."])
def test_refuses_a_name_that_would_select_another_path(name):
    with Jobgate("http://127.0.0.1:1", "secret") as jobgate:
        for select in (jobgate.queue, jobgate.queue("mail").job, jobgate.workers.enable):
            with pytest.raises(ValueError, match="is not a name"):
                select(name)


def batch(handler, url):
    jobs = [
        {"job": {"id": id, "name": "send", "data": None}, "token": f"token-{id}"} for id in "123"
    ]
    body = json.dumps({"batch": "b", "jobs": jobs}).encode()
    worker = create_worker({}, batch=handler, url=url, secret=False)
    return over_asgi(worker, [("jobgate-queue", "mail")], body)


def test_a_batch_has_one_outcome_a_job():
    def handler(jobs, context):
        return [ok(1), fail("wrong", retry=False), ok()]

    status, _, content = batch(handler, None)
    assert status == 200
    assert json.loads(content)["results"] == [
        {"id": "1", "status": "completed", "value": 1},
        {"id": "2", "status": "failed", "reason": "wrong", "retry": False},
        {"id": "3", "status": "completed", "value": None},
    ]
    status, _, content = batch(lambda jobs, context: [], None)
    detail = json.loads(content)["detail"]
    assert (status, detail) == (500, "The batch handler returned 0 results for 3 jobs")


def test_a_batch_is_deferred_as_a_whole():
    texts = Queue()

    def handler(jobs, context):
        texts.put(context.defer(deadline=5000).to_json())
        return []

    with FakeService() as fake:
        status, headers, _ = batch(handler, fake.url)
        assert (status, headers["jobgate-deadline"]) == (202, "5000")
        Deferred.from_json(texts.get(timeout=10)).complete("done")
        reports = [(report.id, report.token, report.body) for report in fake.reports]
        assert reports == [(id, f"token-{id}", "done") for id in "123"]


def test_a_worker_without_a_url_of_the_service_warns_when_it_is_created(monkeypatch):
    monkeypatch.delenv("JOBGATE_URL", raising=False)
    with pytest.warns(UserWarning, match="^Nothing says where to report") as caught:
        create_worker({}, secret=SECRET)
    assert caught[0].filename == __file__


@pytest.mark.filterwarnings("error")
def test_a_worker_with_a_url_of_the_service_does_not_warn(monkeypatch):
    monkeypatch.delenv("JOBGATE_URL", raising=False)
    create_worker({}, secret=SECRET, url="http://127.0.0.1:8080")
    monkeypatch.setenv("JOBGATE_URL", "http://127.0.0.1:8080")
    create_worker({}, secret=SECRET)
