"""Dossiers of one page: what the archive knows of a molecule, a study, or a group of patients.

A molecule has one line a question type, each cited, and its studies; a study has purpose, design, results and
end in its own sentences; a group has the studies done in it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from agents.archive.answer import Answer, Question
from agents.archive.classify import types_of
from agents.archive.exact import SEVERAL, named_besides
from agents.archive.overview.asked import Asked, Shape
from agents.archive.overview.findings import conclusions, desk_claim, findings
from agents.archive.overview.key_sentences import key_passages, key_rows
from agents.archive.overview.page import Desk, counted, line_of, study_status, study_table
from agents.archive.overview.people import names
from agents.archive.overview.registers import studies_on_record
from agents.archive.overview.standing import OF_ALL, standing_of, with_plan
from agents.archive.overview.structure import structures
from agents.archive.overview.studies import Study, is_about
from agents.archive.overview.subjects import named_study, narrowed_to, searched_studies, titled_studies
from agents.archive.overview.typed import keys_of, typed
from agents.archive.values import AnswerPart
from agents.reports.compose import Composer
from agents.reports.values import Block, Points, Statement
from agents.trust.values import Claim, Derivation
from retrieval.values import Molecule

ORDER = (
    "mechanism",
    "first_in_human_dose",
    "route",
    "regimen",
    "highest_dose",
    "efficacious_dose",
    "highest_dose_with_sae",
    "margin_of_safety",
    "organ_toxicity",
    "pharmacokinetics",
    "discontinuation_reason",
)
"""Question types in the order of a dossier."""
SAFETY = ("organ_toxicity", "highest_dose_with_sae", "margin_of_safety")
SAFE = re.compile(r"\b(?:safety|tox|tolerab|adverse|side.effect)\w*", re.IGNORECASE)
LINE = 240
"""Characters of an answer that a dossier gives."""
LINES, DOSES, COUNTED, FEW, CONCLUDED = 6, 2, 20, 3, 12
"""Studies that are told each in a line, at most counted in the first line, told in full,
and told by a sentence of what they conclude."""


async def dossier(
    desk: Desk, question: Question, asked: Asked, molecules: Sequence[str], registry: Sequence[Molecule]
) -> Answer | None:
    """The dossier of what a question names; None where the archive has no such thing."""
    rest = asked.rest
    if asked.shape is Shape.STATUS and (status := await status_of_study(desk, question, rest)):
        return status
    study = named_study(desk, question.text)
    if study:
        return await of_documents(desk, question, [study], study.name)
    if molecules:
        part = narrowed_to(desk, question, rest, molecules, registry)
        if part and asked.shape is Shape.DOSSIER:
            return await of_documents(desk, question, part[:LINES], rest)
        if asked.shape is Shape.DOSSIER and is_of_something_else(desk, rest, registry):
            return None
        return await of_molecules(desk, question, asked, molecules, registry)
    titled = titled_studies(desk, rest)
    if titled:
        return await of_documents(desk, question, titled[:LINES], rest)
    found = await searched_studies(desk, rest)
    return await of_documents(desk, question, found, rest) if found else None


async def status_of_study(desk: Desk, question: Question, rest: str) -> Answer | None:
    """The status of a study that is asked for by its number alone; None where none is on record."""
    studies = await studies_on_record(desk.tools, desk.records)
    named = [one for one in studies if names(rest, one.name) and len(re.findall(r"\w+", one.name)) > 1]
    alone = named and not re.sub(rf"(?i)\b(?:the )?(?:study|trial)\b|{re.escape(named[0].name)}|\W", "", rest)
    if len(named) != 1 or not alone or not (status := study_status(named[0])):
        return None
    line = f"{named[0].name}: {status}."
    _, blocks = await study_table(desk, named, "From the records")
    keys = await desk.key_of(named[0])
    first = line_of(desk.number(), line, keys)
    return desk.answer(question, line, [first, *blocks], subjects=[named[0].name])


def is_of_something_else(desk: Desk, rest: str, registry: Sequence[Molecule]) -> bool:
    """Whether something about a molecule is to be summarised and not it: a letter, an amendment."""
    names = [name for molecule in registry for name in (molecule.name, *molecule.aliases)]
    types = {key for key in types_of(desk.tools.library, rest) if key in ORDER}
    named = named_besides(desk.tools.library, types, SAFE.sub(" ", rest), names)
    return len(named) >= SEVERAL and not types


async def of_molecules(
    desk: Desk, question: Question, asked: Asked, molecules: Sequence[str], registry: Sequence[Molecule]
) -> Answer:
    """One line a question type and molecule, the studies, and what is missing."""
    if asked.shape is Shape.STATUS:
        return await standing_of(desk, question, molecules)
    named = [key for key in types_of(desk.tools.library, question.text) if key in ORDER]
    safety = SAFETY if SAFE.search(question.text) else ()
    types = tuple(dict.fromkeys((*named, *safety))) or ORDER
    merged = await typed(desk.tools, question.text, types, molecules)
    by_rules = {(part.molecule, part.question_type): part for part in merged.parts}
    desk.take(merged.evidence)
    told: list[Statement] = []
    gaps: list[str] = []
    counts: list[Derivation] = []
    listed: list[tuple[Study, tuple[str, ...]]] = []
    sentences: list[Claim] = []
    studies = await studies_on_record(desk.tools, desk.records, molecules)
    own_studies = {name: [one for one in studies if is_about(one, OF_ALL, [name])] for name in molecules}
    for own in own_studies.values():
        listed += [(study, await desk.key_of(study)) for study in own[:COUNTED]]
        counts.append(counted([study.name for study in own]))
        described = [study for study in own if study.records]
        few = len(described) <= FEW
        told_of = findings(desk, described, FEW) if few else conclusions(desk, described, CONCLUDED)
        sentences += await told_of
    sentences += await structures(desk, molecules) if types == ORDER else []
    composer = desk.number()
    for name in molecules:
        parts = [by_rules[name, key] for key in types if (name, key) in by_rules]
        several = f"{name}, " if len(molecules) > 1 else ""
        told += [_line(desk, composer, part, several) for part in parts if part.present]
        missing = [_lower(desk.tools.library[part.question_type].name) for part in parts if not part.present]
        gaps += [f"Not stated for {name}: {', '.join(missing)}."] if missing else []
    first = opening(own_studies, registry)
    keys = [key for _, own in listed for key in own]
    blocks: list[Block] = [line_of(composer, first, keys), *([Points(tuple(told))] if told else [])]
    if sentences:
        blocks.append(Points(tuple(composer.statement(claim) for claim in sentences)))
    names = [alias for known in registry if known.name in molecules for alias in (known.name, *known.aliases)]
    return desk.answer(
        question,
        first,
        blocks,
        molecules=molecules,
        not_found=gaps,
        subjects=[*names, *(study.name for study, _ in listed)],
        derived=counts,
    )


def opening(own_studies: Mapping[str, Sequence[Study]], registry: Sequence[Molecule]) -> str:
    """The first line: what it is also called, and how many studies there are of it."""
    known = {molecule.name: molecule for molecule in registry}
    lines = []
    for name, own in own_studies.items():
        aliases = (
            [alias for alias in known[name].aliases if alias.casefold() != name.casefold()]
            if name in known
            else []
        )
        called = f" (also {', '.join(aliases[:3])})" if aliases else ""
        noun = "study" if len(own) == 1 else "studies"
        count = f"{len(own)} {noun}" if len(own) <= COUNTED else noun
        listed = ", ".join(map(with_plan, own[:COUNTED]))
        lines.append(
            f"{name}{called}: {count}{': ' if own else ''}{listed}{' and others' if own[COUNTED:] else ''}."
        )
    return " ".join(lines)


async def of_documents(
    desk: Desk, question: Question, studies: Sequence[Study], subject: str
) -> Answer | None:
    """What studies say of themselves: of one its purpose, design, results and end; of several a line each."""
    loaded = [await desk.tools.documents.open(desk.tools.index, study.record.doc_id) for study in studies]
    claims: list[Claim] = []
    if len(studies) == 1 and loaded[0]:
        claims = [desk_claim(desk, passage) for passage in key_passages(loaded[0])]
        registry = await desk.tools.index.molecules()
        own = [molecule for molecule in registry if molecule.name in studies[0].record.main_molecules]
        claims += [desk_claim(desk, row) for row in key_rows(loaded[0], own, registry, DOSES)]
    else:
        claims = await findings(desk, studies, LINES)
    keys, table = await study_table(desk, studies, "Studies")
    composer = desk.number()
    record = studies[0].record
    count = f"On {subject}: {'; '.join(study.record.title for study in studies)}"
    line = f"{studies[0].name}: {record.title}" if len(studies) == 1 else count
    blocks: list[Block] = [line_of(composer, line, keys)]
    blocks += [Points(tuple(composer.statement(claim) for claim in claims))] if claims else []
    named = [*record.main_molecules, *(study.name for study in studies)]
    return desk.answer(question, line, [*blocks, *table], molecules=record.main_molecules, subjects=named)


def _lower(name: str) -> str:
    return name[:1].lower() + name[1:]


def shortened(short: str) -> str:
    """The first items of a long answer, as many as fit a line."""
    items = re.split(r"(?<=\)); ", short)
    kept = [item for i, item in enumerate(items) if sum(map(len, items[: i + 1])) <= LINE] or items[:1]
    return "; ".join(kept) + ("; and others" if items[len(kept) :] else "")


def _line(desk: Desk, composer: Composer, part: AnswerPart, before: str) -> Statement:
    """One question type: its name, its answer, and the evidence."""
    text = f"{before}{desk.tools.library[part.question_type].name}: {shortened(part.short)}"
    derived = tuple(one for claim in part.claims for one in claim.derived)
    return composer.statement(
        replace(part.claims[0], text=text, keys=keys_of(part), quotes=(), derived=derived)
    )
