"""An article as a hierarchical report of its experiments (BioResearcher, section 3.3), by rules.

Headings are those of the methods; steps are sentences that tell what was done, details those that follow one,
results those of the results that speak of the same. Every part is verbatim and tied to its paragraph.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from agents.evidence.memory import EvidenceMemory
from agents.protocol.literature import Paper
from agents.protocol.paragraphs import Paragraph, paragraphs
from agents.protocol.values import ExperimentReport, ReportPart, ReportStep
from agents.text.words import content_words

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
NO_METHOD = re.compile(r"^(ethic|informed consent|data avail|funding|competing)", re.IGNORECASE)
"""Headings within the methods that tell nothing to do."""
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


class Sentences:
    """The sentences of an article, numbered, with the evidence of their paragraphs. `number` is that of the
    article, from 1.
    """

    def __init__(self, paper: Paper, number: int) -> None:
        self.paragraphs = paragraphs(paper)
        self.memory = EvidenceMemory(number * KEYS + 1)
        holder = paper.source or paper.document.record
        keys = {one.id: self.memory.add(one.passage, holder).key for one in self.paragraphs}
        every = [(sentence, one) for one in self.paragraphs for sentence in one.said]
        self._said = dict(enumerate(every, start=1))
        self._keys = keys

    @property
    def results(self) -> list[int]:
        """The sentences of the results."""
        return [number for number, (_, one) in self._said.items() if _is_results(one)]

    def under(self, heading: str) -> list[int]:
        """The sentences of the methods under a heading."""
        own = self._said.items()
        return [number for number, (_, one) in own if is_methods(one) and one.section[-1] == heading]

    def headings(self) -> tuple[str, ...]:
        """The headings of the methods, the innermost of each paragraph."""
        return tuple(dict.fromkeys(one.section[-1] for one in self.paragraphs if is_methods(one)))

    def text(self, number: int) -> str:
        """A sentence, verbatim."""
        return self._said[number][0]

    def listed(self, numbers: Iterable[int]) -> str:
        """Some sentences with their numbers."""
        return "\n".join(f"[{number}] {self.text(number)}" for number in numbers)

    def step(self, step_id: str, number: int, details: Iterable[int] = ()) -> ReportStep:
        """A step made of sentences. Details are those of its own paragraph; unknown numbers are left out."""
        own = self._said[number][1]
        return ReportStep(
            step_id,
            self.text(number),
            tuple(self.text(one) for one in details if one in self._said and self._said[one][1] is own),
            own.id,
            self._keys[own.id],
        )

    def paragraph(self, number: int) -> str:
        """The id of the paragraph of a sentence."""
        return self._said[number][1].id


def experiment_report(paper: Paper, number: int) -> ExperimentReport:
    """The report of an article by rules. Ids of its steps begin with "A" and its number."""
    numbered = Sentences(paper, number)
    parts: list[ReportPart] = []
    for heading in numbered.headings():
        steps = tuple(_steps(numbered, heading, f"A{number}.{len(parts) + 1}"))
        parts += [ReportPart(heading, steps)] if steps else []
    notes = () if parts else (f"{paper.article.id} has no section of methods that could be read.",)
    return with_results(ExperimentReport(paper.article, (), paper.accessions, notes=notes), parts, numbered)


def is_methods(one: Paragraph) -> bool:
    """Whether a paragraph tells methods."""
    if not one.section or NOT_PART.match(one.section[0]) or any(map(NO_METHOD.match, one.section)):
        return False
    return any(METHODS.search(heading) and not RESULTS.search(heading) for heading in one.section)


def _is_results(one: Paragraph) -> bool:
    return any(RESULTS.search(heading) for heading in one.section[:1])


def _steps(numbered: Sentences, heading: str, prefix: str) -> Iterator[ReportStep]:
    """A step for each sentence that tells what was done, with the sentences of its paragraph that follow."""
    count = 0
    first, details = 0, list[int]()
    for number in numbered.under(heading):
        same = bool(first) and numbered.paragraph(first) == numbered.paragraph(number)
        if DONE.search(numbered.text(number)) or not same:
            if first:
                count += 1
                yield numbered.step(f"{prefix}.{count}", first, details)
            first, details = (number if DONE.search(numbered.text(number)) else 0), []
        else:
            details.append(number)
    if first:
        yield numbered.step(f"{prefix}.{count + 1}", first, details)


def with_results(
    report: ExperimentReport, parts: Sequence[ReportPart], numbered: Sentences
) -> ExperimentReport:
    """A report of these parts, with the sentences of the results that share most words with one of their
    steps, and the evidence of all.
    """
    steps = [step for part in parts for step in part.steps]
    words = {one.id: content_words(" ".join((one.text, *one.details))) for one in steps}
    found: dict[str, list[tuple[int, int]]] = {}
    for number in numbered.results:
        have = content_words(numbered.text(number))
        best = max(steps, key=lambda step: len(have & words[step.id]), default=None)
        if best is not None and (shared := len(have & words[best.id])) >= SHARED:
            found.setdefault(best.id, []).append((-shared, number))
    told = tuple(
        replace(part, steps=tuple(_with(step, numbered, found.get(step.id, ())) for step in part.steps))
        for part in parts
    )
    used = {key for part in told for step in part.steps for key in (step.key, *step.result_keys)}
    evidence = tuple(one for one in numbered.memory.all() if one.key in used)
    return replace(report, parts=told, evidence=evidence)


def _with(step: ReportStep, numbered: Sentences, found: Sequence[tuple[int, int]]) -> ReportStep:
    best = [number for _, number in sorted(found)[:RESULTS_OF]]
    told = [numbered.step("", number) for number in best]
    return replace(step, results=tuple(one.text for one in told), result_keys=tuple(one.key for one in told))


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
