"""A question with several parts: each becomes a question of its own, and their answers one.

A part says what it leaves to the parts before it, as a follow-up does to the question before. The answers
stand in the order asked, each under the part as it was written, and nothing is shown twice.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

from agents.archive.answer import Answer, Outcome, Question
from agents.archive.compose import UNANSWERED
from agents.archive.follow_up import Thread, whole_question
from agents.archive.general.parts import parts_of
from agents.archive.names import STUDY
from agents.archive.phrases import THEY
from agents.archive.spelling import WORD, is_english
from agents.evidence.values import Citation, Evidence
from agents.reports.shown import MARK
from agents.reports.values import Block, Heading, Paragraph, Points, Prose
from retrieval.molecules.lookup import mentions, resolve
from retrieval.values import Molecule

T = TypeVar("T")

OPEN = re.compile(r"\bones?\b|\b(?:the )?(?:others?|same|former|latter)\b(?! \w)", re.IGNORECASE)
"""Words of a part that only the answer to another part could explain."""
SHORTEST_NAME = 6
"""Letters of a word that may be a name, and no abbreviation."""
SEVERAL = re.compile(
    r"^\W*(?:which|what) (?:[\w-]+ ){0,4}?(?:[\w-]{3,}s|men|women|mice|people)\b", re.IGNORECASE
)
"""A part that asks for several things."""
OF_EACH = re.compile(r"\beach\b|^\W*(?:and )?(?:why|when|where|how|who|by whom)\W*$", re.IGNORECASE)
"""A part that asks the same of each of them, so that it cannot be asked alone."""
SHOWN_ABOVE = "What comes closest stands above."


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a question: as it was `written`, and the `whole` question that it asks."""

    written: str
    whole: str


def asked_in(text: str, registry: Sequence[Molecule]) -> tuple[Part, ...]:
    """The parts of a question, in the order asked. One that cannot be cut leaves the question whole."""
    written = parts_of(text)
    if len(written) == 1 or (SEVERAL.match(written[0]) and any(map(OF_EACH.search, written[1:]))):
        return (Part(text, text),)
    parts = list[Part]()
    for one in written:
        before = parts[-1].whole if parts else ""
        subject = _names_in(one, registry) or _names_in(before, registry) or _names_in(text, registry)
        whole = whole_question(one, Thread(before, subject[:1]), registry)
        parts.append(Part(_headed(one), _placed(whole, before, subject, registry)))
    if any(THEY.search(part.whole) or OPEN.search(part.whole) for part in parts[1:]):
        return (Part(text, text),)
    return tuple(parts)


def _names_in(text: str, registry: Sequence[Molecule]) -> tuple[str, ...]:
    """The molecules that a text names, as it writes them."""
    return tuple(dict.fromkeys(text[start:end] for start, end, _ in mentions(text, registry)))


def _placed(whole: str, before: str, subject: Sequence[str], registry: Sequence[Molecule]) -> str:
    """A part with the study of the part before it, or with the molecule, if it names neither."""
    if STUDY.search(whole) or _names_in(whole, registry) or _names_unknown(whole, registry):
        return whole
    plain = whole.rstrip("?. ")
    if study := STUDY.search(before):
        return f"{plain} in study {study[0]}?"
    return f"{plain} for {subject[0]}?" if subject else whole


def _names_unknown(text: str, registry: Sequence[Molecule]) -> bool:
    """Whether a text may name a molecule that the archive does not know: then it is about no other."""
    capital = (word for word in WORD.findall(text)[1:] if word[0].isupper() and len(word) >= SHORTEST_NAME)
    codes = (one for one in resolve(text, registry) if not one.candidates)
    return any(codes) or not all(map(is_english, capital))


def _headed(part: str) -> str:
    """A part as a heading."""
    plain = re.sub(r"^(?:and|also|then)\s+", "", part, flags=re.IGNORECASE)
    return f"{plain[:1].upper()}{plain[1:]}"


def in_order_asked(question: Question, parts: Sequence[Part], answers: Sequence[Answer]) -> Answer:
    """One answer out of those to the first parts. One that asks back before anything is answered stands
    alone.
    """
    if answers[0].ask_back or len(parts) == 1:
        return replace(answers[0], question=question.text)
    citations = dict[tuple[str, int, int], Citation]()
    evidence, told = dict[str, Evidence](), list[Answer]()
    for place, answer in enumerate(answers, 1):
        keys, numbers = dict[str, str](), dict[int, int]()
        for item in answer.evidence:
            known = evidence.setdefault(item.uid, replace(item, key=f"P{place}-{item.key}"))
            keys[item.key] = known.key
        for one in answer.citations:
            moved = replace(one, number=len(citations) + 1, key=keys.get(one.key, one.key))
            numbers[one.number] = citations.setdefault((moved.key, one.start, one.end), moved).number
        told.append(_moved(answer, keys, numbers))
    outcome = min((one.outcome for one in told), key=list(Outcome).index)
    missing = [part.written for part, one in zip(parts, told, strict=False) if one.outcome is Outcome.NOTHING]
    everything = len(missing) == len(told)
    return Answer(
        question.text,
        _short(parts, told),
        tuple(_blocks(parts, told)),
        outcome,
        _joined(one.molecules for one in told),
        _joined(one.question_types for one in told),
        _joined(one.findings for one in told),
        tuple(citations.values()),
        tuple(evidence.values()),
        () if everything or not missing else (f"Not stated in the archive: {' '.join(missing)}",),
        _joined(one.searched for one in told),
        partial=next((one.partial for one in told if one.partial), ""),
        notes=_joined(one.notes for one in told),
        subjects=_joined(one.subjects for one in told),
        derived=_joined(one.derived for one in told),
    )


def _joined(several: Iterable[tuple[T, ...]]) -> tuple[T, ...]:
    """All of them, each once."""
    return tuple(dict.fromkeys(one for some in several for one in some))


def _short(parts: Sequence[Part], answers: Sequence[Answer]) -> str:
    """One line: the short answers in order, under their parts where not all are answered."""
    if not any(one.present for one in answers):
        return answers[0].short
    if all(one.present for one in answers):
        return "; ".join(one.short.rstrip(".") for one in answers)
    return "; ".join(
        f"{part.written} {one.short.rstrip('.') if one.present else UNANSWERED[one.outcome]}"
        for part, one in zip(parts, answers, strict=False)
    )


def _blocks(parts: Sequence[Part], answers: Sequence[Answer]) -> Iterable[Block]:
    """The blocks of each answer under its part, without the statements that stand above already."""
    shown = set[str]()
    for part, answer in zip(parts, answers, strict=False):
        yield Heading(part.written)
        left = [one for block in answer.blocks if (one := _unshown(block, shown))]
        if any(not isinstance(block, Paragraph) for block in answer.blocks) and all(
            isinstance(block, Paragraph) for block in left
        ):
            left = [Paragraph(SHOWN_ABOVE)]
        yield from left


def _unshown(block: Block, shown: set[str]) -> Block | None:
    """A block without the statements of lists that are `shown`; what it shows is added to them."""
    if not isinstance(block, Points | Prose):
        return block
    kept = tuple(one for one in block.statements if isinstance(block, Prose) or one.text not in shown)
    shown |= {one.text for one in kept}
    return replace(block, statements=kept) if kept else None


def _moved(value: Any, keys: dict[str, str], numbers: dict[int, int]) -> Any:
    """A value of an answer with other keys of evidence and other numbers of citations, throughout."""
    if isinstance(value, tuple):
        return tuple(_moved(one, keys, numbers) for one in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changed = dict[str, Any]()
    for one in fields(value):
        held = getattr(value, one.name)
        if one.name == "key":
            changed[one.name] = keys.get(held, held)
        elif one.name == "keys":
            changed[one.name] = tuple(keys.get(key, key) for key in held)
        elif one.name == "citations" and all(isinstance(number, int) for number in held):
            changed[one.name] = tuple(numbers[number] for number in held)
        elif one.name == "notes" and isinstance(held, tuple):
            changed[one.name] = tuple(
                MARK.sub(lambda mark: f"[{numbers.get(int(mark[1]), mark[1])}]", note) for note in held
            )
        elif isinstance(held, tuple) or is_dataclass(held):
            changed[one.name] = _moved(held, keys, numbers)
    return replace(value, **changed)
