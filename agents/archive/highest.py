"""The highest dose of a molecule, where the question does not say in whom: every group is named.

The question type of the highest dose means repeated doses in Phase I and II. Somebody who only asks for "the
highest dose" is not answered by that alone: single doses and animals are told beside it, each with its study.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.archive.answer import AnswerTable, KeyedCell, Outcome, Realisation
from agents.archive.claim_checker import ClaimChecker
from agents.archive.premises import documents_of
from agents.archive.research.documents.dose_mentions import DoseMention, comparable
from agents.archive.research.documents.doses import all_doses
from agents.archive.research.drafting import claim_text, listed
from agents.archive.research.guards.doses import GIVEN
from agents.archive.research.patterns.designs import Design
from agents.archive.research.patterns.species import HUMAN, species_in, species_nearest
from agents.archive.research_input import read_for
from agents.archive.tools import ArchiveTools
from agents.archive.values import AnswerPart, DraftClaim, Merged
from agents.evidence.values import Provenance
from agents.trust.check import shown
from retrieval.values import Passage

ASKED = re.compile(
    r"\b(?:highest|maximum|maximal|top|largest|max\.?)\b.{0,20}\bdos(?:e|es|age)\b|\bhow high\b.{0,20}\bdos",
    re.IGNORECASE,
)
SCOPED = re.compile(
    r"\b(?:repeat\w*|multiple|mad|phase|serious|severe|adverse|toxic\w*|efficac\w*|effective|tolerated|noael"
    r"|no[- ]effect|planned|project\w*|recommend\w*|without|study|trial|report|compar\w+|who|when|why|where"
    r"|level|long|often|route|many|reach\w*|seen|occurr\w*|observ\w*|caus\w*)\b|\b[A-Z]{2,}-[A-Z]{2,}-?\d",
    re.IGNORECASE,
)
SINGLE = re.compile(r"\bsingle\b|\bsad\b", re.IGNORECASE)
PEOPLE = re.compile(
    r"\b(?:humans?|man|men|women|patients?|volunteers?|people|subjects?|clinical)\b", re.IGNORECASE
)
ANIMALS = re.compile(r"\banimals?\b|\b(?:pre|non)-?clinical", re.IGNORECASE)
TYPE = "highest_dose"
HUMANS = ("as a single dose in humans", "as a repeated dose in humans")
COLUMNS = ("Group", "Highest dose", "Study")


@dataclass(frozen=True, slots=True)
class Scope:
    """In whom a highest dose is asked for: humans, animals, one species; all where nothing is said."""

    humans: bool = True
    animals: bool = True
    species: tuple[str, ...] = ()
    single: bool = False


def scope_of(text: str) -> Scope | None:
    """The scope of a question for the highest dose; None for another question, or one that says more."""
    if not ASKED.search(text) or SCOPED.search(text):
        return None
    species = tuple(dict.fromkeys(name for _, name in species_in(text) if name not in (HUMAN, "animal")))
    people, animals = bool(PEOPLE.search(text)), bool(ANIMALS.search(text) or species)
    return Scope(people or not animals, animals or not people, species, bool(SINGLE.search(text)))


async def highest_doses(
    tools: ArchiveTools, molecule: str, scope: Scope
) -> tuple[Merged, tuple[AnswerTable, ...]]:
    """The highest dose of each group in scope as one part, with a table of several; no part without any."""
    registry = await tools.index.molecules()
    doses = all_doses(read_for(molecule, await documents_of(tools, molecule), registry))
    tops = [(group, highest(found)) for group, found in groups_of(doses, scope).items()]
    if not tops:
        return Merged((), ()), ()
    line = line_of(molecule, tops)
    records = {record.doc_id: record for record in await tools.index.records()}
    checker = ClaimChecker(tools, records)
    provenance = Provenance("dose", "rules", line, "research/highest")
    drafted = [DraftClaim(claim_text(dose.line), evidence_of(dose)) for _, dose in tops]
    claims = shown(await checker.claims(drafted, provenance))
    if not claims:
        return Merged((), ()), ()
    told = "; ".join(f"{dose.text} {group} ({dose.document.doc_id})" for group, dose in tops)
    part = AnswerPart(TYPE, molecule, Outcome.ANSWERED, told, line, claims)
    return Merged((part,), checker.memory.all()), table_of(molecule, tops, checker, provenance)


def line_of(molecule: str, tops: Sequence[tuple[str, DoseMention]]) -> str:
    """The line that answers: the doses in humans if there are any, else all."""
    told = [(group, dose) for group, dose in tops if group in HUMANS] or list(tops)
    values = listed([f"{dose.text} {group}" for group, dose in told])
    more = " Animals are told below." if len(told) < len(tops) else ""
    return f"The highest dose of {molecule} was {values}.{more}"


def table_of(
    molecule: str, tops: Sequence[tuple[str, DoseMention]], checker: ClaimChecker, provenance: Provenance
) -> tuple[AnswerTable, ...]:
    """A row for each group, where there are several."""
    rows = tuple(
        tuple(KeyedCell(text, keys) for text in (group.capitalize(), dose.text, dose.document.doc_id))
        for group, dose in tops
        for keys in (checker.keys(evidence_of(dose), provenance),)
    )
    table = AnswerTable(f"Highest dose of {molecule} by group", COLUMNS, rows, TYPE, molecule)
    return (table,) if len(rows) > 1 else ()


def evidence_of(dose: DoseMention) -> tuple[Passage, ...]:
    """The passage of a dose, and the nearest before it that calls it single where its own does not."""
    if dose.design is not Design.SINGLE or SINGLE.search(dose.line.text):
        return (dose.line.passage,)
    before = reversed(dose.document.lines[: dose.line.number])
    told = next((line.passage for line in before if SINGLE.search(line.text)), None)
    return (dose.line.passage, told) if told else (dose.line.passage,)


def groups_of(doses: Iterable[DoseMention], scope: Scope) -> dict[str, list[DoseMention]]:
    """Doses that were given, by who got them: humans once and repeatedly, then each species."""
    groups: dict[str, list[DoseMention]] = {}
    for dose in doses:
        if dose.is_this and was_given(dose) and (group := group_of(dose, scope)):
            groups.setdefault(group, []).append(dose)
    return dict(
        sorted(groups.items(), key=lambda item: (HUMANS.index(item[0]) if item[0] in HUMANS else 2, item[0]))
    )


def group_of(dose: DoseMention, scope: Scope) -> str:
    """Who got a dose; "" where that is not told or out of scope."""
    if dose.human:
        group = HUMANS[dose.design is not Design.SINGLE] if dose.design else ""
        return group if scope.humans and (not scope.single or dose.design is Design.SINGLE) else ""
    species = species_nearest(dose.line.text, dose.place) or species_of(dose.document.record.title)
    unknown = dose.human is None and not per_weight(dose)
    if unknown or species == HUMAN or not scope.animals or scope.single:
        return ""
    return f"in the {species}" if species and species in (scope.species or (species,)) else ""


def per_weight(dose: DoseMention) -> bool:
    """Whether a dose is one of so much a body weight or surface, as animals get."""
    return "/" in dose.dimension


def species_of(title: str) -> str:
    """The only species that a title names; "" where it names none or several."""
    names = {name for _, name in species_in(title)}
    return names.pop() if len(names) == 1 else ""


def was_given(dose: DoseMention) -> bool:
    """Whether a dose was received, and not only planned, projected or foreseen."""
    planned = dose.realisation in (Realisation.PLANNED, Realisation.PROJECTED)
    return not planned and all(guard(dose) is None for guard in GIVEN)


def highest(doses: Sequence[DoseMention]) -> DoseMention:
    """The highest of comparable doses: in a sentence and not in a row, in a report of its study."""
    return max(
        comparable(doses),
        key=lambda dose: (
            dose.amount,
            dose.line.row is None,
            dose.document.of_one_study,
            dose.document.reported,
            -dose.place,
        ),
    )
