"""A worker endpoint for jobgate that computes the checksums of the files in a folder."""

import argparse
import os
import signal
import threading
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from checksums import checksum, file_names, folder_below
from jobgate import create_worker


class Server(ThreadingMixIn, WSGIServer):
    """Serves each call in a thread and waits for the running ones when it closes."""

    daemon_threads = False


class Quiet(WSGIRequestHandler):
    """Says nothing per call: the job's own log has the details."""

    def log_message(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", required=True, help="folder that jobs may not lead out of")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=3000)
    parser.add_argument("--unsigned", action="store_true", help="accept calls without a signature")
    arguments = parser.parse_args()

    def checksums(job, context):
        data = job["data"]
        wanted = data.get("folder") if isinstance(data, dict) else None
        folder = folder_below(arguments.base, wanted)
        names = file_names(folder)
        files = []
        for name in names:
            file = checksum(folder, name)
            files.append(file)
            context.log(f"{name}: {file['size']} bytes, sha256 {file['sha256']}")
            context.progress({"done": len(files), "total": len(names)})
        return {"files": files}

    worker = create_worker(
        {},
        otherwise=checksums,
        url=os.environ.get("JOBGATE_URL", "http://127.0.0.1:8080"),
        secret=False if arguments.unsigned else os.environ.get("JOBGATE_SECRET"),
    )
    with make_server(arguments.host, arguments.port, worker.wsgi, Server, Quiet) as server:
        # shutdown() waits for the serving loop, so the loop's own thread must not call it.
        signal.signal(
            signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start()
        )
        print(f"Listening on http://{arguments.host}:{server.server_port}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
