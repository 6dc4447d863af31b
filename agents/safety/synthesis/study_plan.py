"""What a kind of medicine adds to the study plan: what speaks to it, and its standard programme.

The programme, with the guideline of each part, stands in `experiments.toml`.
"""

import re
from collections.abc import Iterator

from agents.counts import listed
from agents.databases.facts import Topic
from agents.databases.relatives import RELATIVE
from agents.safety.material import Material, claim_of
from agents.safety.order import Modality
from agents.safety.synthesis.conclusion import main_risks
from agents.safety.synthesis.experiments import CANCER, MODALITY, POPULATION, applies
from agents.safety.values import CitedFact, Claims, DraftBlock, Words

BY_MODALITY: dict[Modality, tuple[str, tuple[Topic, ...]]] = {
    Modality.SMALL_MOLECULE: (
        "For a small molecule: close relatives of the target are likely off-targets",
        (Topic.HOMOLOGY,),
    ),
    Modality.ANTIBODY: (
        "For an antibody: where the protein lies decides whether it is reached, and which cells are bound",
        (Topic.LOCATION, Topic.EXPRESSION),
    ),
    Modality.OLIGONUCLEOTIDE: (
        "For an oligonucleotide: liver and kidney take up most of it, so expression there counts most",
        (Topic.EXPRESSION,),
    ),
    Modality.GENE_THERAPY: (
        "For a gene therapy: the change lasts; what loss of the gene brings, and what too much of it would",
        (Topic.CONSTRAINT, Topic.DISEASE),
    ),
    Modality.CELL_THERAPY: (
        "For a cell therapy: normal cells that show the target are attacked too",
        (Topic.LOCATION, Topic.EXPRESSION),
    ),
}
FACTS = 2
ABUSE = (
    "Where it reaches the brain, abuse liability is assessed (ICH M3): binding, behaviour, "
    "self-administration, withdrawal."
)
S9 = (
    "In advanced cancer ICH S9 asks for less: no carcinogenicity, fertility, postnatal or separate safety "
    "pharmacology studies; where patients live long, as its questions and answers say, these follow later."
)


def of_modality(material: Material) -> tuple[DraftBlock, ...]:
    """What counts for this kind of medicine, with the facts that speak to it, and its programme."""
    if (modality := material.order.modality) is None:
        return ()
    why, topics = BY_MODALITY[modality]
    claims = tuple(map(claim_of, _telling(material, modality, topics)[:FACTS]))
    own = {one.casefold() for one in material.target.symbols}  # the target itself is no off-target of it
    parts = (one for one in MODALITY[str(modality)] if applies(one, modality, material.order.area))
    programme = listed([one for one in parts if one.casefold() not in own])
    asked = (one for one in _asked_by_use(material) if applies(one, modality))
    plan = Words(" ".join((f"With any medicine of this kind: {programme}.", *asked)))
    return (Words(why, 3), Claims(claims, points=True), plan) if claims else (plan,)


def _asked_by_use(material: Material) -> Iterator[str]:
    """What the disease, the population and an effect on the brain ask for beside the programme."""
    area = material.order.area
    cancer = CANCER.search(area)
    if cancer:
        yield S9
    yield from (one["asks"] for one in POPULATION if re.search(one["words"], area, re.IGNORECASE))
    brain = any(one.endpoint == "neurological" for one in main_risks(material))
    if not cancer and brain and material.order.modality is Modality.SMALL_MOLECULE:
        yield ABUSE


def _telling(material: Material, modality: Modality, topics: tuple[Topic, ...]) -> tuple[CitedFact, ...]:
    facts = material.of(*topics)
    if modality is Modality.SMALL_MOLECULE:
        return tuple(one for one in facts if one.fact.measure == RELATIVE)
    if modality is not Modality.OLIGONUCLEOTIDE:
        return tuple(sorted(facts, key=lambda one: "predicts" not in one.fact.text))
    taken_up = tuple(one for one in facts if one.fact.term.casefold().startswith(("liver", "kidney")))
    return taken_up or facts
