"""How a server of this process is ended from outside."""

import signal

import uvicorn


def end_by_signals(server: uvicorn.Server) -> None:
    """Let SIGTERM and SIGINT end a server that is about to serve, and nothing else of this process.

    Uvicorn has handlers of its own while it serves. Ours hears a signal that comes a moment before, and the
    one that ended Uvicorn, which raises it once more.
    """

    def end(*_: object) -> None:
        server.should_exit = True

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
