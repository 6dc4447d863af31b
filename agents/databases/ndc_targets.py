"""Medicines of a target by their classes in the National Drug Code directory.

The directory names a product's class ("Factor Xa Inhibitors [MoA]"); `ndc_targets.toml` says on which genes a
class acts. That is coarser than a table of drugs and targets, and is read where there is none.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from agents.databases.drugcentral import DRUGCENTRAL
from agents.databases.drugs import SHARED, Drug, acting
from agents.databases.edition import Edition, absent
from agents.databases.facts import Topic
from agents.databases.ndc import NDC, Ndc, Product
from agents.databases.open_targets import DRUGS
from agents.databases.ports import Reach
from agents.databases.sheet import target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, not_asked, unasked

ACTS: dict[str, dict[str, list[str]]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
"""Genes by class or ingredient, by action."""


async def class_drugs(reach: Reach, target: Target) -> dict[Drug, str]:
    """The medicines of one ingredient whose class acts on the target, with that class; those that act on it
    alone first, then those of which there are most products.
    """
    ndc, found, sold = Ndc(reach.bulk), dict[str, tuple[Drug, str]](), Counter[str]()
    if not ndc.loaded:
        return {}
    for action, classes in ACTS.items():
        for name in (name for name, genes in classes.items() if target.symbol in genes):
            for one in await ndc.of(name):
                if len(one.ingredients) == 1:
                    drug = one.ingredients[0]
                    shared = len(set(_genes(one))) > 1
                    found.setdefault(drug, (Drug(drug.capitalize(), action=action, shared=shared), name))
                    sold[drug] += 1
    order = sorted(found, key=lambda name: (found[name][0].shared, -sold[name], name))
    return dict(found[name] for name in order)


def _genes(product: Product) -> Iterator[str]:
    """The genes on which its classes and its ingredient act."""
    for classes in ACTS.values():
        for name in (*product.classes, *product.ingredients):
            yield from classes.get(name, ())


async def drugs_by_class(reach: Reach, target: Target) -> TargetFindings:
    """The medicines whose class acts on a target, a fact each; none where a table of drugs and targets tells
    more.
    """
    if reach.web is not None or any(map(reach.bulk.release, (DRUGCENTRAL.name, DRUGS))):
        return not_asked(f"Classes of the {NDC.title} were not asked: other sources tell drugs by target.")
    if (loaded := reach.bulk.release(NDC.name)) is None:
        return unasked(NDC)
    if not (drugs := await class_drugs(reach, target)):
        return absent(
            f"The loaded file of the {NDC.title} has no class that is known to act on {target.symbol}."
        )
    sheet = Edition.of_bulk(NDC, loaded).sheet(
        f"medicines whose class acts on {target.symbol}", target.symbol
    )
    for drug, name in drugs.items():
        acts = f"{drug.name}, by its class {name}, {acting(drug.action, target.symbol)}{SHARED * drug.shared}"
        sheet.state(Topic.DRUG, acts, term=drug.name, change=drug.change, shared=drug.shared, measure="drug")
    return target_findings((sheet,))


ndc_tool = TargetTool("drug_classes", NDC, drugs_by_class, (Topic.DRUG,))
