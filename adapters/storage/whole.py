"""A transaction that has begun runs to its end, also when the task that asked for it is cancelled.

Cutting a transaction off half-way would leave its connection, and on SQLite the lock on the whole file, to
the garbage collector.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, TypeVar

T = TypeVar("T")


def whole(kind: type[T]) -> type[T]:
    """Class decorator: each public async method runs to its end; a cancellation takes effect after it."""
    for name, method in list(vars(kind).items()):
        if inspect.iscoroutinefunction(method) and not name.startswith("_"):
            setattr(kind, name, _to_its_end(method))
    return kind


def _to_its_end(method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    @wraps(method)
    async def call(*arguments: Any, **named: Any) -> Any:
        work = asyncio.ensure_future(method(*arguments, **named))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            await asyncio.wait([work])
            raise

    return call
