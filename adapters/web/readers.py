"""The page as each of its readers has it: everybody sees the threads and documents that they may read."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from starlette.types import ASGIApp, Receive, Scope, Send

from adapters.web.board import Board, Post
from adapters.web.login import LOOK_AGAIN_S, Door
from agents.errors import UnknownRun
from agents.ports import Ledger
from bot.rights import Reads, within
from bot.values import ThreadRef

ReadsOf = Callable[[str], Awaitable[Reads]]
"""What an account may read."""
PageOf = Callable[[Reads], Awaitable[ASGIApp]]
"""The page of who may read these collections."""


@dataclass(frozen=True, slots=True)
class PageByReader:
    """ASGI application: passes each request on to the page of who sends it. An answer that goes on for long,
    such as a stream of news, ends when they may read something else.
    """

    page: ASGIApp
    door: Door
    reads_of: ReadsOf
    page_of: PageOf

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return await self.page(scope, receive, send)
        reads = await self._reads(scope)
        page = self.page if reads is None else await self.page_of(reads)
        serving = asyncio.ensure_future(page(scope, receive, send))
        try:
            while not (await asyncio.wait({serving}, timeout=LOOK_AGAIN_S))[0]:
                if await self._reads(scope) != reads:
                    serving.cancel()
        except asyncio.CancelledError:
            serving.cancel()
            raise
        with suppress(asyncio.CancelledError):
            await serving

    async def _reads(self, scope: Scope) -> Reads:
        """What the sender may read; who has no session is asked to log in, and sees nothing before."""
        return await self.reads_of((await self.door.who(scope)).name)


@dataclass(frozen=True, slots=True)
class SeenBoard:
    """A board as somebody sees it who may read the collections `mine`: without posts of what they may not
    read. `ledger` holds the runs that they may see.
    """

    board: Board
    ledger: Ledger
    mine: Reads

    async def posts(self, thread: ThreadRef) -> list[Post]:
        """See `Board`."""
        return [post for post in await self.board.posts(thread) if await self._shows(post)]

    def heard(self, mark: str, text: str, by: str) -> None:
        """See `Board`."""
        self.board.heard(mark, text, by)

    async def asked(self, thread: ThreadRef, run_id: str) -> Post:
        """See `Board`. Raises `UnknownRun`."""
        post = await self.board.asked(thread, run_id)
        if not await self._shows(post):
            raise UnknownRun(f"There is no run {run_id}.")
        return post

    @contextmanager
    def watching(self, thread: ThreadRef) -> Iterator[AsyncIterator[Post]]:
        """See `Board`."""
        with self.board.watching(thread) as posts:
            yield self._shown(posts)

    async def _shown(self, posts: AsyncIterator[Post]) -> AsyncIterator[Post]:
        async for post in posts:
            if await self._shows(post):
                yield post

    async def _shows(self, post: Post) -> bool:
        card = post.card or post.above
        run_id = card.run_id if card else post.post_id.removeprefix("question-")
        if run_id:
            return await self.ledger.run(run_id) is not None
        return card is not None and within(card.reads, self.mine)
