"""The evidential support rate: which share of a report's factual sentences rests on evidence (4.1.2).

Each sentence is put into one of seven classes. Cited sentences are checked over the stored texts of their
citations: one whose values these do not carry is unsupported, whatever its marks say. For sentences without a
citation, a language model may be asked; rules decide without one, and over what a model may say: what states
a value that nothing carries stays unsupported.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel

from agents.data_block import data_block
from agents.minds.minded import minded
from agents.minds.prompts import load_prompt
from agents.ports import LanguageModel
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
BATCH = 30
_NUMBER = re.compile(r"(?<![\w-])\d")


async def ground(report: Report, texts: Texts, model: LanguageModel | None = None) -> Grounded:
    """The classes of a report's sentences, over the texts of its citations as they are stored now."""
    kept, _ = await as_kept(report, texts)
    context = _Context(kept)
    ruled = {one: context.ruled(one) for one in sentences_of(kept)}
    open_ones = [one for one, kind in ruled.items() if not one.citations and kind is not Grounding.PROCEDURAL]
    asked = [one for one in open_ones if not context.faulty(one)]
    if model is None or not asked:
        return Grounded(tuple(ruled.items()), ("rules",) if open_ones else ())
    by_model, judges = await _by_model(model, kept, asked)
    return Grounded(tuple((one, by_model.get(one, kind)) for one, kind in ruled.items()), judges)


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
        before = [other.text for other in self._cited() if other.section in needed]
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


class Classified(BaseModel):
    """What a model says of one sentence."""

    sentence: str
    grounding: Grounding


class Classes(BaseModel):
    """What a model says of several sentences."""

    sentences: list[Classified]


async def _by_model(
    model: LanguageModel, report: Report, asked: Sequence[Sentence]
) -> tuple[dict[Sentence, Grounding], tuple[str, ...]]:
    """The model's classes, and who judged; a call that failed leaves its sentences to the rules."""

    async def silent() -> dict[Sentence, Grounding]:
        return {}

    found: dict[Sentence, Grounding] = {}
    judges: dict[str, None] = {}
    for start in range(0, len(asked), BATCH):
        batch = asked[start : start + BATCH]

        async def classified(
            model: LanguageModel, batch: Sequence[Sentence] = batch
        ) -> dict[Sentence, Grounding]:
            prompt = load_prompt("classify_sentences", Path(__file__).parent)
            given = await model.ask(prompt.role, prompt.render(), _listed(report, batch), Classes)
            keyed = {f"S{number}": one for number, one in enumerate(batch, 1)}
            return {keyed[one.sentence]: one.grounding for one in given.sentences if one.sentence in keyed}

        made = await minded(model, classified, silent)
        judges[made.by] = None
        found.update({one: kind for one, kind in made.value.items() if kind is not Grounding.CITED})
    return found, tuple(judges)


def _listed(report: Report, batch: Iterable[Sentence]) -> str:
    """The cited sentences of the report, and those that are to be classified, as data."""
    cited = "\n".join(f"({one.section}) {one.text}" for one in sentences_of(report) if one.citations)
    asked = (
        data_block(one.text, key=f"S{number}", section=one.section) for number, one in enumerate(batch, 1)
    )
    return "\n".join((data_block(cited, kind="cited sentences of the report"), *asked))
