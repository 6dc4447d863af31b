"""Phenotypes of mice by genotype, as MGI reports them: which alleles show what.

An allele's symbol says how it was made: `Adrb2<tm1Bkk>` is a targeted mutation, `<em1...>` one by an
endonuclease, `<Gt...>` a gene trap, `<Tg...>` a transgene. Only the same allele twice is taken as loss.
"""

import re
from collections.abc import Mapping, Sequence

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


def describe_genotypes(
    edition: Edition, gene: str, mouse: str, rows: Sequence[Row], names: Mapping[str, tuple[str, str]]
) -> Sheet:
    """A record with a line and a fact for each term, with the first genotype that shows it.

    Genotypes with loss come first. `names` holds name and definition of each term.
    """
    sheet = edition.sheet(f"phenotypes of {mouse} mutant mice by genotype, ortholog of human {gene}", gene)
    best: dict[str, Row] = {}
    for row in sorted(rows, key=lambda row: change_of(row["Genotype"]) != Change.LOSS):
        best.setdefault(row["MP ID"], row)
    for term, row in sorted(best.items(), key=lambda item: names[item[0]][0].casefold()):
        name, genotype, paper = names[term][0], row["Genotype"], row["PubMed ID"]
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
            change=change_of(genotype),
        )
    return sheet
