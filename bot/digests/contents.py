"""What a digest tells: looked up at its time, and compared with what the channel knew before."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from agents.counts import shortened
from agents.kinds import RunView, Watch
from agents.ports import Ledger
from agents.reports.values import Report, SectionState
from agents.runs.clock import stamp
from agents.runs.records import RunRecord, RunState
from bot.digests.ports import Document, News
from bot.digests.values import (
    PINS,
    WATCHES,
    Baseline,
    ChangedAnswer,
    Contents,
    Digest,
    Known,
    NewDocument,
    Pin,
    Review,
)
from bot.ports import Conversations
from bot.report_cards import source_of
from bot.values import ThreadRef
from bot.views import Views
from retrieval.records import has_words

logger = logging.getLogger(__name__)

RUNS_READ = 500
"""Latest runs of a channel among which reviews are looked for."""
REVIEWED = timedelta(days=90)
"""How old a report may be whose stale sections are told."""


@dataclass(frozen=True, slots=True)
class Gatherer:
    """Looks everything up that a digest may tell.

    What fails is told in a sentence and leaves the rest; what was known of it stays known, so that nothing is
    lost by a database that was away.
    """

    ledger: Ledger
    conversations: Conversations
    views: Views
    news: News
    watches: Mapping[str, Watch]

    async def gathered(
        self, digest: Digest, now: str, again: Mapping[str, RunRecord]
    ) -> tuple[Contents, Baseline]:
        """What is new since the digest's baseline, and the next baseline.

        `again` are the runs that asked pinned questions once more, by pin; without one a question's answer
        is taken for unchanged.
        """
        before = digest.baseline
        contents, after = Contents(), replace(before, since=now)
        contents, after = await self._documents(digest, contents, after)
        contents, after = await self._labels(digest, contents, after)
        contents, after = await self._answers(digest, again, contents, after)
        reviews = (*await self._waiting(digest), *await self._stale(digest, now))
        return replace(contents, reviews=reviews), after

    async def baseline(self, thread: ThreadRef, now: str) -> Baseline:
        """What a channel knows now: a first digest tells what comes after it."""
        held = await self.news.documents()
        documents = {one.doc_id: one.sha256 for one in held.values()}
        labels = {}
        for one in await WATCHES.all(self.conversations, thread):
            labels[one.key] = await self.watches[one.kind].look(one.key)
        return Baseline(now, documents, {}, labels)

    async def _documents(
        self, digest: Digest, contents: Contents, after: Baseline
    ) -> tuple[Contents, Baseline]:
        """Documents that came or changed, those on the digest's subject."""
        try:
            held = await self.news.documents()
            known = digest.baseline.documents
            new = [one for one in held.values() if known.get(one.doc_id) != one.sha256]
            chosen = await self._chosen(new, digest.about)
        except Exception as error:
            logger.warning("the documents of digest %d: %s", digest.number, error)
            return _failed(contents, f"New documents could not be looked up: {error}"), after
        told = tuple(NewDocument(one.doc_id, one.title, one.doc_id in known) for one in chosen)
        now = {one.doc_id: one.sha256 for one in held.values()}
        return replace(contents, documents=told), replace(after, documents=now)

    async def _chosen(self, new: Sequence[Document], about: str) -> list[Document]:
        if not about or not new:
            return list(new)
        by_id = {one.doc_id: one for one in new}
        return [by_id[doc_id] for doc_id in await self.news.about(by_id, about)]

    async def _labels(self, digest: Digest, contents: Contents, after: Baseline) -> tuple[Contents, Baseline]:
        """What changed of what the channel watches. A first look tells nothing."""
        labels, told = dict(digest.baseline.labels), list(contents.labels)
        for one in await WATCHES.all(self.conversations, digest.thread):
            try:
                watch = self.watches[one.kind]
                seen = await watch.look(one.key)
                if earlier := labels.get(one.key):
                    told += watch.news(earlier, seen)
                labels[one.key] = seen
            except Exception as error:
                logger.warning("watch %s of digest %d: %s", one.key, digest.number, error)
                contents = _failed(contents, f"What is watched ({one.asked}) could not be read: {error}")
        return replace(contents, labels=tuple(dict.fromkeys(told))), replace(after, labels=labels)

    async def _answers(
        self, digest: Digest, again: Mapping[str, RunRecord], contents: Contents, after: Baseline
    ) -> tuple[Contents, Baseline]:
        """Pinned questions that are answered otherwise now, and what each is answered."""
        answers, changed = dict(digest.baseline.answers), []
        for one in await PINS.all(self.conversations, digest.thread):
            if (record := again.get(one.run_id)) is None:
                continue
            now, before = await self._report(record), answers.get(one.run_id) or await self._first(one)
            if now is None or record.state is not RunState.DONE:
                contents = _failed(contents, f"“{one.asked}” could not be asked again: {record.error}")
                continue
            if before and (told := _changed(one, before, now, record.run_id)):
                changed.append(told)
            answers[one.run_id] = known(now)
        return replace(contents, answers=tuple(changed)), replace(after, answers=answers)

    async def _first(self, one: Pin) -> Known | None:
        """The answer that was pinned."""
        record = await self.ledger.run(one.run_id)
        report = await self._report(record) if record else None
        return known(report) if report else None

    async def _report(self, record: RunRecord) -> Report | None:
        """The report that a run wrote, as its readers get it."""
        return (await self.views.of(record)).report

    async def _waiting(self, digest: Digest) -> list[Review]:
        """What runs of the channel on the digest's subject wait for."""
        runs = await self.conversations.runs(digest.thread, state=RunState.WAITING, limit=RUNS_READ)
        return [
            Review(f"“{_short(view)}” waits: {one.request.question}", view.record.run_id)
            for view in await self.views.all(_public(runs))
            if has_words(_subject(view), digest.about)
            for one in await self.ledger.open_requests(view.record.run_id)
        ]

    async def _stale(self, digest: Digest, now: str) -> list[Review]:
        """Which sections of the channel's latest reports on its subject rest on what is no longer said."""
        since = stamp(datetime.fromisoformat(now) - REVIEWED)
        runs = await self.conversations.runs(digest.thread, since=since, limit=RUNS_READ)
        return [
            Review(f"“{_short(view)}”: stale: {', '.join(stale)}", view.record.run_id)
            for view in await self.views.all(_public(runs))
            if has_words(_subject(view), digest.about) and (stale := _stale_titles(view))
        ]


def known(report: Report) -> Known:
    """An answer as a digest keeps it."""
    cited = tuple((one.doc_id, one.quote) for one in report.citations)
    return Known(report.outcome, report.short, cited)


def _changed(pin: Pin, before: Known, now: Report, run_id: str) -> ChangedAnswer | None:
    """What changed, if the evidence did: other words for the same passages are no change."""
    after = known(now)
    if (after.outcome, set(after.cited)) == (before.outcome, set(before.cited)):
        return None
    new = tuple(source_of(one) for one in now.citations if (one.doc_id, one.quote) not in before.cited)
    return ChangedAnswer(pin.asked, before.short or before.outcome, after.short or after.outcome, run_id, new)


def _public(runs: Sequence[RunRecord]) -> list[RunRecord]:
    """Without those of private conversations: a digest is read by the whole channel."""
    return [one for one in runs if not ThreadRef.parse(one.thread_id).only]


def _subject(view: RunView) -> str:
    return " ".join((view.asked, *(view.report.about if view.report else ())))


def _stale_titles(view: RunView) -> list[str]:
    sections = view.report.sections if view.report and view.record.state is not RunState.WAITING else ()
    return [one.title for one in sections if one.state is SectionState.STALE]


def _failed(contents: Contents, told: str) -> Contents:
    return replace(contents, failed=(*contents.failed, told))


def _short(view: RunView) -> str:
    return shortened(" ".join(view.asked.split()), 80)
