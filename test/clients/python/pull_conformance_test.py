"""Plays the scenarios of `clients/conformance/pull.json` against the pull worker."""

import contextlib
import json
import signal
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from jobgate import Fail, Jobgate, JobgateError, NotNow, Retry

FILE = Path(__file__).parents[3] / "clients" / "conformance" / "pull.json"
SCENARIOS = json.loads(FILE.read_text("utf-8"))
DATA = {"to": "é"}
TEXTS = {200: b'"OK"', 201: b'"OK"', "page": b"<html></html>", "there": b'"there"'}


class PlayedService:
    """Stands in for the service, and answers as a scenario says."""

    def __init__(self, scenario):
        self.reports = []
        self.claims = 0
        self._answers = {verb: list(given) for verb, given in scenario.get("answers", {}).items()}
        job = {"id": "1", "name": scenario["job"], "data": DATA, "attemptsMade": 0}
        self._claimed = [{"job": job, "token": "job-token"}]
        if "steps" in scenario:
            self._claimed[0]["steps"] = scenario["steps"]
        self._stopped = threading.Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                length = int(self.headers["content-length"])
                service.answer(self, json.loads(self.rfile.read(length)))

            do_PUT = do_POST

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def answer(self, request, body):
        verb = request.path.split("/")[-1]
        if verb == "claim":
            self.claims += 1
        else:
            self.reports.append([verb, body])
        given = self._answers.get(verb)
        status = given.pop(0) if given else 201 if request.command == "PUT" else 200
        if status == "lost":
            return
        if verb == "claim" and status == 200:
            if not self._claimed:
                self._stopped.wait()
                return
            text = json.dumps([self._claimed.pop()]).encode()
        else:
            text = TEXTS.get(status, b"no")
        status = status if isinstance(status, int) else 200
        request.send_response(status)
        request.send_header("content-length", str(len(text)))
        request.end_headers()
        request.wfile.write(text)

    def stop(self):
        self._stopped.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[one["title"] for one in SCENARIOS])
def test_pull(scenario):
    service = PlayedService(scenario)
    runs = []
    begun, ended = threading.Event(), threading.Event()

    def ran(work):
        def handle(job, context):
            runs.append(job)
            begun.set()
            try:
                return work(job["data"], context)
            finally:
                ended.set()

        return handle

    def throwing(error):
        def work(_data, _context):
            raise error

        return ran(work)

    def report(data, context):
        with contextlib.suppress(JobgateError):
            context.progress(50)
        context.log("a line")
        return data

    def steps(data, context):
        for step in range(1, 21):
            context.progress(step)
        return data

    def rest(_data, context):
        try:
            return context.steps.sleep("rest", "1h30m")
        except Exception:
            return "caught"

    def soon(data, _context):
        time.sleep(0.1)
        return data

    circular = []
    circular.append(circular)
    handlers = {
        "echo": ran(lambda data, _: data),
        "nothing": ran(lambda _data, _: None),
        "fail": throwing(Fail("wrong")),
        "retry": throwing(Retry("later", after=1500)),
        "notNow": throwing(NotNow(after=3000)),
        "throw": throwing(ValueError("broken")),
        "circular": ran(lambda _data, _: circular),
        "report": ran(report),
        "steps": ran(steps),
        "charge": ran(lambda _data, context: context.steps.run("charge", lambda: {"id": "ch_1"})),
        "mail": ran(lambda _data, context: context.steps.run("mail", lambda: None)),
        "rest": ran(rest),
        "soon": ran(soon),
        "wait": ran(lambda _data, context: context.signal.wait()),
    }
    timeout = scenario.get("closeTimeout", 20000)
    name = scenario.get("signal")
    expected = scenario.get("runs", 1)
    with Jobgate(service.url, "api-token") as jobgate:
        worker = jobgate.pull(
            "mail",
            {"handlers": handlers},
            lock=scenario.get("lock", 30000),
            close_timeout=timeout,
            signals=name is not None,
        )
        if name is not None or "closeTimeout" in scenario:
            assert begun.wait(10)
        elif expected > 0:
            assert ended.wait(10)
        else:
            while not service.reports:
                time.sleep(0.005)
        if name is None:
            worker.close()
        else:
            signal.raise_signal(signal.Signals[name])
            worker.join()
    service.stop()
    if "reports" in scenario:
        assert service.reports == scenario["reports"]
    if "verbs" in scenario:
        assert [verb for verb, _ in service.reports] == scenario["verbs"]
    assert len(runs) == expected
    assert service.claims >= scenario.get("claims", 1)
