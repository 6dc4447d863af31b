"""What the page shows of each thread, and who is watching: the web's `ChatPlatform`."""

import asyncio
import itertools
import json
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

from adapters.web.login import USER
from agents.errors import UnknownKind, UnknownRun
from agents.kinds import RunView
from agents.ports import Artefacts, Ledger
from agents.reports.midrun import SHOWN
from agents.runs.artefacts import MemoryArtefacts
from agents.runs.heard import HEARD, everything_said
from agents.runs.records import Event
from agents.runs.requests import ASKED
from bot import cards
from bot.attachments import Attachments
from bot.history_cards import revision_card
from bot.listening import LISTENS
from bot.ports import Conversations, Outbox
from bot.progress import cards_of_work
from bot.values import Card, CardKind, ThreadRef, answer_slot, progress_slot, request_slot, section_slot
from bot.views import Views

LASTING = ("progress:", "request:", "answer:", "section:", "digest:")
"""Slots whose posts are rebuilt after a restart."""
LAST = sys.maxsize
"""Above the number of any event."""
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
    by: str = ""
    """Who asked it."""
    above: Card | None = None
    """A card that belongs to words which began no run: who may see it sees them."""


class Board:
    """The web's `ChatPlatform`. A thread is rebuilt from the ledger when first looked at; later cards arrive
    live.
    """

    name = "web"

    def __init__(
        self,
        ledger: Ledger,
        conversations: Conversations,
        views: Views,
        outbox: Outbox | None = None,
        artefacts: Artefacts | None = None,
    ) -> None:
        self._attachments = Attachments(artefacts or MemoryArtefacts())
        self._outbox = outbox
        self._ledger = ledger
        self._views = views
        self._conversations = conversations
        self._threads: dict[str, dict[str, Post]] = {}
        self._watchers: dict[str, set[asyncio.Queue[Post]]] = {}
        self._numbers = itertools.count(1)
        self._heard: dict[str, Post] = {}

    async def post(self, thread: ThreadRef, card: Card) -> str:
        """Show a card as a new post; the posts of a run have ids that survive a restart."""
        lasting = card.mark.startswith(LASTING)
        said = self._heard.pop(card.mark, None)
        refused = card.kind is CardKind.ERROR and said and said.by == USER  # their words stay in the box
        if said and said.question and not refused:
            self._show(thread, await self._posts(thread), replace(said, above=card))
        post_id = post_id_of(card.mark) if lasting else f"post-{next(self._numbers)}"
        await self.update(thread, post_id, card)
        return post_id

    async def update(self, thread: ThreadRef, message_id: str, card: Card) -> None:
        """Replace a post, or add it where the thread does not have it.

        The progress of a run comes after its question, whoever brings it first; what people said to a run
        comes before the card that tells that it listens.
        """
        posts = await self._posts(thread)
        if card.mark.startswith(LISTENS):
            for said in _said(await self._ledger.events(card.run_id), card):
                if said.post_id not in posts:
                    self._show(thread, posts, said)
        if card.kind is CardKind.PROGRESS and question_id(card.run_id) not in posts:
            with suppress(UnknownRun, UnknownKind):
                view = await self._views.by_id(card.run_id)
                self._show(thread, posts, _question(view))
        self._show(thread, posts, Post(message_id, card))

    def heard(self, mark: str, text: str, by: str) -> None:
        """Keep words that came, to be shown above the card with this mark that replies to them."""
        self._heard[mark] = Post(post_id_of(f"said:{mark}"), question=text, by=by)
        for old in [*self._heard][:-LAG]:
            del self._heard[old]

    async def asked(self, thread: ThreadRef, run_id: str) -> Post:
        """The question of a run that was just started, shown if it is not yet."""
        posts = await self._posts(thread)
        if question_id(run_id) not in posts:
            self._show(thread, posts, _question(await self._views.by_id(run_id)))
        return posts[question_id(run_id)]

    def _show(self, thread: ThreadRef, posts: dict[str, Post], post: Post) -> None:
        posts[post.post_id] = post
        for watcher in self._watchers.get(thread.thread_id, ()):
            if watcher.full():
                watcher.get_nowait()
            watcher.put_nowait(post)

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
            views = await self._views.all(runs[::-1])
            found = [post for view in views for post in await self._rebuilt(view)]
            told = await self._outbox.shown(thread, "digest") if self._outbox else []
            found += [Post(post_id_of(slot), card) for slot, card in told]
            self._threads.setdefault(thread.thread_id, {post.post_id: post for post in found})
        return self._threads[thread.thread_id]

    async def _rebuilt(self, view: RunView) -> list[Post]:
        """Question, progress and report of an earlier run, and what was said to it, as they came."""
        run_id = view.record.run_id
        events = await self._ledger.events(run_id)
        asked = await self._ledger.open_requests(run_id)
        files = await self._attachments.of(events)
        shown = list(cards_of_work(view, asked, events, files).items())
        if view.record.state.over and view.record.revises:
            revised = await self._views.by_id(view.record.revises)
            shown.append((answer_slot(run_id), revision_card(revised, view)))
        elif view.record.state.over:
            shown += cards.ending_cards(view, await self._conversations.feedback(run_id))
        posts = [Post(post_id_of(slot), card) for slot, card in dict(shown).items()]
        came = _came(run_id, events)
        posts = sorted((*posts, *_said(events, posts[0].card)), key=lambda post: came.get(post.post_id, LAST))
        return [_question(view), *posts]


def question_id(run_id: str) -> str:
    """The id of the post with the question of a run."""
    return f"question-{run_id}"


def _question(view: RunView) -> Post:
    record = view.record
    return Post(question_id(record.run_id), question=view.asked, by=record.asked_by)


def _said(events: Sequence[Event], above: Card | None) -> list[Post]:
    """What people wrote to a run while it worked."""
    said = (one for one in everything_said(events) if one.text)
    return [Post(post_id_of(f"said:{one.key}"), question=one.text, by=one.who, above=above) for one in said]


def _came(run_id: str, events: Sequence[Event]) -> dict[str, int]:
    """The number of the event with which each post of a run came first."""
    came = {post_id_of(progress_slot(run_id)): 0}
    slots: dict[str, Callable[[Any], str]] = {
        SHOWN: lambda told: section_slot(run_id, told["section"]["id"]),
        ASKED: lambda told: request_slot(run_id, told["name"]),
        HEARD: lambda told: f"said:{told['key']}",
    }
    for event in events:
        if event.kind in slots:
            came.setdefault(post_id_of(slots[event.kind](json.loads(event.detail))), event.number)
    return came


def post_id_of(slot: str) -> str:
    """The id of the post that fills a slot; the same after a restart."""
    return slot.replace(":", "-")


async def _items(queue: "asyncio.Queue[Post]") -> AsyncIterator[Post]:
    """Items of a queue, without end."""
    while True:
        yield await queue.get()
