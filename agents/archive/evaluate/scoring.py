"""The scoring rule of an archive question set: what counts as TP, TN, FP, FN, and the figures made of them.

The rule is the one that the question set states: an answer is right if an accepted expression matches the
normalised text and no fatal trap does; for questions after one dose, the first dose named is the answer.
Figures as in DiscoVerse, section 4.2; a figure with an empty denominator is None.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

ONE_DOSE = frozenset({"Q1", "Q3", "Q4", "Q5"})
SAYS_NO = re.compile(
    r"^(?:none\b|no\b|not\b|never\b|n/?a\b|absent\b|unknown\b|nothing\b|the archive does not)"
)
NORMAL_FORMS = (
    (re.compile(r"[‐-―−]"), "-"),
    (re.compile(r"(?<![\d,.])(\d)[,  ](\d00)(?!\d)(?!,\d)"), r"\1\2"),
    (re.compile(r"(?<![a-z])milligrams?\b"), "mg"),
    (re.compile(r"\b(?:micrograms?|mcg|ug)\b"), "µg"),
    (re.compile(r"\bkilograms?\b"), "kg"),
    (re.compile(r"m\^?2\b|square met(?:er|re)s?\b"), "m2"),
    (re.compile(r"(?<=\d)(?=(?:mg|µg|g)\b)"), " "),
    (re.compile(r"mg ?\(mg\)"), "mg"),
    (re.compile(r"\s+"), " "),
)


class CellOutcome(StrEnum):
    """How an answer compares with its gold cell."""

    TP = "TP"
    TN = "TN"
    FP = "FP"
    FN = "FN"


class Trap(BaseModel):
    """A typical wrong value of the documents. A fatal one makes an answer wrong that is otherwise right."""

    model_config = ConfigDict(frozen=True)

    pattern: str
    trap: str
    why: str = ""
    fatal: bool = False
    doc_id: str = ""
    quote: str = ""


class GoldQuote(BaseModel):
    """A passage that carries the gold answer."""

    model_config = ConfigDict(frozen=True)

    doc_id: str
    quote: str


class GoldCell(BaseModel):
    """One molecule and question with its gold answer; a line of `gold.jsonl`."""

    model_config = ConfigDict(frozen=True)

    molecule: str
    question_id: str
    present: bool
    archive: str = ""
    question_text: str = ""
    answer: str | None = None
    accept: tuple[str, ...] = ()
    must_not: tuple[Trap, ...] = ()
    evidence: tuple[GoldQuote, ...] = ()
    note: str | None = None
    scored: bool = True


@dataclass(frozen=True, slots=True)
class GradedAnswer:
    """An answer compared with gold. `trap` says what went wrong with a FP."""

    outcome: CellOutcome
    trap: str = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts and figures over cells. None: the denominator is empty."""

    cells: int
    tp: int
    tn: int
    fp: int
    fn: int
    precision: float | None
    recall: float | None
    specificity: float | None
    accuracy: float | None
    f1: float | None


def normal(text: str) -> str:
    """Lower case, one kind of dash, plain thousands, standard units, single spaces."""
    text = unicodedata.normalize("NFKC", text).lower().replace("μ", "µ")
    for pattern, replacement in NORMAL_FORMS:
        text = pattern.sub(replacement, text)
    return text.strip()


def grade(cell: GoldCell, present: bool, answer: str) -> GradedAnswer:
    """Compare an answer with its gold cell."""
    if not present:
        return GradedAnswer(CellOutcome.FN if cell.present else CellOutcome.TN)
    text = normal(answer)
    traps = [trap for trap in cell.must_not if re.search(trap.pattern, text)]
    if not cell.present and SAYS_NO.search(text) and not traps:
        return GradedAnswer(CellOutcome.TN)
    if cell.present and not is_wrong(cell, text, traps):
        return GradedAnswer(CellOutcome.TP)
    other = "wrong value" if cell.present else "unsupported value"
    return GradedAnswer(CellOutcome.FP, traps[0].trap if traps else other)


def is_wrong(cell: GoldCell, text: str, traps: Sequence[Trap]) -> bool:
    """Whether a value given for a present cell is not the right one."""
    right = first(cell.accept, text)
    if right is None or any(trap.fatal for trap in traps):
        return True
    wrong = first([trap.pattern for trap in traps], text)
    return cell.question_id in ONE_DOSE and wrong is not None and wrong < right


def first(patterns: Iterable[str], text: str) -> int | None:
    """Where the first match of any pattern begins."""
    return min((m.start() for m in (re.search(p, text) for p in patterns) if m), default=None)


def figures(pairs: Sequence[tuple[GoldCell, GradedAnswer]]) -> Figures:
    """Counts and figures over judged cells."""
    outcomes = [judged.outcome for _, judged in pairs]
    tp, tn, fp, fn = (
        outcomes.count(kind) for kind in (CellOutcome.TP, CellOutcome.TN, CellOutcome.FP, CellOutcome.FN)
    )
    on_absent = sum(judged.outcome is CellOutcome.FP and not cell.present for cell, judged in pairs)
    precision, recall = ratio(tp, tp + fp), ratio(tp, tp + fn)
    return Figures(
        cells=len(pairs),
        tp=tp,
        tn=tn,
        fp=fp,
        fn=fn,
        precision=precision,
        recall=recall,
        specificity=ratio(tn, tn + on_absent),
        accuracy=ratio(tp + tn, len(pairs)),
        f1=ratio(2 * tp, 2 * tp + fp + fn) if precision is not None and recall is not None else None,
    )


def ratio(part: int, whole: int) -> float | None:
    """part / whole to four digits; None for an empty whole."""
    return round(part / whole, 4) if whole else None
