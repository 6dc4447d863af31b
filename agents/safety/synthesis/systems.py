"""Organ systems as all evidence shows them, weighed by its classes (`agents.safety.endpoints.strength`).

`pestle eval safety` measures just this: the systems of this table against those that reviews name.
"""

from collections.abc import Sequence

from agents.safety.endpoints.mapping import directions_of
from agents.safety.endpoints.strength import classes_of, weigh_systems
from agents.safety.endpoints.values import OrganSystem
from agents.safety.endpoints.weights import EvidenceClass
from agents.safety.synthesis.risk_table import STRENGTHS
from agents.safety.values import CellDraft, CitedFact, Strength, TableDraft

TITLE = "Organ systems likely to be affected"
COLUMNS = ("Organ system", "Expected with", "Evidence", "Shown by")
SYSTEMS_HOW = (
    "Organ systems are listed from moderate evidence on, all classes of evidence weighed together; the "
    "weights were learnt on targets of which reviews list the effects."
)
BEST = 4


def systems_table(facts: Sequence[CitedFact], most: int = BEST) -> TableDraft | None:
    """The systems with moderate or strong evidence, the likeliest first; None where there is none."""
    weighed = weigh_systems(one.fact for one in facts)
    ranked = sorted(weighed.items(), key=lambda pair: (-pair[1].score, pair[0]))
    rows = tuple(
        _row(system, found.strength, facts, most)
        for system, found in ranked
        if found.strength >= Strength.MODERATE
    )
    return TableDraft(TITLE, COLUMNS, rows) if rows else None


def _row(
    system: OrganSystem, strength: Strength, facts: Sequence[CitedFact], most: int
) -> tuple[CellDraft, ...]:
    shown = _shown(system, facts)
    ways = directions_of((one.fact for one in facts), system)
    named = [one for one, _ in shown][:most]
    classes = dict.fromkeys(str(kind) for _, kind in shown)
    return (
        CellDraft(str(system)),
        CellDraft(" and ".join(ways)),
        CellDraft(f"{STRENGTHS[strength]} ({', '.join(classes)})"),
        CellDraft(
            "; ".join(one.fact.term for one in named),
            tuple(dict.fromkeys(one.key for one in named)),
            tuple(dict.fromkeys(quote for one in named for quote in one.fact.quotes)),
        ),
    )


def _shown(system: OrganSystem, facts: Sequence[CitedFact]) -> list[tuple[CitedFact, EvidenceClass]]:
    """The facts on a system: the first of each class of the hierarchy, then the second of each, and so on."""
    by_class: dict[EvidenceClass, dict[str, CitedFact]] = {}
    for one in facts:
        kind = classes_of(one.fact).get(system)
        if kind is not None and one.fact.term:
            by_class.setdefault(kind, {}).setdefault(one.fact.term.casefold(), one)
    ordered = [kind for kind in EvidenceClass if kind in by_class]
    depth = max(map(len, by_class.values()), default=0)
    return [
        (list(by_class[kind].values())[place], kind)
        for place in range(depth)
        for kind in ordered
        if place < len(by_class[kind])
    ]
