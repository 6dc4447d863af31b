"""Molecules of the whole archive: which, how many, ranked, in a table of question types, and their status."""

import re
from collections.abc import Sequence

from agents.archive.answer import Answer, Question
from agents.archive.classify import types_of
from agents.archive.general.words import LIGHT_STEMS, stems
from agents.archive.library import GENERAL, Library
from agents.archive.overview.asked import SUPERLATIVE, Asked, Shape, lowest_first
from agents.archive.overview.by_state import in_state
from agents.archive.overview.columns import NOT_STATED, STATUS, columns_asked, levels_in, of_targets
from agents.archive.overview.limits import limit_in, within_limit
from agents.archive.overview.narrowed import SAID, Narrowed, has_words, stems_of
from agents.archive.overview.page import MOST_ROWS, Desk, counted, line_of, study_table
from agents.archive.overview.ranked import ranked
from agents.archive.overview.registers import studies_on_record
from agents.archive.overview.status_table import status_rows
from agents.archive.overview.studies import Study, documents_of, is_about, standing, with_status, with_words
from agents.archive.overview.typed import keys_of, of_programme, typed
from agents.archive.research.drafting import listed
from agents.archive.values import AnswerPart
from agents.counts import number_of
from agents.reports.compose import Composer
from agents.reports.values import Cell, Table
from retrieval.text.stems import stem
from retrieval.values import Molecule

COLUMNS = {
    "mechanism": r"\b(?:mechanisms?|targets?|class(?:es)?|mode of action)\b",
    "route": r"\broutes?\b",
    "first_in_human_dose": r"first[- ]in[- ](?:hu)?man|\bstarting dose",
    "highest_dose": r"\b(?:highest|maximum|max|top) dos|^(?!.*(?:first|efficac|effective)).*\bdoses?\b",
    "efficacious_dose": r"\befficac|\beffective dose",
    "regimen": r"\bregimens?\b|\bdosing\b|\bschedules?\b",
    "margin_of_safety": r"\bmargins?\b|safety factor",
    "organ_toxicity": r"\btoxicit|\borgans?\b",
    "pharmacokinetics": r"\bhalf-?li|pharmacokinetic|\bPK\b|\bexposure",
    "discontinuation_reason": r"\bdiscontinu|\bterminat|\bstopp|\breasons?\b",
}
"""Words of a table's columns, by question type."""
OF_TABLES = frozenset(
    stems(
        "table compare comparison matrix side overview list molecule compound drug candidate substance"
        " medicine agent small company archive whole summary two three four five"
    )
)
"""Stems of words that ask for a table and for nothing in it."""
MOST_MOLECULES = 40
MOST_NAMED, MOST_STUDIES = 20, 6
"""Molecules that the first line names, and studies in a cell."""


async def compared(
    desk: Desk, question: Question, asked: Asked, narrowed: Narrowed, registry: Sequence[Molecule]
) -> Answer | None:
    """Molecules by records or by what the question types say of each; None where neither tells."""
    types = types_asked(desk.tools.library, question.text, columns=asked.shape is Shape.TABLE)
    known = STATUS.search(question.text) or levels_in(question.text)
    if asked.shape is Shape.TABLE and not (types or known):
        if set(stems(question.text)) - LIGHT_STEMS - OF_TABLES:
            return None  # it names what to compare, and no type knows that
        types = ("mechanism", "highest_dose", "discontinuation_reason")
    if not types and re.search(r"\b(?:terminat|discontinu|stopp|abandon|halt)\w*", question.text, re.I):
        types = ("discontinuation_reason",)
    by_state = asked.shape in (Shape.LIST, Shape.COUNT) and not types
    if by_state and (told := await in_state(desk, question, asked.rest, registry)):
        return told
    if asked.shape is Shape.RANK and re.search(
        r"\b(?:stud(?:y|ies)|trials|documents|reports)\b", question.text, re.I
    ):
        return await most_documented(desk, question, registry, narrowed)
    if asked.shape is Shape.RANK:
        names, left_out = studied(desk, registry)
        return await ranked(desk, question, types, names, left_out, registry)
    limit = limit_in(question.text)
    if limit and asked.shape in (Shape.LIST, Shape.COUNT):
        names, _ = studied(desk, registry)
        named = types_asked(desk.tools.library, question.text, columns=True)
        return await within_limit(desk, question, limit, named, names, registry)
    if types or asked.shape is Shape.TABLE:
        return await by_types(desk, question, asked, narrowed, registry, types)
    return await by_studies(desk, question, asked, narrowed, registry)


def types_asked(library: Library, text: str, *, columns: bool) -> tuple[str, ...]:
    """The question types of a question; of a table also those that one word of it names."""
    routed = {key for key in types_of(library, text) if key not in (GENERAL, "study_list")}
    if columns:
        routed |= {key for key, pattern in COLUMNS.items() if re.search(pattern, text, re.I)}
    return tuple(key for key in library if key in routed)


IN_ARCHIVE = re.compile(
    r"(?:(?:all|different|of|the|our|are|is|do|does|we|you|there|have|has|hold|contain|exist|known|named|covered|"
    r"mentioned|on|record|in|this|archive|collection|documents|database|describe[ds]?|total) ?)*",
    re.I,
)
"""What asks for the molecules of the archive itself, and not of those that something was done with."""


async def by_types(
    desk: Desk,
    question: Question,
    asked: Asked,
    narrowed: Narrowed,
    registry: Sequence[Molecule],
    types: Sequence[str],
) -> Answer | None:
    """A table of molecules by question types; of a list only those that have what was asked for."""
    names, left_out = studied(desk, registry)
    table = asked.shape is Shape.TABLE
    of_status = table and STATUS.search(question.text)
    of_target = table and "mechanism" in types
    projects = await status_rows(desk, registry) if of_status or of_target else []
    if of_status and not projects:
        types = (*types, *({"discontinuation_reason"} - set(types)))  # what is known of a status is its end
    merged = await typed(desk.tools, question.text, types, names)
    desk.take(merged.evidence)
    shown_rows = projects if of_status else []
    columns = await columns_asked(desk, question.text, names, registry, shown_rows) if table else []
    targets = of_targets(desk, projects if of_target else [], registry)
    known = {name for one in (*columns, targets) for name in one.cells}
    parts = {(part.molecule, part.question_type): part for part in merged.parts}
    rows = [name for name in names if any(_present(parts, name, key) for key in types) or name in known]
    if asked.shape in (Shape.LIST, Shape.COUNT):
        words = [word for word in narrowed.words if not _routed(word, types, desk)]
        rows = [
            name for name in rows if _says([parts[name, key] for key in types if (name, key) in parts], words)
        ]
        if words and not rows:
            return None
    if _is_end(types, asked):
        rows.sort(key=lambda name: not of_programme(parts[name, types[0]]))
    if not rows:
        return None
    composer = desk.number()
    shown = names if table else rows
    line, keys = (_table_line(names, rows), []) if table else _told(rows, parts, types)
    heads = ("Molecule", *(desk.tools.library[key].name for key in types), *(one.name for one in columns))
    body = tuple(
        (
            Cell(name),
            *(
                targets.cell(composer, name)
                if key == "mechanism" and not _present(parts, name, key)
                else cell_of(composer, parts.get((name, key)))
                for key in types
            ),
            *(one.cell(composer, name) for one in columns),
        )
        for name in shown
    )
    blocks = [
        line_of(composer, line, keys),
        Table("All molecules" if table else "By molecule", heads, body),
    ]
    were = "was" if len(names) == 1 else "were"
    compared_with = (
        f"{number_of(len(names), 'molecule')} with a study or report of their own {were} compared."
    )
    notes = (left_out,) if table else (compared_with, left_out)
    rest = [name for name in rows if not of_programme(parts[name, types[0]])] if _is_end(types, asked) else []
    whole = [name for name in rows if name not in rest]
    counts = [counted(names if table else whole), *([counted(rest)] if rest else [])]
    return desk.answer(question, line, blocks, subjects=names, notes=notes, derived=counts)


async def by_studies(
    desk: Desk, question: Question, asked: Asked, narrowed: Narrowed, registry: Sequence[Molecule]
) -> Answer | None:
    """Molecules that have a study that meets the conditions; without any condition, all of the archive."""
    if not registry:
        plain = IN_ARCHIVE.fullmatch(asked.rest.strip()) and not narrowed.words
        return await without_molecules(desk, question) if plain else None
    studies = await studies_on_record(desk.tools, desk.records)
    found: dict[str, list[Study]] = {}
    for molecule in registry:
        own = [study for study in studies if is_about(study, narrowed, [molecule.name])]
        fitting = await with_words(desk.tools, own, narrowed.words)
        if fitting or not (narrowed.conditions or narrowed.words):
            found[molecule.name] = fitting
    if not found and narrowed.words:
        return None
    more = " and others" if len(found) > MOST_NAMED else ""
    listed = f"{': ' if found else ''}{', '.join(list(found)[:MOST_NAMED])}{more}"
    line = f"{number_of(len(found), 'molecule')}{listed}."
    keys = {
        name: [key for study in own[:MOST_STUDIES] for key in await desk.key_of(study)]
        for name, own in found.items()
    }
    composer = desk.number()
    aliases = {molecule.name: molecule.aliases for molecule in registry}
    body = tuple(
        (
            composer.cell(name, keys[name]),
            Cell(", ".join(aliases[name])),
            composer.cell(named(own), keys[name]),
        )
        for name, own in found.items()
    )
    first = [own[0] for own in keys.values() if own]
    table = [Table("Molecules", ("Molecule", "Also called", "Studies"), body)] if body else []
    told = f" Conditions: {narrowed.told}." if narrowed.told else ""
    return desk.answer(
        question,
        line,
        [line_of(composer, line, first), *table],
        notes=(
            f"From the records of {number_of(len(studies), 'study')} and "
            f"{number_of(len(registry), 'molecule')}.{told}",
        ),
        subjects=[*found, *(alias for name in found for alias in aliases[name])],
        derived=[counted(list(found))],
    )


async def without_molecules(desk: Desk, question: Question) -> Answer:
    """What is said where no molecule is on record: which documents there are."""
    documents = documents_of(standing(desk.records))
    line = f"No molecule is on record for any of {number_of(len(documents), 'document')}."
    keys, blocks = await study_table(desk, documents, "Documents of the archive", head="Document")
    derived = [counted([one.name for one in documents])] if len(documents) <= MOST_ROWS else []
    first = line_of(desk.number(), line, keys[:MOST_NAMED])
    return desk.answer(question, line, [first, *blocks], derived=derived)


def named(studies: Sequence[Study]) -> str:
    """Some studies by name, with their status in a register: what is planned is not done."""
    shown = ", ".join(map(with_status, studies[:MOST_STUDIES]))
    return f"{shown} and others" if studies[MOST_STUDIES:] else shown


async def most_documented(
    desk: Desk, question: Question, registry: Sequence[Molecule], narrowed: Narrowed
) -> Answer | None:
    """Molecules by the number of their studies or documents that meet the conditions."""
    records = standing(desk.records)
    documents = re.search(r"\b(?:documents|reports)\b", question.text, re.I)
    studies = [] if documents else await studies_on_record(desk.tools, records)
    of_kind = Narrowed(narrowed.conditions, ())
    own = {
        molecule.name: documents_of([record for record in records if molecule.name in record.molecules])
        if documents
        else [study for study in studies if is_about(study, of_kind, [molecule.name])]
        for molecule in registry
    }
    ordered = sorted(
        filter(own.get, own), key=lambda name: (len(own[name]), name), reverse=not lowest_first(question.text)
    )[:MOST_NAMED]
    if not ordered:
        return None
    what = "documents" if documents else "studies"
    told = f" ({of_kind.told})" if of_kind.conditions else ""
    first = [name for name in ordered if len(own[name]) == len(own[ordered[0]])]
    each = " each" if len(first) > 1 else ""
    count = number_of(len(own[first[0]]), "document" if documents else "study")
    line = f"{listed(first)}, with {count}{each}{told}."
    keys = {name: [key for study in own[name] for key in await desk.key_of(study)] for name in ordered}
    composer = desk.number()
    body = tuple((Cell(name), composer.cell(str(len(own[name])), keys[name])) for name in ordered)
    table = Table(f"Molecules by their {what}", ("Molecule", what.capitalize()), body)
    return desk.answer(
        question,
        line,
        [line_of(composer, line, [key for name in first for key in keys[name]]), table],
        subjects=ordered,
        derived=[counted([study.name for study in own[name]]) for name in ordered],
    )


def studied(desk: Desk, registry: Sequence[Molecule]) -> tuple[list[str], str]:
    """The molecules that are the main one of a document, and what is said of those left out."""
    main = {name for record in standing(desk.records) for name in record.main_molecules}
    ordered = sorted((m for m in registry if m.name in main), key=lambda m: (-m.documents, m.name))
    left = len(ordered) - MOST_MOLECULES
    note = f"{left} molecules with fewer documents were left out." if left > 0 else ""
    return sorted(molecule.name for molecule in ordered[:MOST_MOLECULES]), note


def _is_end(types: Sequence[str], asked: Asked) -> bool:
    """Whether the molecules are listed whose development ended."""
    return tuple(types) == ("discontinuation_reason",) and asked.shape in (Shape.LIST, Shape.COUNT)


def _present(parts: dict[tuple[str, str], AnswerPart], name: str, key: str) -> bool:
    return (name, key) in parts and parts[name, key].present


def _says(parts: Sequence[AnswerPart], words: Sequence[str]) -> bool:
    """Whether what the parts state has all the words."""
    told = (f"{p.short} {p.headline} {' '.join(v.value for v in p.fields)}" for p in parts if p.present)
    return has_words(" ".join(told), words)


def _routed(word: str, types: Sequence[str], desk: Desk) -> bool:
    """Whether a word only names the question type."""
    kinds = [desk.tools.library[key] for key in types]
    known = stems_of(
        " ".join(f"{kind.name} {kind.description} {' '.join(kind.routing.phrases)}" for kind in kinds)
    )
    return (
        word in SAID
        or stem(word) in known
        or SUPERLATIVE.fullmatch(word) is not None
        or stem(word) in GENERIC
    )


GENERIC = stems_of(
    "terminated discontinued stopped why reason reasons cause caused causes causing show shows associated"
)


def _table_line(names: Sequence[str], rows: Sequence[str]) -> str:
    """How many molecules a table compares, and of which of them nothing is stated."""
    bare = [name for name in names if name not in rows]
    return f"{number_of(len(names), 'molecule')} compared" + (
        f"; nothing stated for {', '.join(bare)}." if bare else "."
    )


def _told(
    rows: Sequence[str], parts: dict[tuple[str, str], AnswerPart], types: Sequence[str]
) -> tuple[str, list[str]]:
    """The first line and the keys behind it."""
    key = types[0]
    own = [parts[name, key] for name in rows if _present(parts, name, key)]
    keys = [part.claims[0].keys[0] for part in own if part.claims and part.claims[0].keys]
    whole = [part.molecule for part in own if key != "discontinuation_reason" or of_programme(part)]
    only = [part.molecule for part in own if part.molecule not in whole]
    single = f" Of {len(only)} more only studies or parts were stopped: {', '.join(only)}." if only else ""
    return f"{number_of(len(whole), 'molecule')}{': ' if whole else ''}{', '.join(whole)}.{single}", keys


def cell_of(composer: Composer, part: AnswerPart | None) -> Cell:
    """What a question type says of a molecule, cited."""
    if part is None or not part.present:
        return Cell(NOT_STATED)
    return composer.cell(part.short, keys_of(part))
