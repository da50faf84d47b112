"""Reports to jobgate how a job proceeds."""

import json
import urllib.error
import urllib.request
from urllib.parse import quote

# jobgate is called directly, whatever proxy the environment names for the outside world.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class JobReporter:
    """Reports on one job. The job's own token is the only key to it."""

    def __init__(self, jobgate_url, job, token):
        # <prefix>:<queue>; a queue name has no colon, a prefix may.
        queue = job["queueQualifiedName"].rpartition(":")[2]
        path = f"queues/{quote(queue, safe='')}/jobs/{quote(job['id'], safe='')}"
        self._job_url = f"{jobgate_url.rstrip('/')}/{path}"
        self._token = token

    def progress(self, value):
        self._post("progress", value)

    def log(self, line):
        self._post("logs", line)

    def _post(self, what, body):
        request = urllib.request.Request(
            f"{self._job_url}/{what}",
            data=json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"},
        )
        try:
            _opener.open(request, timeout=10).close()
        except urllib.error.HTTPError as error:
            # A 401 means that jobgate gave this attempt up: someone else may be at the job by now.
            text = error.read().decode(errors="replace")
            raise RuntimeError(f"jobgate refused the {what}: {error.code} {text}") from None
