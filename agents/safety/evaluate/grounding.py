"""The evidential support rate: which share of a report's factual sentences rests on evidence (4.1.2).

Rules put each sentence into one of seven classes, and apart from these what says that somebody proposes it,
which is no finding. Cited sentences are checked over the stored texts of their citations: one whose values
these do not carry is unsupported, whatever its marks say.
"""

import re
from dataclasses import dataclass, field

from agents.reports.recheck import Texts, as_kept
from agents.reports.shown import Shown, rewritten
from agents.reports.values import Report
from agents.safety.endpoints.vocabulary import concepts_in
from agents.safety.evaluate.sentences import Grounded, Grounding, Sentence, sentences_of
from agents.text.words import content_words, stems
from agents.trust.support import faults

COVERED = 0.6
"""Share of a sentence's content words that the text it is inferred from must have."""
NOTHING = frozenset({"", "–", "no evidence found"})
"""Cells of a row that says that the tools found nothing."""
_NUMBER = re.compile(r"(?<![\w-])\d")


async def ground(report: Report, texts: Texts) -> Grounded:
    """The classes of a report's sentences, over the texts of its citations as they are stored now."""
    kept, _ = await as_kept(report, texts)
    context = _Context(kept)
    return Grounded(tuple((one, context.ruled(one)) for one in sentences_of(kept)))


@dataclass(slots=True)
class _Context:
    """A report as sentences are judged in it: what is faulty, and the words of records and sections."""

    report: Report
    _faulty: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        def look(shown: Shown) -> str:
            if any(faults(shown.read(shown.text), shown.support)):
                self._faulty.add(shown.text)
            return shown.text

        rewritten(self.report, look)

    def faulty(self, one: Sentence) -> bool:
        """Whether it states a value that its citations, or those around it, do not carry."""
        return one.refused or any(text in self._faulty for text in (one.text, *one.parts))

    def ruled(self, one: Sentence) -> Grounding:
        """The class by rules."""
        if one.proposed:
            return Grounding.PROPOSED
        if one.citations:
            return Grounding.CITED if self._carried(one) else Grounding.UNSUPPORTED
        if one.procedural and not self._tells(one):
            return Grounding.PROCEDURAL
        if self.faulty(one):
            return Grounding.UNSUPPORTED
        return self._uncited(one)

    def _carried(self, one: Sentence) -> bool:
        """Whether its citations carry it; where nobody judged its claim, the words are compared."""
        cited = [citation for citation in self.report.citations if citation.number in one.citations]
        if not cited or self.faulty(one):
            return False
        words = content_words(one.text) - self._own_names()
        texts = (f"{citation.title} {citation.quote}" for citation in cited)
        return not one.unjudged or _share(words, *texts) >= COVERED

    def _uncited(self, one: Sentence) -> Grounding:
        if one.parts and set(part.casefold() for part in one.parts[1:]) <= NOTHING:
            return Grounding.TOOL_GROUNDED
        words = content_words(one.text) - self._own_names()
        section = self.report.section(one.section)
        above = [other.text for other in self._cited() if other.section == one.section]
        needed = section.depends_on if section else tuple(other.id for other in self.report.sections)
        proposed = [other.text for other in sentences_of(self.report) if other.proposed]
        before = [*(other.text for other in self._cited() if other.section in needed), *proposed]
        records = (f"{citation.title} {citation.quote}" for citation in self.report.citations)
        if not words:
            return Grounding.PROCEDURAL
        if any(_share(words, text) == 1 for text in records):
            return Grounding.TOOL_GROUNDED
        if _share(words, *above) >= COVERED:
            return Grounding.INFERABLE
        if _share(words, *before) >= COVERED:
            return Grounding.IN_MEMORY
        return Grounding.UNSUPPORTED if self._tells(one) else Grounding.COMMON_KNOWLEDGE

    def _tells(self, one: Sentence) -> bool:
        """Whether it states something of the target: a number, or an effect beside its name."""
        if _NUMBER.search(one.text):
            return not one.procedural
        names = "|".join(re.escape(name) for name in self.report.about if name)
        named = names and re.search(rf"(?<!\w)(?:{names})(?!\w)", one.text, re.IGNORECASE)
        return bool(named) and bool(concepts_in(one.text))

    def _cited(self) -> list[Sentence]:
        return [one for one in sentences_of(self.report) if one.citations and not self.faulty(one)]

    def _own_names(self) -> frozenset[str]:
        return stems(" ".join((self.report.title, *self.report.about)))


def _share(words: frozenset[str], *texts: str) -> float:
    """The share of content words that the texts have."""
    return len(words & stems("\n".join(texts))) / len(words) if words else 1.0
