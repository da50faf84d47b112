"""Servers of workers for tests."""

import contextlib
import threading
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import uvicorn


@contextlib.contextmanager
def asgi_server(application):
    """Serves an ASGI application; gives its URL."""
    config = uvicorn.Config(application, host="127.0.0.1", port=0, log_level="error")
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            thread.join(0.01)
            assert thread.is_alive()
        [socket] = server.servers[0].sockets
        yield f"http://127.0.0.1:{socket.getsockname()[1]}/"
    finally:
        server.should_exit = server.force_exit = True
        thread.join()


# How often (s) a server looks whether it is to end; as often as its tests end it, that adds up.
PACE = 0.01


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Handler(WSGIRequestHandler):
    def log_message(self, *parts):
        """Tests print what fails alone."""


@contextlib.contextmanager
def wsgi_server(application):
    """Serves a WSGI application; gives its URL."""
    with make_server("127.0.0.1", 0, application, _Server, _Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(PACE,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
