"""A worker for jobgate that is not called: it asks for its jobs, and counts the words of texts."""

import json
import os
import signal
import sys
import urllib.error
import urllib.request
from urllib.parse import quote

# jobgate is asked directly, whatever proxy the environment names for the outside world.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Jobgate:
    """The queue of one jobgate."""

    def __init__(self, url, api_token, queue):
        self._jobs_url = f"{url.rstrip('/')}/queues/{quote(queue, safe='')}/jobs"
        self._api_token = api_token

    def claim(self):
        """The next jobs with their tokens; none when there was none for half a minute."""
        return json.loads(self._post("claim", {"count": 10, "wait": 30000, "lock": 60000}, self._api_token))

    def complete(self, job, token, result):
        self._post(f"{quote(job['id'], safe='')}/complete", result, token)

    def fail(self, job, token, reason, retry=True):
        self._post(f"{quote(job['id'], safe='')}/fail", {"reason": reason, "retry": retry}, token)

    def _post(self, path, body, token):
        request = urllib.request.Request(
            f"{self._jobs_url}/{path}",
            data=json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
        )
        with _opener.open(request, timeout=60) as answer:
            return answer.read().decode()


def count_words(data):
    if not isinstance(data, dict) or not isinstance(data.get("text"), str):
        raise ValueError("data.text must be a string")
    return {"words": len(data["text"].split())}


def work(jobgate, job, token):
    try:
        result = count_words(job["data"])
    except ValueError as error:
        # Another attempt would fail as well.
        jobgate.fail(job, token, str(error), retry=False)
    else:
        jobgate.complete(job, token, result)


def main():
    queue = sys.argv[1] if len(sys.argv) > 1 else "texts"
    jobgate = Jobgate(
        os.environ.get("JOBGATE_URL", "http://127.0.0.1:8080"), os.environ["JOBGATE_TOKEN"], queue
    )
    # A claim that waits is left, and takes no job with it; the job at hand is finished.
    stop = {"asked": False, "waiting": False}

    def end(_signal, _frame):
        stop["asked"] = True
        if stop["waiting"]:
            sys.exit(0)

    signal.signal(signal.SIGTERM, end)
    print(f"Working for the queue {queue}", flush=True)
    while not stop["asked"]:
        stop["waiting"] = True
        claimed = jobgate.claim()
        stop["waiting"] = False
        for each in claimed:
            try:
                work(jobgate, each["job"], each["token"])
            except urllib.error.HTTPError as error:
                # A 401 means that the lock ran out: someone else has the job by now.
                print(f"jobgate refused job {each['job']['id']}: {error.code}", flush=True)


main()
