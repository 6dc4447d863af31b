"""Work that goes on beside other work."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import copy_context
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
_LANE = ThreadPoolExecutor(1, "computing")
"""One thread: more would share one interpreter, and leave to chance who goes on."""


@asynccontextmanager
async def in_background(work: Coroutine[Any, Any, object]) -> AsyncIterator[None]:
    """Do the work as long as the context is open, then cancel it and wait until it has ended."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def in_thread(work: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Computing, in turn with that of the other runs of this process, which take in messages meanwhile."""

    @wraps(work)
    async def done(*given: P.args, **named: P.kwargs) -> T:
        computing = partial(copy_context().run, work, *given, **named)
        return await asyncio.get_running_loop().run_in_executor(_LANE, computing)

    return done
