"""A worker for jobgate that is not called: it asks for its jobs, and counts the words of texts."""

import os
import sys

from jobgate import Fail, Jobgate


def count_words(job, context):
    data = job["data"]
    if not isinstance(data, dict) or not isinstance(data.get("text"), str):
        # Another attempt would fail as well.
        raise Fail("data.text must be a string")
    return {"words": len(data["text"].split())}


queue = sys.argv[1] if len(sys.argv) > 1 else "texts"
with Jobgate(os.environ.get("JOBGATE_URL", "http://127.0.0.1:8080")) as jobgate:
    worker = jobgate.pull(queue, count_words, concurrency=10, lock=60000)
    print(f"Working for the queue {queue}", flush=True)
    worker.join()
