"""`Labels` over what was loaded; openFDA over the network only for a drug of which nothing is loaded."""

import asyncio
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

from agents.databases.fields import cell, items, text, texts
from agents.databases.ingredients import spellings
from agents.databases.label_format import DATA, SOURCE, whole_label
from agents.databases.labels import LabelPassage, ranked
from agents.databases.openfda import API, OPENFDA, phrase, results
from agents.databases.ports import Reach, WebRequest
from agents.errors import ToolFailed

MOST_LABELS = 3
"""Labels of one drug that are read: those of other labelers mostly repeat them."""
ASKED = 5
LONGEST = 1200
"""Characters of a passage: a section is cut between sentences into passages of this length."""
SENTENCE = re.compile(r"(?<=[.!?:;])\s+(?=[A-Z0-9(•*\[])")
LEFT_OUT = frozenset((DATA, "package_label_principal_display_panel", "spl_unclassified_section_table"))
"""Sections that say nothing of a drug but its names; they are stored and not read."""
NAMED = "FDA drug labels"


class LabelStore:
    """`Labels` over a reach."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._titles: frozenset[str] = frozenset()

    async def passages(self, names: Sequence[str], sections: Sequence[str] = ()) -> tuple[LabelPassage, ...]:
        """See `Labels`. Raises `ToolFailed` where openFDA has to be asked and does not reply as it should."""
        rows = await self._loaded(names)
        if not rows and self._reach.web is not None:
            rows = await self._fetched(names)
        chosen = chosen_rows(rows, names)
        found = await asyncio.to_thread(lambda: [one for row in chosen for one in _passages(row)])
        return tuple(one for one in found if not sections or one.section in sections)

    async def known(self, names: Sequence[str]) -> bool:
        """See `Labels`."""
        if self._reach.web is not None:
            return True
        if not self._titles:
            self._titles = frozenset(key.casefold() for key in await self._reach.bulk.keys(SOURCE))
        return any(name in self._titles for name in spellings(names))

    async def search(self, names: Sequence[str], query: str, limit: int = 10) -> tuple[LabelPassage, ...]:
        """See `Labels`."""
        return ranked(await self.passages(names), query)[:limit]

    async def _loaded(self, names: Sequence[str]) -> list[Mapping[str, str]]:
        found: dict[str, Mapping[str, str]] = {}
        for name in spellings(names):
            for row in await self._reach.bulk.rows(SOURCE, name):
                found[row.get("version", "")] = row
        return list(found.values())

    async def _fetched(self, names: Sequence[str]) -> list[Mapping[str, str]]:
        """Labels from openFDA by the drug's first name."""
        assert self._reach.web is not None
        name = phrase(names[0])
        search = f"openfda.generic_name:{name} OR openfda.substance_name:{name}"
        params = (("search", search), ("sort", "effective_time:desc"), ("limit", str(ASKED)))
        reply = await self._reach.web.fetch(WebRequest(OPENFDA.name, f"{API}/label.json", params))
        if reply is None:
            return []
        values = results(reply)
        labels = [whole_label(one) for one in values if isinstance(one, dict)]
        if values and not any(labels):
            raise ToolFailed(f"{OPENFDA.title} replied with labels without sections: its form has changed.")
        return [row for label in labels if label for _, row in list(label.rows())[:1]]


def chosen_rows(rows: Iterable[Mapping[str, str]], names: Sequence[str]) -> list[Mapping[str, str]]:
    """The labels to read: the newest version of each, those of the drug alone before its combinations, one
    of each text, the fullest first, at most `MOST_LABELS`.
    """
    newest: dict[str, Mapping[str, str]] = {}
    for row in rows:
        key = row.get("set_id") or row.get("title", "").casefold()
        if key not in newest or row.get("effective", "") >= newest[key].get("effective", ""):
            newest[key] = row
    several = {len(_ingredients(row)) for row in newest.values()}
    fewest = min(several, default=0)
    alone = [row for row in newest.values() if len(_ingredients(row)) == fewest]
    order = sorted(
        alone, key=lambda row: (-_fullness(row), _reversed(row.get("effective", "")), row["title"])
    )
    different = {_said(row): row for row in reversed(order)}
    return [row for row in order if different[_said(row)] is row][:MOST_LABELS]


def _ingredients(row: Mapping[str, str]) -> tuple[str, ...]:
    return texts(cell(row.get("ingredients", "")))


def _fullness(row: Mapping[str, str]) -> int:
    """How many of the sections that tell of harm a label has; a whole label has most of them."""
    return sum(f'"{name}"' in row["sections"] for name in TELLING)


TELLING = (
    "boxed_warning",
    "warnings",
    "warnings_and_cautions",
    "adverse_reactions",
    "contraindications",
    "indications_and_usage",
)


def _reversed(day: str) -> tuple[int, ...]:
    """Sorts the newest day first."""
    return tuple(-ord(letter) for letter in day) or (0,)


def _said(row: Mapping[str, str]) -> str:
    """What tells two labels apart: their letters, without case, digits and blanks."""
    letters = re.sub(r"[^a-z]+", "", row["sections"].casefold())
    return hashlib.sha256(letters.encode()).hexdigest()


def _passages(row: Mapping[str, str]) -> Iterable[LabelPassage]:
    for entry in items(cell(row["sections"])):
        section = text(entry, 0)
        if section in LEFT_OUT:
            continue
        number = 0
        for written in texts(entry, 1):
            for part in cut(written):
                number += 1
                yield LabelPassage(
                    f"{row['version']}/{section}/{number}",
                    row["title"],
                    section,
                    part,
                    row.get("set_id", ""),
                    row.get("effective", ""),
                    _ingredients(row),
                    NAMED,
                )


def cut(written: str) -> Iterable[str]:
    """A section in passages of whole sentences, none longer than `LONGEST` unless one sentence is."""
    held = ""
    for sentence in SENTENCE.split(written):
        if held and len(held) + len(sentence) + 1 > LONGEST:
            yield held
            held = sentence
        else:
            held = f"{held} {sentence}".strip()
    if held:
        yield held
