"""Work that goes on beside other work."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


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
    """Computing, in a thread, so that the other runs of this process go on meanwhile."""

    @wraps(work)
    async def done(*given: P.args, **named: P.kwargs) -> T:
        return await asyncio.to_thread(work, *given, **named)

    return done
