"""The drugs that stand for a target in trials, labels and reports: the farthest ones that are known."""

from agents.databases.chembl import drugs_of
from agents.databases.drugcentral import mechanism_drugs
from agents.databases.drugs import ADVANCED, Drug
from agents.databases.ndc_targets import class_drugs
from agents.databases.open_targets_drugs import known_drugs
from agents.databases.ports import Reach
from agents.databases.target import Target
from agents.errors import ToolFailed


async def followed(
    reach: Reach, target: Target, *, most: int = ADVANCED, approved: bool = False
) -> tuple[Drug, ...]:
    """At most `most` drugs of the target, the farthest first; with `approved` no others.

    ChEMBL is asked first, for it says what a drug does to the target; where it cannot answer, DrugCentral,
    whose drugs are approved, then Open Targets, last the classes of the directory of products.
    Raises `ToolFailed` where neither can.
    """
    drugs: tuple[Drug, ...] = ()
    fault: ToolFailed | None = None
    try:
        drugs = await drugs_of(reach.web, target) if reach.web is not None else ()
    except ToolFailed as error:
        fault = error
    if not drugs and (listed := await mechanism_drugs(reach, target)):
        return listed[:most]
    if not drugs:
        try:
            known = await known_drugs(reach, target)
            drugs = tuple(one.drug for one in known.drugs) if known is not None else ()
        except ToolFailed as error:
            fault = fault or error
    if not drugs and (of_class := await class_drugs(reach, target)):
        return tuple(of_class)[:most]
    if not drugs and fault is not None:
        raise ToolFailed(f"Which drugs act on {target.symbol} could not be found out: {fault}")
    reached = [drug for drug in drugs if drug.phase == 4.0] if approved else drugs
    return tuple(reached[:most])
