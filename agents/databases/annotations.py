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
RELATIONS = {
    "enables": "has the function",
    "contributes_to": "contributes to the function",
    "involved_in": "is involved in",
    "acts_upstream_of": "acts upstream of",
    "acts_upstream_of_positive_effect": "acts upstream of, with a positive effect on,",
    "acts_upstream_of_negative_effect": "acts upstream of, with a negative effect on,",
    "acts_upstream_of_or_within": "acts upstream of or within",
    "acts_upstream_of_or_within_positive_effect": "acts upstream of or within, with a positive effect on,",
    "acts_upstream_of_or_within_negative_effect": "acts upstream of or within, with a negative effect on,",
    "located_in": "is located in",
    "is_active_in": "is active in",
    "part_of": "is part of",
    "colocalizes_with": "is found together with",
}
BY_ASPECT = {
    "molecular_function": "has the function",
    "biological_process": "is involved in",
    "cellular_component": "is located in",
}


@dataclass(frozen=True, slots=True)
class Annotation:
    """One annotation. `aspect` is "molecular_function", "biological_process" or "cellular_component";
    `qualifier` as in the data ("enables", "NOT|involved_in"), `evidence` a three-letter code ("IDA").
    """

    term: str
    name: str
    aspect: str
    qualifier: str
    evidence: str
    reference: str = ""

    @property
    def is_not(self) -> bool:
        """Whether it says that the protein does not do so."""
        return "NOT" in self.qualifier.split("|")

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
        """The qualifier in words."""
        bare = next((part for part in self.qualifier.split("|") if part != "NOT"), "")
        return RELATIONS.get(bare, BY_ASPECT.get(self.aspect, "is annotated with"))


def describe_annotations(edition: Edition, target: Target, found: Iterable[Annotation]) -> Sheet:
    """The record: each term once, with its strongest evidence; experiments first.

    What the protein is said not to do is a line, and no fact: as a fact it would read as its opposite. So is
    a term whose name is not known.
    """
    gene = target.symbol
    sheet = edition.sheet(f"functions, processes and places of {gene}", gene)
    best: dict[tuple[str, bool], Annotation] = {}
    for one in sorted(found, key=lambda one: (one.group, one.evidence, one.reference)):
        best.setdefault((one.term, one.is_not), one)
    told = sorted(
        (one for one in best.values() if one.name and not one.is_not and one.term not in NOT_TOLD),
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
    for one in best.values():
        if one.is_not or not one.name:
            denied = "NOT: " if one.is_not else ""
            sheet.line(f"{denied}{gene} {one.relation} {one.name or one.term} ({one.term}, {_evidence(one)})")
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
    cited = f", {one.reference}" if one.reference.startswith("PMID:") else ""
    return f"{GROUPS[one.group]}, {one.evidence}{cited}"
