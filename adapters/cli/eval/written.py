"""What became of each statement that a model wrote for an answer, read from the steps of a finished run: what
was drafted, what the check of claims let pass, and what the gate left.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from agents.archive.answer import Answer
from agents.archive.brevity import line_that_answers
from agents.archive.kind import KIND
from agents.archive.read import NAME, ModelDrafts
from agents.archive.values import Draft, GeneralDraft, Merged
from agents.archive.work import report
from agents.reports.values import Report
from agents.runs.encoding import adapter
from agents.runs.records import RunRecord, StepRecord
from agents.trust.measure import CONFIRMED, MARKED, STRUCK
from agents.trust.struck import Written
from agents.trust.values import Claim, Standing
from retrieval.values import Passage


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
