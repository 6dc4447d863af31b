"""Label passages as evidence: each is a source of its own, which a citation opens."""

from collections.abc import Iterable, Mapping, Sequence

from agents.databases.labels import LabelPassage
from agents.evidence.memory import EvidenceMemory
from agents.evidence.sources import Source, tool_source
from agents.evidence.values import Evidence
from agents.vigilance.values import CategoryVerdict, DrugVerdict, Reason

DAILYMED = "https://dailymed.nlm.nih.gov/dailymed/lookup.cfm?setid="
SET_ID = 36
"""Characters of a set id; other identifiers have no page there."""


def source_of(passage: LabelPassage) -> Source:
    """A passage as a source."""
    state = passage.release or (f"label of {passage.effective}" if passage.effective else "")
    link = f"{DAILYMED}{passage.set_id}" if len(passage.set_id) == SET_ID else ""
    return tool_source(
        passage.source,
        f"{passage.title}: {section_title(passage.section)}{f' ({state})' if state else ''}",
        passage.text,
        release=passage.release or passage.effective,
        link=link,
    )


def section_title(section: str) -> str:
    """A section's name for people ("Adverse reactions")."""
    return section.replace("_", " ").capitalize()


def remembered(sources: Mapping[str, Source], memory: EvidenceMemory) -> dict[str, Evidence]:
    """The whole of each source in an evidence memory, under the same id as the source."""
    return {place: memory.add_whole(source) for place, source in sources.items()}


def cited_passages(cells: Sequence[CategoryVerdict]) -> tuple[LabelPassage, ...]:
    """The passages that a table's verdicts show or cite, each once, in the order of their use."""
    known = {one.passage.id: one.passage for cell in cells for drug in cell.drugs for one in drug.extracts}
    cited = [place for cell in cells for reason in reasons_of(cell) for place in reason.passages]
    return tuple(known[place] for place in dict.fromkeys((*cited, *known)) if place in known)


def reasons_of(cell: CategoryVerdict) -> tuple[Reason, ...]:
    """The reasons of a class's verdict and of its drugs'."""
    drugs: Iterable[DrugVerdict] = cell.drugs
    return (*cell.reasons, *(reason for drug in drugs for reason in drug.reasons))
