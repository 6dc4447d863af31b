"""What became of each statement that a model wrote for an answer, and how many true ones were struck.

It is read from the steps of a finished run: what was drafted, what the check of claims let pass, and what the
gate left. A person or a model says which statements their passages carry.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from agents.archive.answer import Answer
from agents.archive.brevity import line_that_answers
from agents.archive.kind import KIND
from agents.archive.read import NAME, ModelDrafts
from agents.archive.values import Draft, GeneralDraft, Merged
from agents.archive.work import report
from agents.evidence.memory import EvidenceMemory
from agents.ports import LanguageModel
from agents.reports.values import Report
from agents.runs.encoding import adapter
from agents.runs.records import RunRecord, StepRecord
from agents.trust.entail import judgement
from agents.trust.measure import CONFIRMED, MARKED, STRUCK
from agents.trust.values import Claim, Standing, Verdict
from retrieval.values import DocumentRecord, Passage

ANEW = "A check doubted this claim, perhaps wrongly. Judge it anew, as an expert who read this alone."
"""A rule of the judge: the question of the check itself would get the answer that it got before."""
Z = 1.96
"""Of an interval of 95 %."""


@dataclass(frozen=True, slots=True)
class Written:
    """A statement as a model wrote it, what became of it, and the passages that it cites."""

    id: str
    text: str
    became: str
    passages: tuple[Passage, ...]


def written_by_model(steps: Sequence[StepRecord], run: RunRecord) -> Iterator[Written]:
    """The statements and first lines of a run, each once; closest passages, which state nothing, left out.

    One that lost a part counts as struck.
    """
    answer = adapter(Answer).validate_json(run.result)
    drafts = [draft for step in steps for draft in _drafts(step) if not draft.closest]
    merged = [adapter(Merged).validate_json(step.output) for step in steps if step.name == "supervise"]
    checked = {claim.text: claim for one in merged for part in one.parts for claim in part.claims}
    before, after = _texts(report(answer)), _texts(KIND.report(answer))
    lost = [text for text in before if not any(kept.startswith(text) for kept in after)]
    found: dict[str, tuple[str, tuple[Passage, ...]]] = {}
    for draft in drafts:
        cited = tuple(dict.fromkeys(passage for one in draft.claims for passage in one.passages))
        if draft.present:
            found.setdefault(draft.headline, (_line(draft.headline, after), cited))
        for claim in draft.claims:
            became = STRUCK if claim.instead_of else _statement(checked.get(claim.text), lost)
            text = claim.instead_of or claim.text
            known = found.get(text, (became, ()))
            found[text] = (known[0], tuple(dict.fromkeys((*known[1], *claim.passages))))
    for number, (text, (became, passages)) in enumerate(found.items(), 1):
        yield Written(f"{run.run_id}/{number}", text, became, passages)


def _drafts(step: StepRecord) -> Iterable[Draft]:
    """What a model drafted in a step."""
    if step.name == f"{NAME}/answer":
        return (adapter(GeneralDraft).validate_json(step.output).draft,)
    if step.name.startswith(f"{NAME}/") and step.name.endswith("/answer"):
        drafts: Mapping[str, Draft] = adapter(ModelDrafts).validate_json(step.output).drafts
        return drafts.values()
    return ()


def _texts(report: Report) -> list[str]:
    return [one.text for section in report.sections for one in section.statements]


def _statement(claim: Claim | None, lost: Sequence[str]) -> str:
    """What became of a statement. One that only repeats the first line is not shown, and not lost."""
    if claim is None or claim.text in lost:
        return STRUCK
    return CONFIRMED if claim.standing is Standing.CONFIRMED else MARKED


def _line(line: str, after: Sequence[str]) -> str:
    """What became of a first line; of a long one the part above a table is shown."""
    cut = line_that_answers(line, more_below=True).removesuffix(". More below.")
    shown = next((text for text in after if text.startswith(cut)), "")
    signed = any(sign and shown.endswith(sign) for sign in Standing)
    return (MARKED if signed else CONFIRMED) if shown else STRUCK


async def judged(
    model: LanguageModel, written: Sequence[Written], records: Mapping[str, DocumentRecord]
) -> dict[str, bool]:
    """Whether the passages of each statement that was struck or marked carry it, as a model says.

    Raises `ModelError`. One whose document is gone is not judged.
    """
    verdicts: dict[str, bool] = {}
    for one in written:
        if one.became == CONFIRMED or not all(passage.doc_id in records for passage in one.passages):
            continue
        memory = EvidenceMemory()
        cited = [memory.add(passage, records[passage.doc_id]) for passage in one.passages]
        said = await judgement(model, one.text, cited, ANEW)
        verdicts[one.id] = said.verdict is Verdict.SUPPORTED
    return verdicts


@dataclass(frozen=True, slots=True)
class Shares:
    """Of how many true statements so many were struck and marked, and how many nobody judged.

    Confirmed ones count as true without a judge: rules found them in the words of their passages.
    """

    true: int
    struck: int
    marked: int
    unjudged: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share struck (Wilson)."""
        if not self.true:
            return 0.0, 1.0
        n, p = self.true, self.struck / self.true
        middle, half = p + Z * Z / (2 * n), Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
        return max(0.0, (middle - half) / (1 + Z * Z / n)), min(1.0, (middle + half) / (1 + Z * Z / n))


def shares(written: Sequence[Written], verdicts: Mapping[str, bool]) -> Shares:
    """The shares by verdicts under the ids of statements."""
    true = [one.became for one in written if verdicts.get(one.id, one.became == CONFIRMED)]
    open_ones = sum(one.became != CONFIRMED and one.id not in verdicts for one in written)
    return Shares(len(true), true.count(STRUCK), true.count(MARKED), open_ones)
