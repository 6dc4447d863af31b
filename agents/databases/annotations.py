"""Annotations with terms of the Gene Ontology, each with the evidence that it rests on."""

from collections.abc import Iterable
from dataclasses import dataclass

from agents.counts import number_of
from agents.databases.edition import Edition
from agents.databases.facts import Topic
from agents.databases.sheet import Sheet
from agents.databases.target import Target

EXPERIMENT = frozenset(["EXP", "IDA", "IPI", "IMP", "IGI", "IEP", "HTP", "HDA", "HMP", "HGI", "HEP"])
AUTHOR = frozenset(["TAS", "NAS", "IC"])
GROUPS = (
    "experiment",
    "statement of an author or curator",
    "comparison of sequences or families",
    "electronic",
)
NOT_TOLD = frozenset(("GO:0005515", "GO:0003674", "GO:0008150", "GO:0005575"))
""" "Protein binding" and the three roots: they say nothing."""
BY_ASPECT = {
    "molecular_function": "has the function",
    "biological_process": "is involved in",
    "cellular_component": "is located in",
}


@dataclass(frozen=True, slots=True)
class Annotation:
    """One annotation. `aspect` is "molecular_function", "biological_process" or "cellular_component",
    `evidence` a three-letter code ("IDA").
    """

    term: str
    name: str
    aspect: str
    evidence: str

    @property
    def group(self) -> int:
        """Place of the evidence in `GROUPS`, the strongest first."""
        if self.evidence in EXPERIMENT:
            return 0
        if self.evidence in AUTHOR:
            return 1
        return 3 if self.evidence in ("IEA", "ND") else 2

    @property
    def relation(self) -> str:
        """What the protein has to do with the term, in words."""
        return BY_ASPECT.get(self.aspect, "is annotated with")


def describe_annotations(edition: Edition, target: Target, found: Iterable[Annotation]) -> Sheet:
    """The record: each term once, with its strongest evidence; experiments first."""
    gene = target.symbol
    sheet = edition.sheet(f"functions, processes and places of {gene}", gene)
    best: dict[str, Annotation] = {}
    for one in sorted(found, key=lambda one: (one.group, one.evidence)):
        best.setdefault(one.term, one)
    told = sorted(
        (one for one in best.values() if one.name and one.term not in NOT_TOLD),
        key=lambda one: (one.group, one.aspect, one.name.casefold()),
    )
    tested = [one for one in told if one.group == 0]
    if told:
        sheet.fact(
            Topic.FUNCTION,
            f"The {edition.name} annotates {gene} with {number_of(len(told), 'term')}, {len(tested)} of them "
            "on the evidence of an experiment.",
            sheet.line(
                f"Terms of {gene}: {len(told)}, of them on the evidence of an experiment: {len(tested)}"
            ),
            measure="number of terms",
            value=len(told),
        )
    for one in told:
        _tell(sheet, gene, one, edition)
    return sheet


def _tell(sheet: Sheet, gene: str, one: Annotation, edition: Edition) -> None:
    line = sheet.line(f"{gene} {one.relation} {one.name} ({one.term}); evidence: {_evidence(one)}")
    sheet.fact(
        Topic.LOCATION if one.aspect == "cellular_component" else Topic.FUNCTION,
        f"By the {edition.name}, {gene} {one.relation} {one.name} ({one.term}; evidence: {_evidence(one)}).",
        line,
        term=one.name,
        id=one.term,
    )


def _evidence(one: Annotation) -> str:
    return f"{GROUPS[one.group]}, {one.evidence}"
