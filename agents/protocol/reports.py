"""An article as a hierarchical report of its experiments (BioResearcher, section 3.3), by rules.

Headings are those of the methods; steps are sentences that tell what was done, details those that follow one,
results those of the results that speak of the same. Every part is verbatim and tied to its paragraph.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from agents.evidence.memory import EvidenceMemory
from agents.evidence.values import Evidence
from agents.protocol.literature import Paper
from agents.protocol.paragraphs import Paragraph, paragraphs
from agents.protocol.values import ExperimentReport, ReportPart, ReportStep
from agents.text.words import content_words
from retrieval.passages import plain

METHODS = re.compile(
    r"\b(methods?|materials?|experimental (section|procedures?|design)|procedures?|statistical analys[ie]s"
    r"|patients and|study (design|population)|data analysis)\b",
    re.IGNORECASE,
)
RESULTS = re.compile(r"\b(results?|findings)\b", re.IGNORECASE)
NOT_PART = re.compile(
    r"^(abstract|author summary|editors|acknowledg|supporting|additional|references|introduction)",
    re.IGNORECASE,
)
DONE = re.compile(
    r"\b(?:was|were|been)\s+(?:(?:also|then|first|subsequently|each|all|further|again|\w+ly)\s+)*"
    r"(?:\w+(?:ed|wn|pt|lt|nt|und|ught|un|ven|ken|sen)|cut|set|put|read|run|made|left|kept|spun|split|fed)\b"
    r"|\b[Ww]e\s+(?:(?:also|then|first|further|next|\w+ly)\s+)*\w+(?:ed|ound|ose|ook|an|ut|ave|ade)\b"
    r"|^(?:Add|Incubate|Wash|Centrifuge|Mix|Transfer|Remove|Collect|Count|Cut|Stain|Fix|Measure)\b"
)
"""How a sentence tells what was done."""
SHARED = 3
"""Words that a result shares with a step."""
RESULTS_OF = 2
"""Results of one step, at most."""
KEYS = 1000
"""Keys of evidence of one article."""


@dataclass
class _Writer:
    """What the report of one article is written with. `number` is that of the article, from 1."""

    paper: Paper
    number: int

    def __post_init__(self) -> None:
        self.paragraphs = paragraphs(self.paper)
        self.memory = EvidenceMemory(self.number * KEYS + 1)
        holder = self.paper.source or self.paper.document.record
        self.keys = {one.id: self.memory.add(one.passage, holder).key for one in self.paragraphs}


def experiment_report(paper: Paper, number: int) -> ExperimentReport:
    """The report of an article by rules. Ids of its steps begin with "A" and its number."""
    writer = _Writer(paper, number)
    results = [one for one in writer.paragraphs if _is_results(one)]
    parts: list[ReportPart] = []
    for heading, of_part in _parts(writer.paragraphs):
        steps = tuple(_steps(writer, of_part, f"A{number}.{len(parts) + 1}"))
        if steps:
            parts.append(ReportPart(heading, steps))
    found = with_results(parts, results, writer.keys)
    used = {key for part in found for step in part.steps for key in (step.key, *step.result_keys)}
    evidence = tuple(one for one in writer.memory.all() if one.key in used)
    notes = () if parts else (f"{paper.article.id} has no section of methods that could be read.",)
    return ExperimentReport(paper.article, found, paper.accessions, evidence, notes=notes)


def is_methods(one: Paragraph) -> bool:
    """Whether a paragraph tells methods."""
    return not NOT_PART.match(one.section[0] if one.section else "Abstract") and any(
        METHODS.search(heading) and not RESULTS.search(heading) for heading in one.section
    )


def _is_results(one: Paragraph) -> bool:
    return any(RESULTS.search(heading) for heading in one.section[:1])


def _parts(given: Sequence[Paragraph]) -> Iterator[tuple[str, list[Paragraph]]]:
    """The paragraphs of the methods under their headings, the innermost of each."""
    found: dict[str, list[Paragraph]] = {}
    for one in given:
        if is_methods(one):
            found.setdefault(one.section[-1], []).append(one)
    yield from found.items()


def _steps(writer: _Writer, given: Iterable[Paragraph], prefix: str) -> Iterator[ReportStep]:
    number = 0
    for one in given:
        step: ReportStep | None = None
        for sentence in one.said:
            if step is not None and not DONE.search(sentence):
                step = replace(step, details=(*step.details, sentence))
                continue
            if step is not None:
                yield step
            if DONE.search(sentence):
                number += 1
                step = ReportStep(f"{prefix}.{number}", sentence, (), one.id, writer.keys[one.id])
        if step is not None:
            yield step


def with_results(
    parts: Sequence[ReportPart], results: Sequence[Paragraph], keys: dict[str, str]
) -> tuple[ReportPart, ...]:
    """The parts with the sentences of the results that share most words with one of their steps."""
    said = [(content_words(plain(one)), one, keys[each.id]) for each in results for one in each.said]
    steps = [step for part in parts for step in part.steps]
    words = {step.id: content_words(step.text) for step in steps}
    found: dict[str, list[tuple[int, str, str]]] = {}
    for have, sentence, key in said:
        best = max(steps, key=lambda step: len(have & words[step.id]), default=None)
        if best is not None and (shared := len(have & words[best.id])) >= SHARED:
            found.setdefault(best.id, []).append((-shared, sentence, key))
    return tuple(
        replace(part, steps=tuple(_with(step, found.get(step.id, [])) for step in part.steps))
        for part in parts
    )


def _with(step: ReportStep, found: Sequence[tuple[int, str, str]]) -> ReportStep:
    best = sorted(found, key=lambda one: one[0])[:RESULTS_OF]
    return replace(
        step, results=tuple(text for _, text, _ in best), result_keys=tuple(key for _, _, key in best)
    )


def untied(report: ExperimentReport, paper: Paper) -> tuple[str, ...]:
    """The steps of a report that are not tied to the article: whose paragraph is none of it, or does not
    hold their words. The article is read anew.
    """
    texts = {one.id: one.text for one in paragraphs(paper)}
    evidence = {one.key: one.text for one in report.evidence}
    return tuple(
        step.id
        for step in report.steps
        if not all(one in texts.get(step.paragraph_id, "") for one in (step.text, *step.details))
        or texts.get(step.paragraph_id) != evidence.get(step.key)
        or not all(
            one in evidence.get(key, "") for one, key in zip(step.results, step.result_keys, strict=True)
        )
    )


def evidence_of(reports: Iterable[ExperimentReport]) -> tuple[Evidence, ...]:
    """The evidence of all reports."""
    return tuple(one for report in reports for one in report.evidence)
