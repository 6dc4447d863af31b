"""The studies of a molecule in the archive, with phase, species or population, status and date."""

from collections.abc import Iterator, Sequence

from agents.archive.answer import Rejected
from agents.archive.research.drafting import absent, population_of
from agents.archive.research.study import Kind, Part, Study, studies
from agents.archive.values import Dossier, Draft, DraftClaim, DraftField
from retrieval.values import Passage

KINDS = (Kind.REGISTRY, Kind.PROTOCOL, Kind.CLINICAL, Kind.NONCLINICAL)
ROMAN = {1: "I", 2: "II", 3: "III", 4: "IV"}
MOST = 12


def extract(dossier: Dossier) -> Draft:
    """Documents that describe a study of the molecule."""
    read = studies(dossier)
    name = dossier.molecule.name
    found = [study for study in read if study.kind in KINDS and study.part is not Part.PASSING]
    rejected = [
        Rejected(s.record.doc_id, "mentioned in passing", f"{s.kind.value}: {s.title}")
        for s in read
        if s not in found
    ]
    if not found:
        return absent(f"The archive holds no study of {name}.", rejected)
    return draft(name, found, rejected)


def draft(name: str, found: Sequence[Study], rejected: Sequence[Rejected]) -> Draft:
    """One line a study."""
    items = [item_of(study) for study in found]
    more = f"; {len(items) - MOST} more" if len(items) > MOST else ""
    short = f"{len(items)} stud{'y' if len(items) == 1 else 'ies'}: {'; '.join(items[:MOST])}{more}"
    claims = tuple(
        DraftClaim(passage.text.lstrip("# "), (passage,))
        for study in found
        if (passage := first_passage(study)) is not None
    )
    fields = tuple(field for study in found for field in fields_of(study))
    return Draft(
        True, short, f"The archive holds {short[0].lower()}{short[1:]}.", claims, fields, tuple(rejected)
    )


def item_of(study: Study) -> str:
    """ "NCT01234567 (Phase II; patients with asthma; completed)"."""
    facts = (phase_of(study), population_of(study) or species(study), status_of(study))
    return f"{study.record.doc_id} ({'; '.join(filter(None, facts))})"


def phase_of(study: Study) -> str:
    """The phase, or the kind of study where it has none."""
    if study.phases:
        return f"Phase {'/'.join(ROMAN[phase] for phase in sorted(study.phases))}"
    return study.record.document_type or study.kind.value


def species(study: Study) -> str:
    """Species that the record names."""
    return ", ".join(study.record.species)


def status_of(study: Study) -> str:
    """The status, if the record has one."""
    return study.record.status.value if study.record.status else ""


def first_passage(study: Study) -> Passage | None:
    """The heading or sentence that stands for the study: the one with its title, or the first."""
    titled = next(
        (
            line
            for line in study.lines
            if line.is_heading and study.record.title and study.record.title in line.passage.text
        ),
        None,
    )
    line = titled or (study.lines[0] if study.lines else None)
    return line.passage if line else None


def fields_of(study: Study) -> Iterator[DraftField]:
    """What the study list shows of a study; `note` is its identifier."""
    passage = first_passage(study)
    at = (passage,) if passage else ()
    values = {
        "study": study.record.doc_id,
        "title": study.title,
        "type": study.record.document_type or study.kind.value,
        "phase": "/".join(ROMAN[phase] for phase in sorted(study.phases)),
        "species": species(study),
        "status": status_of(study),
        "date": study.record.date,
    }
    for field, value in values.items():
        if value:
            yield DraftField(field, value, passages=at, note=study.record.doc_id)
