"""The bot process: hears Slack's events and posts what the outbox holds. It carries no run."""

import asyncio
import signal

import uvicorn
from starlette.applications import Starlette

from bot.delivery import Pump

SHUTDOWN_S = 5


async def serve_bot(app: Starlette, pump: Pump, *, host: str, port: int) -> None:
    """Serve until SIGTERM or SIGINT; the card in hand is still delivered."""
    server = uvicorn.Server(
        uvicorn.Config(app, host=host, port=port, log_level="warning", timeout_graceful_shutdown=SHUTDOWN_S)
    )
    stop = asyncio.Event()
    survive_signals()
    async with asyncio.TaskGroup() as group:
        group.create_task(pump.run(stop))
        await server.serve()
        stop.set()


def survive_signals() -> None:
    """Uvicorn raises the signal that ended it once more, for the handler before its own: that one is ours."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
