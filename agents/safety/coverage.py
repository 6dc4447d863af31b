"""Which sources were asked, in which state of their data, and whether they hold anything on the target.

One table tells it for the whole report; a section without evidence says in one sentence why.
"""

import re
from collections.abc import Iterable, Sequence

from agents.counts import listed
from agents.databases.facts import Response
from agents.safety.material import Draft, Material
from agents.safety.outline import EVIDENCE, Outline
from agents.safety.sections.wish import Wish
from agents.safety.synthesis.risks import READ, RULE
from agents.safety.synthesis.systems import SYSTEMS_HOW
from agents.safety.synthesis.wording import sentence
from agents.safety.values import CellDraft, Collected, TableDraft, missing_of

TITLE = "Sources"
COLUMNS = ("Source", "Release or date", "Asked", "Holds the target", "Used in")
HOW = "“No row”: what is at hand of a source, at the release beside it, names nothing of the target."
UNSTATED = "not stated"


def coverage(material: Material, wish: Wish) -> Draft:
    """The section by rules: a row for each source."""
    by_source: dict[str, list[Collected]] = {}
    for one in material.collected:
        by_source.setdefault(one.source, []).append(one)
    rows = sorted(by_source.items(), key=lambda pair: (_order(pair[1]), pair[0].casefold()))
    table = TableDraft(TITLE, COLUMNS, tuple(_row(name, found) for name, found in rows))
    remarks = tuple(dict.fromkeys(line for _, found in rows for line in _why(found)))
    read = (READ,) if any(one.assumed for one in material.risks) else ()
    return Draft((), (table,), (HOW, *grouped(remarks), RULE, *read, SYSTEMS_HOW))


def releases_of(collected: Iterable[Collected]) -> tuple[str, ...]:
    """The states of the sources' data, which a report may name."""
    found = (item.release or item.date for one in collected for item in one.evidence)
    return tuple(dict.fromkeys(filter(None, found)))


def asked_of(outline: Outline, material: Material) -> list[Collected]:
    """The tools that research a section."""
    return [one for one in material.collected if outline.asks(one.topics)]


def without_evidence(outline: Outline, material: Material) -> tuple[str, ...]:
    """Why a section has no evidence, in words: who was asked and holds nothing, and who was not asked."""
    by_answer: dict[Response, list[Collected]] = {kind: [] for kind in Response}
    for one in asked_of(outline, material):
        by_answer[one.answer].append(one)
    empty, off, failed = (by_answer[kind] for kind in (Response.NO_ROW, Response.NOT_ASKED, Response.FAILED))
    head = "Nothing found" if empty else "Not assessed"
    told = [f"what is at hand of {listed(_names(empty))} holds nothing"] if empty else []
    told += [f"{_joined(_names(off))} not asked"] if off else []
    told += [f"{listed(_names(failed))} failed"] if failed else []
    details = (sentence(line.removeprefix("Nothing found: ")) for line in missing_of(empty))
    return (f"{head}: {'; '.join(told) or 'no source told of it'}.", *details)


def failures_of(outline: Outline, material: Material) -> tuple[str, ...]:
    """What sources of a section could not tell because they failed, as they say it."""
    failed = (one for one in asked_of(outline, material) if one.answer is Response.FAILED)
    return missing_of(failed)


def not_assessed(material: Material) -> str:
    """The fields without any evidence, for the summary."""
    empty = [one.title[:1].lower() + one.title[1:] for one in EVIDENCE if not material.of(*one.topics)]
    return f"Not assessed, or nothing found: {listed(empty)}." if empty else ""


def grouped(lines: Iterable[str]) -> tuple[str, ...]:
    """Sentences in their order; sources that were not asked for the same reason share one."""
    reasons: dict[str, list[str]] = {}
    others: list[str] = []
    for line in lines:
        if found := re.fullmatch(r"(?P<who>[^:]{1,60}) was not asked: (?P<why>.+)", line):
            reasons.setdefault(found["why"], []).append(found["who"])
        else:
            others.append(line)
    told = (f"{_joined(names)} not asked: {why}" for why, names in reasons.items())
    return (*others, *told)


def _row(name: str, found: Sequence[Collected]) -> tuple[CellDraft, ...]:
    answers = {one.answer for one in found}
    release = releases_of(found)
    asked = "no" if answers == {Response.NOT_ASKED} else "failed" if answers == {Response.FAILED} else "yes"
    holds = Response.FOUND if Response.FOUND in answers else Response.NO_ROW if asked == "yes" else ""
    titles = [one.title for one in EVIDENCE if any(one.asks(each.topics) and each.facts for each in found)]
    state = ", ".join(release) or (UNSTATED if asked == "yes" else "")
    first = {one.key: one for each in found for one in reversed(each.facts)}
    quotes = tuple(quote for one in first.values() for quote in one.fact.quotes[:1])
    held = CellDraft(str(holds), tuple(first), quotes)
    return (CellDraft(name), CellDraft(state), CellDraft(asked), held, CellDraft("; ".join(titles)))


def _order(found: Sequence[Collected]) -> int:
    """Sources that hold something first, those that were not asked last."""
    return min(list(Response).index(one.answer) for one in found)


def _why(found: Sequence[Collected]) -> tuple[str, ...]:
    """Why sources without a row have none, where it is more than that they hold nothing."""
    silent = (one for one in found if one.answer in (Response.NOT_ASKED, Response.FAILED))
    return missing_of(silent)


def _names(found: Iterable[Collected]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.source for one in found))


def _joined(names: Sequence[str]) -> str:
    return f"{listed(names)} {'was' if len(names) == 1 else 'were'}"
