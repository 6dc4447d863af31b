"""DrugCentral: approved drugs by the target through which they act, with their action.

Bulk: the table of drugs and targets (`drug.target.interaction.tsv`). Only rows that it marks as the mechanism
of action (MOA 1) and that tell an action are kept: the others are mere binding, which has no direction.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from agents.databases.bulk_format import BulkFormat, Row, table, under, with_columns
from agents.databases.database import database
from agents.databases.drugs import SHARED, Drug, acting, ranked, shown_name
from agents.databases.edition import Edition, absent
from agents.databases.facts import Topic
from agents.databases.gtopdb import is_withdrawn
from agents.databases.ports import Reach
from agents.databases.sheet import target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked

WITHDRAWN = "withdrawn drug"
GONE = "; it was withdrawn (Guide to Pharmacology)"
ANTIBODY, BRINGS = "ANTIBODY BINDING", "OTHER"
"""What an antibody does; one of two targets without a chain in common brings cells together, and inhibits
neither of them.
"""
NAME, STRONGER = itemgetter("DRUG_NAME"), 0.5
"""By how much the logarithm has to differ."""
SHOWN = 25
"""Drugs that are listed one by one."""


def mechanisms(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """Mechanisms of action under each gene, with all genes through which the drug acts; where these are
    several, whether it binds another protein more strongly (any of these with an affinity, if this has none).
    """
    every = list(table(lines, "DRUG_NAME", "GENE", "MOA", "ACTION_TYPE"))
    rows = [row for row in every if row["MOA"] == "1"]
    bound: dict[str, list[set[str]]] = {}
    for row in rows:
        bound.setdefault(row["DRUG_NAME"], []).append(set(row["GENE"].split("|")))
    genes = {name: set().union(*own) - {""} for name, own in bound.items()}
    most, acting = (
        {name: max(map(_affinity, own)) for name, own in groupby(sorted(kind, key=NAME), NAME)}
        for kind in (every, rows)
    )
    for row in rows:
        if row["ACTION_TYPE"]:
            drug, own = row["DRUG_NAME"], _affinity(row)
            weaker = (most if own else acting)[drug] - own > STRONGER
            minor = "yes" * (len(genes[drug]) > 1 and weaker)
            apart = row["ACTION_TYPE"] == ANTIBODY and not set.intersection(*bound[drug])
            action = BRINGS if apart else row["ACTION_TYPE"]
            kept = {"drug": drug, "action": action, "genes": "|".join(sorted(genes[drug]))}
            yield from under({**kept, "minor": minor}, *row["GENE"].split("|"))


def _affinity(row: Mapping[str, str]) -> float:
    """The negative logarithm of the concentration at which a protein is bound; 0 where none is known."""
    return float(row.get("ACT_VALUE") or 0)


DRUGCENTRAL = database(
    "drugcentral",
    BulkFormat(
        "drugcentral",
        "drug.target.interaction.tsv.gz",
        "https://drugcentral.org/download",
        "DRUG_NAME, STRUCT_ID, TARGET_NAME, …, GENE, …, MOA, …, ACTION_TYPE",
        with_columns("DRUG_NAME", "GENE", "MOA", "ACTION_TYPE"),
        mechanisms,
    ),
)


async def mechanism_drugs(reach: Reach, target: Target) -> tuple[Drug, ...]:
    """The drugs of a target in the loaded table, those that act through it most and alone first; none where
    none is.

    A drug is `shared` where the table names other genes for its mechanism; those of an antibody are chains of
    the one complex that it binds.
    """
    if reach.bulk.release(DRUGCENTRAL.name) is None:
        return ()
    rows = await reach.bulk.rows(DRUGCENTRAL.name, target.symbol)
    found = ranked(
        Drug(
            shown_name(row["drug"]),
            action=row["action"].lower(),
            shared="|" in row["genes"] and row["action"] != ANTIBODY,
            minor=bool(row.get("minor")),
        )
        for row in rows
    )
    return tuple(sorted(found, key=lambda drug: (drug.minor, drug.shared)))


async def drugs_by_mechanism(reach: Reach, target: Target) -> TargetFindings:
    """The drugs that act through a target, a fact each."""
    if (loaded := reach.bulk.release(DRUGCENTRAL.name)) is None:
        return unasked(DRUGCENTRAL)
    if not (drugs := await mechanism_drugs(reach, target)):
        return absent(f"The loaded table of DrugCentral names no drug that acts through {target.symbol}.")
    what = f"drugs that act through {target.symbol}"
    sheet = Edition.of_bulk(DRUGCENTRAL, loaded).sheet(what, target.symbol)
    if len(drugs) > 1:
        says = f"DrugCentral lists {len(drugs)} {what}"
        sheet.state(Topic.DRUG, says, measure="drugs", value=len(drugs))
    for drug in drugs[:SHOWN]:
        gone = await is_withdrawn(reach.bulk, drug)
        acts = f"{drug.name} {acting(drug.action, target.symbol)}{SHARED if drug.shared else ''}{GONE * gone}"
        measure = WITHDRAWN if gone else "drug"
        sheet.state(Topic.DRUG, acts, term=drug.name, change=drug.change, shared=drug.shared, measure=measure)
    return target_findings((sheet,))


drugcentral_tool = TargetTool("drug_mechanisms", DRUGCENTRAL, drugs_by_mechanism, (Topic.DRUG,))
