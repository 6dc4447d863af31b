"""Phenotypes of mice as records: of all with mutations of a gene, and by genotype, which alleles show what.

An allele's symbol says how it was made: `Adrb2<tm1Bkk>` is a targeted mutation, `<em1...>` one by an
endonuclease, `<Gt...>` a gene trap, `<Tg...>` a transgene. Only the same allele twice is taken as loss.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from agents.counts import number_of
from agents.databases.bulk_format import Row
from agents.databases.edition import Edition
from agents.databases.facts import Change, Topic
from agents.databases.sheet import Sheet

LOSS = re.compile(r"<(tm|em|Gt)[^>]*>")
GAIN = re.compile(r"<Tg|Tg\(|\(CAG|tm\d+\([A-Z]")
"""Transgenes, and targeted mutations that put another gene in ("tm1(CYP2D6)Abc")."""


def change_of(genotype: str) -> Change:
    """Loss for two copies of one targeted, trapped or edited allele; not told for every other genotype."""
    alleles = [one.strip() for one in genotype.split("/")]
    if len(alleles) != 2 or alleles[0] != alleles[1] or GAIN.search(genotype):
        return Change.NOT_TOLD
    return Change.LOSS if LOSS.search(alleles[0]) else Change.NOT_TOLD


@dataclass(frozen=True, slots=True)
class Phenotype:
    """A term's id and name, with its definition or a paper ("PMID:1") where they are known."""

    id: str
    name: str
    definition: str = ""
    paper: str = ""


def describe_phenotypes(
    edition: Edition,
    gene: str,
    mouse: tuple[str, str],
    found: Sequence[Phenotype],
    kinds: tuple[str, str],
    *,
    served: str = "",
    listing: str = "",
) -> Sheet:
    """A record with a line and a fact for each phenotype, and a fact that counts them.

    `mouse` is the mouse gene by id and symbol, `kinds` what is counted, one and several; `served` ends the
    title, and `listing` the count.
    """
    marker, symbol = mouse
    mice, ortholog = f"mice with mutations of {symbol}", f"ortholog of human {gene}"
    sheet = edition.sheet(f"phenotypes of {mice}, {ortholog}{served}", gene)
    sheet.line(f"Mouse gene: {symbol} ({marker}), {ortholog}")
    read = {"species": "mouse", "change": Change.LOSS, "assumed": True}
    if found:
        sheet.fact(
            Topic.PHENOTYPE,
            f"{edition.name} lists {number_of(len(found), *kinds)} of {mice}, the {ortholog}{listing}.",
            sheet.line(f"{kinds[1].capitalize()} of {mice}: {len(found)}{listing}"),
            measure=f"number of {kinds[1]}",
            value=len(found),
            **read,
        )
    for one in found:
        named = f"{one.name} ({one.id}{f', {one.paper}' if one.paper else ''})"
        sheet.fact(
            Topic.PHENOTYPE,
            f"In {edition.name}, {mice}, the {ortholog}, show: {named}.",
            sheet.line(f"{named}: {one.definition}" if one.definition else named),
            term=one.name,
            id=one.id,
            **read,
        )
    return sheet


def describe_genotypes(
    edition: Edition,
    gene: str,
    mouse: str,
    rows: Sequence[Row],
    names: Mapping[str, tuple[str, str]],
    changed: Callable[[str], Change] = change_of,
) -> Sheet:
    """A record with a line and a fact for each term, with the first genotype that shows it.

    Genotypes with loss, as `changed` reads them, come first. `names` holds name and definition of each term.
    """
    sheet = edition.sheet(f"phenotypes of {mouse} mutant mice by genotype, ortholog of human {gene}", gene)
    best: dict[str, Row] = {}
    for row in sorted(rows, key=lambda row: changed(row["Genotype"]) != Change.LOSS):
        best.setdefault(row["MP ID"], row)
    for term, row in sorted(best.items(), key=lambda item: names[item[0]][0].casefold()):
        name, genotype, paper = names[term][0], row["Genotype"], row.get("PubMed ID")
        cited = f", PMID {paper}" if paper else ""
        line = sheet.line(f"{name} ({term}): {genotype}{cited}")
        sheet.fact(
            Topic.PHENOTYPE,
            f"Mice of genotype {genotype} of {mouse}, the ortholog of human {gene}, show {name} "
            f"({term}{cited}).",
            line,
            term=name,
            id=term,
            species="mouse",
            change=changed(genotype),
            genotype=genotype,
        )
    return sheet
