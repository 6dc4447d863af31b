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


class Component(BaseModel):
    """A part of a complete answer."""

    model_config = ConfigDict(frozen=True)

    name: str = ""
    accept: tuple[str, ...]


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
    components: tuple[Component, ...] = ()
    must_not: tuple[Trap, ...] = ()
    evidence: tuple[GoldQuote, ...] = ()
    note: str | None = None
    scored: bool = True


@dataclass(frozen=True, slots=True)
class GradedAnswer:
    """An answer compared with gold.

    `trap` says what went wrong with a FP; `touched` are all traps that the answer names.

    `components` is the share of a complete answer that a TP names; None where gold lists no parts.
    """

    outcome: CellOutcome
    trap: str = ""
    components: float | None = None
    touched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts and figures over cells. None: the denominator is empty."""

    cells: int
    tp: int
    tn: int
    fp: int
    fn: int
    fp_on_absent: int
    precision: float | None
    recall: float | None
    strict_recall: float | None
    specificity: float | None
    accuracy: float | None
    f1: float | None
    component_recall: float | None
    tp_that_name_a_trap: int


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
    touched = tuple(trap.trap for trap in traps)
    if not cell.present:
        if SAYS_NO.search(text) and not traps:
            return GradedAnswer(CellOutcome.TN)
        return GradedAnswer(CellOutcome.FP, touched[0] if touched else "unsupported value", touched=touched)
    if is_wrong(cell, text, traps):
        return GradedAnswer(CellOutcome.FP, touched[0] if touched else "wrong value", touched=touched)
    return GradedAnswer(CellOutcome.TP, "", share_of_components(cell, text), touched)


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


def share_of_components(cell: GoldCell, text: str) -> float | None:
    """Share of the gold answer's parts that the text names."""
    if not cell.components:
        return None
    named = [any(re.search(pattern, text) for pattern in part.accept) for part in cell.components]
    return sum(named) / len(named)


def figures(pairs: Sequence[tuple[GoldCell, GradedAnswer]]) -> Figures:
    """Counts and figures over judged cells."""
    outcomes = [judged.outcome for _, judged in pairs]
    tp, tn, fp, fn = (
        outcomes.count(kind) for kind in (CellOutcome.TP, CellOutcome.TN, CellOutcome.FP, CellOutcome.FN)
    )
    on_absent = sum(judged.outcome is CellOutcome.FP and not cell.present for cell, judged in pairs)
    shares = [judged.components for _, judged in pairs if judged.components is not None]
    precision, recall = ratio(tp, tp + fp), ratio(tp, tp + fn)
    return Figures(
        cells=len(pairs),
        tp=tp,
        tn=tn,
        fp=fp,
        fn=fn,
        fp_on_absent=on_absent,
        precision=precision,
        recall=recall,
        strict_recall=ratio(tp, tp + fn + fp - on_absent),
        specificity=ratio(tn, tn + on_absent),
        accuracy=ratio(tp + tn, len(pairs)),
        f1=ratio(2 * tp, 2 * tp + fp + fn) if precision is not None and recall is not None else None,
        component_recall=ratio(sum(shares), len(shares)),
        tp_that_name_a_trap=sum(j.outcome is CellOutcome.TP and bool(j.touched) for _, j in pairs),
    )


def ratio(part: float, whole: int) -> float | None:
    """part / whole to four digits; None for an empty whole."""
    return round(part / whole, 4) if whole else None
