"""The bot process: hears Slack's events and posts what the outbox holds. It carries no run."""

import asyncio
import gc
import signal

import uvicorn
from starlette.applications import Starlette

from bot.delivery import Pump

SHUTDOWN_S = 5


async def serve_bot(app: Starlette, pump: Pump, *, host: str, port: int) -> None:
    """Serve until SIGTERM or SIGINT; the card in hand is still delivered."""
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=SHUTDOWN_S,
    )
    server = uvicorn.Server(config)
    stop = asyncio.Event()
    end_by_signals(server)
    gc.freeze()  # what is loaded by now stays: to look through it again and again would hold up an event
    async with asyncio.TaskGroup() as group:
        group.create_task(pump.run(stop))
        await server.serve()
        stop.set()


def end_by_signals(server: uvicorn.Server) -> None:
    """Let SIGTERM and SIGINT end a server that is about to serve, and nothing else of this process.

    Uvicorn has handlers of its own while it serves. Ours hears a signal that comes a moment before, and the
    one that ended Uvicorn, which raises it once more.
    """

    def end(*_: object) -> None:
        server.should_exit = True

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
