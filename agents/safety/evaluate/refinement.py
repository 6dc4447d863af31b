"""`pestle eval refinement`: what one request changed in a report, sentence by sentence (TSAssistant, 4.2.2).

A sentence is changed if it was added, removed or reworded. Changes outside the asked section are collateral.
An expert labels each changed sentence: B (beneficial), N (neutral) or H (harmful); the figures come from the
labels. A request that changed nothing in its section was not responded to.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from pathlib import Path
from typing import Any

import orjson

from agents.reports.diff import SentenceChange, Side, difference
from agents.reports.values import Report, Section
from retrieval.errors import JudgementsError

REWORDED = 0.6
"""Likeness from which a removed and an added sentence are one that was reworded."""
COLUMNS = ("request", "section", "asked", "change", "before", "after", "label", "remark")


class Label(StrEnum):
    """What an expert says of a changed sentence."""

    BENEFICIAL = "B"
    NEUTRAL = "N"
    HARMFUL = "H"


@dataclass(frozen=True, slots=True)
class Change:
    """A changed sentence: "added", "removed" or "reworded", in the section that was asked about or not."""

    section: str
    asked: bool
    change: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Refinement:
    """What changed between two states of a report.

    `identical` are other sections that are the same to the byte, `collateral` those that are not: also one
    without a changed sentence, such as a citation with another number.
    """

    asked: str
    changes: tuple[Change, ...]
    identical: tuple[str, ...]
    collateral: tuple[str, ...]

    @property
    def in_section(self) -> int:
        """Changed sentences of the section that was asked about."""
        return sum(change.asked for change in self.changes)

    def as_json(self) -> bytes:
        """Everything as JSON."""
        content = {
            "asked": self.asked,
            "changed": len(self.changes),
            "changed_in_section": self.in_section,
            "changed_elsewhere": len(self.changes) - self.in_section,
            "responded": self.in_section > 0,
            "identical_sections": self.identical,
            "collateral_sections": self.collateral,
            "changes": [asdict(change) for change in self.changes],
        }
        return orjson.dumps(content, option=orjson.OPT_INDENT_2)

    def sheet(self, request: str) -> str:
        """The labelling sheet as CSV: one row a changed sentence, with an empty label.

        A request that changed nothing has one row without a change, so that it counts as not responded to.
        """
        rows = self.changes or (Change(self.asked, True, "", "", ""),)
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        for one in rows:
            cells = (one.section, "yes" if one.asked else "no", one.change, one.before, one.after)
            writer.writerow([_plain(cell) for cell in (request, *cells, "", "")])
        return text.getvalue()


def refinement(before: Report, after: Report, asked: str = "") -> Refinement:
    """What changed. Without `asked` it is the section with a new revision, else the one that changed most.

    Raises `JudgementsError` if there is no such section.
    """
    ids = tuple(dict.fromkeys(section.id for report in (before, after) for section in report.sections))
    if asked and asked not in ids:
        raise JudgementsError(f"There is no section {asked!r}; there are {', '.join(ids)}.")
    found = {name: _changed(before.section(name), after.section(name)) for name in ids}
    asked = asked or _asked(before, after, found)
    others = tuple(name for name in ids if name != asked)
    same = {name for name in others if _bytes(before.section(name)) == _bytes(after.section(name))}
    changes = tuple(Change(name, name == asked, *what) for name in ids for what in found[name])
    return Refinement(
        asked,
        changes,
        tuple(name for name in others if name in same),
        tuple(name for name in others if name not in same),
    )


@dataclass(frozen=True, slots=True)
class Labelled:
    """The figures of labelled sheets (4.2.2); shares are of the labelled sentences, None without any."""

    requests: int
    responded: int
    beneficial: int
    neutral: int
    harmful: int
    unlabelled: int

    def as_fields(self) -> dict[str, Any]:
        """Counts and rates by name."""
        total = self.beneficial + self.neutral + self.harmful
        shares = {
            "benefit_rate": self.beneficial,
            "neutral_rate": self.neutral,
            "harm_rate": self.harmful,
            "net_improvement": self.beneficial - self.harmful,
        }
        rates = {name: round(count / total, 4) if total else None for name, count in shares.items()}
        responses = round(self.responded / self.requests, 4) if self.requests else None
        return {**asdict(self), "labelled": total, **rates, "response_rate": responses}


def labelled(sheets: Iterable[Path]) -> Labelled:
    """The figures of filled-in sheets. Raises `JudgementsError` for a file or label that is not in form."""
    rows = [row for path in sheets for row in _rows(path)]
    labels = [label for row in rows if row["change"] and (label := _label(row["label"]))]
    requests = {row["request"] for row in rows}
    responded = {row["request"] for row in rows if row["change"] and row["asked"] == "yes"}
    return Labelled(
        len(requests),
        len(responded),
        labels.count(Label.BENEFICIAL),
        labels.count(Label.NEUTRAL),
        labels.count(Label.HARMFUL),
        sum(bool(row["change"]) for row in rows) - len(labels),
    )


def _rows(path: Path) -> list[dict[str, str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            reader = csv.DictReader(lines)
            missing = set(COLUMNS[:-1]) - set(reader.fieldnames or ())
            rows = list(reader)
    except OSError as error:
        raise JudgementsError(f"{path} cannot be read: {error.strerror}.") from error
    if missing:
        raise JudgementsError(f"{path} is no labelling sheet: it lacks {', '.join(sorted(missing))}.")
    return rows


def _label(written: str) -> Label | None:
    """The label of a cell, in either case; None for an empty one."""
    short = written.strip().upper()[:1]
    if not short:
        return None
    if short not in set(Label):
        raise JudgementsError(f"{written!r} is no label: write B, N or H.")
    return Label(short)


def _changed(before: Section | None, after: Section | None) -> list[tuple[str, str, str]]:
    """The changed sentences of a section: how, before and after."""
    empty = Section("", "")
    runs: list[list[SentenceChange]] = [[]]
    for change in difference(before or empty, after or empty):
        if change.side is Side.BOTH:
            runs.append([])
        else:
            runs[-1].append(change)
    return [found for run in runs for found in _paired(run)]


def _paired(run: Sequence[SentenceChange]) -> list[tuple[str, str, str]]:
    """Removed and added sentences that stand together: the likest are one that was reworded."""
    removed = [one.text for one in run if one.side is Side.BEFORE]
    found = []
    for text in (one.text for one in run if one.side is Side.AFTER):
        likest = max(removed, key=lambda old: _likeness(old, text), default="")
        if likest and _likeness(likest, text) >= REWORDED:
            removed.remove(likest)
            found.append(("reworded", likest, text))
        else:
            found.append(("added", "", text))
    return [*(("removed", old, "") for old in removed), *found]


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.split(), other.split(), autojunk=False).ratio()


def _asked(before: Report, after: Report, found: dict[str, list[tuple[str, str, str]]]) -> str:
    revised = [
        one.id for one in after.sections if (old := before.section(one.id)) and one.revision != old.revision
    ]
    if len(revised) == 1:
        return revised[0]
    return max(found, key=lambda name: len(found[name]), default="")


def _bytes(section: Section | None) -> bytes:
    """What a reader sees of a section: text and citations, not its state."""
    if section is None:
        return b""
    shown = (
        section.title,
        [asdict(block) for block in section.blocks],
        [asdict(c) for c in section.citations],
    )
    return orjson.dumps(shown)


def _plain(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell[:1] in "=+-@" and cell else cell
