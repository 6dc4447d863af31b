"""`pestle eval refinement`: what one request changed in a report, sentence by sentence (TSAssistant, 4.2.2).

Whatever changes outside the section that was asked about is collateral, be it a citation with another number.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from agents.errors import LedgerMismatch
from agents.reports.diff import SentenceChange, Side, difference
from agents.reports.values import Report, Section
from agents.runs.encoding import decode
from retrieval.errors import JudgementsError


@dataclass(frozen=True, slots=True)
class Refinement:
    """What changed between two states of a report: sentences that were taken out or came in, by section.

    `identical` are other sections than the one asked about that are the same to the byte, `collateral` those
    that are not.
    """

    asked: str
    changes: dict[str, tuple[SentenceChange, ...]]
    identical: tuple[str, ...]
    collateral: tuple[str, ...]


def read_report(path: Path) -> Report:
    """The report in a file of either of Pestle's JSON forms. Raises `JudgementsError`."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        found: Report = decode(Report, json.dumps(content.get("report", content)), "report")
    except (OSError, ValueError, AttributeError, LedgerMismatch) as error:
        raise JudgementsError(f"{path} holds no report of Pestle as JSON. {error}") from error
    return found


def refinement(before: Report, after: Report, asked: str = "") -> Refinement:
    """What changed. Without `asked` it is the section with a new revision, else the one that changed most.

    Raises `JudgementsError` if there is no such section.
    """
    ids = tuple(dict.fromkeys(section.id for report in (before, after) for section in report.sections))
    if asked and asked not in ids:
        raise JudgementsError(f"There is no section {asked!r}; there are {', '.join(ids)}.")
    changes = {name: _changed(before.section(name), after.section(name)) for name in ids}
    revised = [name for name in ids if _revision(before.section(name)) != _revision(after.section(name))]
    likely = revised if len(revised) == 1 else ids
    asked = asked or max(likely, key=lambda name: len(changes[name]), default="")
    others = [name for name in ids if name != asked]
    same = {name for name in others if _shown(before.section(name)) == _shown(after.section(name))}
    identical = tuple(name for name in others if name in same)
    return Refinement(asked, changes, identical, tuple(name for name in others if name not in same))


def _changed(before: Section | None, after: Section | None) -> tuple[SentenceChange, ...]:
    empty = Section("", "")
    every = difference(before or empty, after or empty)
    return tuple(one for one in every if one.side is not Side.BOTH)


def _revision(section: Section | None) -> int:
    return section.revision if section else 0


def _shown(section: Section | None) -> bytes:
    """What a reader sees of a section: text and citations, not its state."""
    if section is None:
        return b""
    blocks, citations = ([asdict(one) for one in each] for each in (section.blocks, section.citations))
    return orjson.dumps((section.title, blocks, citations))
