"""A worker endpoint for jobgate that computes the checksums of the files in a folder."""

import argparse
import json
import os
import signal
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from call_signature import NotSigned, verify_call
from checksums import BadJob, checksum, file_names, folder_below
from job_reporter import JobReporter

MAX_BODY_SIZE = 16 * 1024 * 1024


class Worker(BaseHTTPRequestHandler):
    """Answers one call of jobgate."""

    def do_POST(self):
        try:
            self._send(200, {"files": self._checksums()})
        except NotSigned as error:
            self._send(401, {"message": str(error)})
        except BadJob as error:
            self._send(422, {"message": str(error)})
        except Exception as error:  # Whatever it is, jobgate is to read it as the reason.
            self._send(500, {"message": str(error)})

    def _checksums(self):
        job, token = self._read_call()
        reporter = JobReporter(self.server.jobgate_url, job, token)
        data = job.get("data")
        wanted = data.get("folder") if isinstance(data, dict) else None
        folder = folder_below(self.server.base, wanted)
        names = file_names(folder)
        files = []
        for name in names:
            file = checksum(folder, name)
            files.append(file)
            reporter.log(f"{name}: {file['size']} bytes, sha256 {file['sha256']}")
            reporter.progress({"done": len(files), "total": len(names)})
        return files

    def _read_call(self):
        length = int(self.headers.get("Content-Length") or 0)
        if length > MAX_BODY_SIZE:
            raise BadJob("The call is too large")
        body = self.rfile.read(length)
        if self.server.secret is not None:
            verify_call(self.server.secret, self.headers, body)
        try:
            call = json.loads(body)
            job, token = call["job"], call["token"]
            if all(isinstance(text, str) for text in (job["id"], job["queueQualifiedName"], token)):
                return job, token
        except (ValueError, KeyError, TypeError):
            pass  # Answered like any other body that is no call.
        raise BadJob('The body must be a call of jobgate: {"job": {...}, "token": "..."}')

    def _send(self, status, body):
        payload = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *_):
        """Says nothing per call: the job's own log has the details."""


class WorkerServer(ThreadingHTTPServer):
    """Serves each call in a thread and waits for the running ones when it closes."""

    daemon_threads = False

    def __init__(self, address, base, jobgate_url, secret):
        super().__init__(address, Worker)
        self.base = base
        self.jobgate_url = jobgate_url
        self.secret = secret


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", required=True, help="folder that jobs may not lead out of")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=3000)
    arguments = parser.parse_args()
    jobgate_url = os.environ.get("JOBGATE_URL", "http://127.0.0.1:8080")

    secret = os.environ.get("JOBGATE_SECRET")

    address = (arguments.host, arguments.port)
    with WorkerServer(address, arguments.base, jobgate_url, secret) as server:
        # shutdown() waits for the serving loop, so the loop's own thread must not call it.
        signal.signal(
            signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start()
        )
        print(f"Listening on http://{arguments.host}:{server.server_address[1]}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
