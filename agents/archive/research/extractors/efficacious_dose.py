"""Efficacious dose in patients: efficacy stated at the dose, as a result or as an approved dose."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from agents.archive.answer import Rejected
from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.attribution import about_this
from agents.archive.research.documents.document import AnnotatedDocument
from agents.archive.research.documents.dose_mentions import DoseMention
from agents.archive.research.documents.doses import doses_in
from agents.archive.research.documents.lines import Line
from agents.archive.research.drafting import absent, claims_of, dose_field, listed, never_given, text_field
from agents.archive.research.guards.doses import (
    CLINICAL,
    admit,
    refused,
)
from agents.archive.research.guards.humans import never_dosed
from agents.archive.research.vocabulary import any_of, wording
from agents.archive.values import Draft, ResearchInput

P_VALUE = re.compile(r"\bp\s?[<=≤]\s?0?\.0[0-4]\d*|^\s*significant\b", re.IGNORECASE)
CHANCE = re.compile(r"\bp\s?[=>≥]\s?0?\.(?:0[5-9]|[1-9])\d*", re.IGNORECASE)
NO_EFFECT_CELL = re.compile(r"\b(?:not significant|n\.?s\.?|no effect|none)\b", re.IGNORECASE)
UNCONFIRMED = re.compile(
    r"\b(?:not|never) (?:\w+ )?(?:confirmed|reproduced)\b|\bunconfirmed\b|"
    r"\bnot be (?:confirmed|reproduced)\b",
    re.IGNORECASE,
)
VOLUNTEERS = any_of(
    ["volunteers?", r"healthy (?:\w+ ){0,3}(?:men|women|subjects?|participants?|males?|adults?)"]
)
PATIENTS = any_of(["patients?", "outpatients?", "approved", "marketed", "licensed"])
STRETCH_END = re.compile(r";|,\s(?:and|but|while|whereas|although|so)\b", re.IGNORECASE)
INDICATION = re.compile(
    r"\bin (?:patients with )?((?:mild |moderate |severe |to |essential |acute |chronic |major |advanced |"
    r"metastatic )*"
    r"[a-z]{4,}(?: [a-z]{4,}){0,3}?)(?= over| for| at| \(|,|\.|:|;| with| in | dose| on | after|$)"
)
OWN_BRACKET = re.compile(r"^[^();,]{0,20}\([^()]*\)")
"""What stands in brackets behind the dose before says nothing of the next one."""


class Effect(StrEnum):
    """What is said of a dose."""

    SHOWN = "effective"
    DENIED = "not effective"
    OPEN = "nothing said"


@dataclass(frozen=True, slots=True)
class JudgedDose:
    """A dose and what its sentence or row says about its effect."""

    dose: DoseMention
    effect: Effect


def extract(research_input: ResearchInput) -> Draft:
    """Doses of a molecule that were efficacious in patients."""
    documents = annotated_documents(research_input)
    name = research_input.molecule.name
    judged = [
        item
        for document in documents
        for line in document.lines
        if not line.is_heading
        for item in judge(document, line)
    ]
    shown, rejected = admit((item.dose for item in judged if item.effect is Effect.SHOWN), CLINICAL)
    shown, in_volunteers = split_patients(shown)
    rejected += in_volunteers
    denied, _ = admit((item.dose for item in judged if item.effect is Effect.DENIED), CLINICAL)
    rejected += [refused(dose, "no effect", "the document says that it was not effective") for dose in denied]
    if (never := never_dosed(documents)) is not None:
        return never_given(name, never, rejected)
    if (line := none_effective(documents)) is not None:
        return absent(f"The archive says that no dose of {name} was effective: {line.text}", rejected)
    if not shown:
        return absent(f"The archive states no dose of {name} with efficacy in patients.", rejected)
    return draft(name, shown, rejected)


def judge(document: AnnotatedDocument, line: Line) -> Iterator[JudgedDose]:
    """Doses of a line with what is said of their effect."""
    if line.row is not None:
        yield from judge_row(document, line)
        return
    if not wording("effective").search(line.text) or wording("hypothetical").search(line.text):
        return
    if UNCONFIRMED.search(line.text):
        return
    doses = list(doses_in(document, line))
    for group in grouped(line, doses):
        effect = effect_of(line.text, group, doses)
        yield from (JudgedDose(dose, effect) for dose in group)


def grouped(line: Line, doses: Sequence[DoseMention]) -> Iterator[list[DoseMention]]:
    """Doses that one statement covers: "5 mg b.i.d. and 10 mg b.i.d."."""
    group: list[DoseMention] = []
    for dose in doses:
        if group and not re.fullmatch(
            r"[\s,()]*(?:(?:b\.?i\.?d\.?|daily|once|twice|and|or|to|at|/|day)[\s,()]*)*",
            line.text[end_of(group[-1]) : dose.place],
        ):
            yield group
            group = []
        group.append(dose)
    if group:
        yield group


def end_of(dose: DoseMention) -> int:
    """Where a dose ends in its line."""
    return dose.place + len(dose.quantity.text)


def effect_of(text: str, group: Sequence[DoseMention], doses: Sequence[DoseMention]) -> Effect:
    """What a sentence says of a group of doses, by the words next behind them and next before them."""
    start, end = group[0].place, end_of(group[-1])
    earlier = max((end_of(dose) for dose in doses if dose.place < start), default=0)
    later = min((dose.place for dose in doses if dose.place > end), default=len(text))
    behind = first_stretch(text[end:later])
    if len(group) == 1 and only_chance(behind):
        return Effect.DENIED
    ahead = last_stretch(OWN_BRACKET.sub("", text[earlier:start]) if earlier else text[:start])
    if wording("ineffective").search(behind) and not wording("effective").search(ahead):
        return Effect.DENIED
    if wording("ineffective").search(ahead) and not wording("effective").search(behind):
        return Effect.DENIED
    if wording("effective").search(ahead) or wording("effective").search(behind):
        return Effect.SHOWN
    return Effect.OPEN


def first_stretch(text: str) -> str:
    """Text up to the end of its clause."""
    found = STRETCH_END.search(text)
    return text[: found.start()] if found else text


def last_stretch(text: str) -> str:
    """Text from the start of its last clause."""
    ends = [match.end() for match in STRETCH_END.finditer(text)]
    return text[ends[-1] :] if ends else text


def judge_row(document: AnnotatedDocument, line: Line) -> Iterator[JudgedDose]:
    """A row with a dose and a p value, or a row of effective doses."""
    assert line.row is not None
    doses = list(doses_in(document, line))
    label, cells = line.row.cells[0], line.row.cells[1:]
    told = [dose for dose in doses if dose.column and shown_in_cell(line.row.cells[dose.column])]
    if told:
        yield from (JudgedDose(dose, Effect.SHOWN) for dose in told)
    elif any(NO_EFFECT_CELL.search(cell) for cell in cells):
        yield from (JudgedDose(dose, Effect.DENIED) for dose in doses if dose.column == 0)
    elif any(P_VALUE.search(cell) for cell in cells):
        yield from (JudgedDose(dose, Effect.SHOWN) for dose in doses if dose.column == 0)
    elif re.search(
        r"\beffective (?:dose|range)|efficacious dose|recommended (?:clinical|therapeutic) dose|"
        r"approved dose",
        label,
        re.IGNORECASE,
    ):
        yield from (JudgedDose(dose, Effect.SHOWN) for dose in doses if dose.column)


def shown_in_cell(cell: str) -> bool:
    """Whether a cell says that something was effective."""
    return wording("effective").search(cell) is not None and wording("ineffective").search(cell) is None


def split_patients(doses: Sequence[DoseMention]) -> tuple[list[DoseMention], list[Rejected]]:
    """Doses in patients, and refusals of those in healthy volunteers."""
    kept, rejected = [], []
    for dose in doses:
        around = " ".join((dose.line.text, *dose.line.passage.section, dose.document.title))
        if VOLUNTEERS.search(dose.line.text) or (VOLUNTEERS.search(around) and not PATIENTS.search(around)):
            rejected.append(refused(dose, "not in patients", "the effect was seen in healthy volunteers"))
        else:
            kept.append(dose)
    return kept, rejected


def none_effective(documents: Sequence[AnnotatedDocument]) -> Line | None:
    """The sentence that says that no dose of the molecule was effective in patients."""
    for document in documents:
        for line in document.lines:
            if (
                wording("no_dose_effective").search(line.text)
                and about_this(document, line)
                and not wording("hypothetical").search(line.text)
            ):
                return line
    return None


def draft(name: str, shown: Sequence[DoseMention], rejected: Sequence[Rejected]) -> Draft:
    """The effective doses of the weightiest documents, lowest first."""
    weight = max(dose.document.authority for dose in shown)
    chosen = {
        dose.amount: dose
        for dose in sorted(shown, key=lambda d: bool(d.frequency_words))
        if dose.document.authority == weight and not dose.quantity.is_range
    }
    often = {dose.lower for dose in chosen.values() if dose.frequency_words}
    told = [dose for dose in chosen.values() if dose.frequency_words or dose.lower not in often]
    doses = sorted(told, key=lambda dose: dose.amount) or [shown[0]]
    values = listed([dose.text for dose in doses])
    lines = [dose.line for dose in shown if dose.document.authority == weight]
    where = indication(lines)
    labels = listed(list(dict.fromkeys(dose.document.doc_id for dose in doses)))
    kind = "; ".join(filter(None, [where, labels]))
    fields = [dose_field(dose) for dose in doses]
    if where:
        fields.append(text_field("indication", where, lines[:1]))
    fields += [text_field("endpoint", line.text, [line]) for line in of_these_alone(shown, doses)[:1]]
    ordered = [*lines, *(dose.line for dose in shown)]
    return Draft(
        True,
        f"{values} ({kind})",
        f"{name} was efficacious in patients at {values} ({kind}).",
        claims_of(ordered, 6),
        tuple(fields),
        tuple(rejected),
    )


def of_these_alone(shown: Sequence[DoseMention], told: Sequence[DoseMention]) -> list[Line]:
    """The sentences and rows that name no dose but those told."""
    amounts = {dose.amount for dose in told}
    return [
        dose.line
        for dose in shown
        if {other.amount for other in doses_in(dose.document, dose.line)} <= amounts
    ]


def indication(lines: Sequence[Line]) -> str:
    """The illness that the statements of efficacy name."""
    for line in lines:
        for found in INDICATION.finditer(line.text):
            return found[1].strip()
    return ""


def only_chance(text: str) -> bool:
    """Whether a text gives p values, and none of a significant difference: "10 mg (p = 0.41)"."""
    return CHANCE.search(text) is not None and P_VALUE.search(text) is None
