"""What the page shows of each thread, and who is watching: the web's `ChatPlatform`."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from agents.ports import Ledger
from agents.runs.records import RunRecord
from bot import cards
from bot.ports import Conversations
from bot.threads import question_of
from bot.values import Card, CardKind, ThreadRef
from workers.carrier import OVER

LAG = 256
"""Posts that a slow reader may lag behind; one that lags more loses the oldest, and sees them when it
reloads.
"""


@dataclass(frozen=True, slots=True)
class Post:
    """A message of a thread: a card, or the text of a question."""

    post_id: str
    card: Card | None = None
    question: str = ""


class Board:
    """The web's `ChatPlatform`. A thread is rebuilt from the ledger when first looked at; later cards arrive
    live.
    """

    name = "web"

    def __init__(self, ledger: Ledger, conversations: Conversations) -> None:
        self._ledger = ledger
        self._conversations = conversations
        self._threads: dict[str, dict[str, Post]] = {}
        self._watchers: dict[str, set[asyncio.Queue[Post]]] = {}
        self._numbers = itertools.count(1)

    async def post(self, thread: ThreadRef, card: Card) -> str:
        """Show a card as a new post; the posts of a run have ids that survive a restart."""
        lasting = card.run_id and card.kind in (CardKind.PROGRESS, CardKind.ANSWER)
        post_id = f"{card.kind}-{card.run_id}" if lasting else f"post-{next(self._numbers)}"
        await self.update(thread, post_id, card)
        return post_id

    async def update(self, thread: ThreadRef, message_id: str, card: Card) -> None:
        """Replace a post, or add it where the thread does not have it."""
        posts = await self._posts(thread)
        posts[message_id] = Post(message_id, card)
        for watcher in self._watchers.get(thread.thread_id, ()):
            if watcher.full():
                watcher.get_nowait()
            watcher.put_nowait(posts[message_id])

    async def asked(self, thread: ThreadRef, run_id: str, question: str) -> None:
        """Show a question above the cards of its run."""
        posts = await self._posts(thread)
        if f"question-{run_id}" not in posts:
            posts[f"question-{run_id}"] = Post(f"question-{run_id}", question=question)

    async def posts(self, thread: ThreadRef) -> list[Post]:
        """The posts of a thread in order."""
        return list((await self._posts(thread)).values())

    @contextmanager
    def watching(self, thread: ThreadRef) -> Iterator[AsyncIterator[Post]]:
        """New and changed posts of a thread, as they come."""
        queue: asyncio.Queue[Post] = asyncio.Queue(LAG)
        self._watchers.setdefault(thread.thread_id, set()).add(queue)
        try:
            yield _items(queue)
        finally:
            self._watchers[thread.thread_id].discard(queue)

    async def _posts(self, thread: ThreadRef) -> dict[str, Post]:
        """The posts of a thread, rebuilt from the ledger the first time."""
        if thread.thread_id not in self._threads:
            runs = await self._ledger.runs(limit=200, thread_id=thread.thread_id)
            found = [post for record in reversed(runs) for post in await self._rebuilt(record)]
            self._threads.setdefault(thread.thread_id, {post.post_id: post for post in found})
        return self._threads[thread.thread_id]

    async def _rebuilt(self, record: RunRecord) -> list[Post]:
        """Question, progress and answer of an earlier run."""
        question = question_of(record).text
        events = await self._ledger.events(record.run_id)
        posts = [
            Post(f"question-{record.run_id}", question=question),
            Post(f"progress-{record.run_id}", cards.progress_card(record, question, events)),
        ]
        if record.state in OVER:
            feedback = await self._conversations.feedback(record.run_id)
            posts.append(Post(f"answer-{record.run_id}", cards.ending_card(record, feedback)))
        return posts


async def _items(queue: "asyncio.Queue[Post]") -> AsyncIterator[Post]:
    """Items of a queue, without end."""
    while True:
        yield await queue.get()
