"""Curated target safety: what reviews list as effects of acting on a target. It is gold, never a source.

A folder holds `targets.tsv` and `adverse_effects.tsv` in the form of Open Targets' curation: a row says that
a symptom in a biological system is known of a target's activation or inhibition.
"""

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from agents.safety.endpoints.values import OrganSystem
from agents.safety.order import Direction
from retrieval.errors import JudgementsError

TARGETS, EFFECTS = "targets.tsv", "adverse_effects.tsv"
COLUMNS = frozenset({"symptom", "biologicalSystem", "effect", "target"})
NEARLY_THE_SAME = 0.7
"""Share of common events from which targets are one group, such as the subunits of one channel."""

SAME_SYSTEM = {
    "cardiovascular system": "cardiovascular",
    "heart": "cardiovascular",
    "vascular": "cardiovascular",
    "central nervous system": "nervous",
    "peripheral nervous system": "nervous",
    "autonomic nervous system": "nervous",
    "nervous system": "nervous",
    "cns": "nervous",
    "respiratory system": "respiratory",
    "pulmonary": "respiratory",
    "lung": "respiratory",
    "kidney": "renal",
    "renal system": "renal",
    "urinary": "renal",
    "genitourinary": "renal",
    "pancreas": "endocrine",
    "endocrine system": "endocrine",
    "gastrointestinal system": "gastrointestinal",
    "digestive system": "gastrointestinal",
    "gastrointestinal tract": "gastrointestinal",
    "hematologic": "blood",
    "haematological": "blood",
    "hematopoietic": "blood",
    "immune system": "immune",
    "liver": "hepatic",
    "hepatobiliary": "hepatic",
    "metabolism": "metabolic",
    "reproductive system": "reproductive",
    "developmental": "development",
    "skeletal": "musculoskeletal",
    "bone": "musculoskeletal",
    "muscle": "musculoskeletal",
    "skeletal muscle": "musculoskeletal",
    "integument": "skin",
    "eyes": "eye",
    "ocular": "eye",
    "visual system": "eye",
    "hearing": "ear",
}
"""Names of one system. Reviews name the pancreas for insulin and glucose: it counts as endocrine."""

Affected = tuple[OrganSystem, Direction]


@dataclass(frozen=True, slots=True)
class Curated:
    """A target's rows: its organ systems, also with direction. `unread` are names of systems not known."""

    target: str
    group: str
    systems: frozenset[OrganSystem]
    affected: frozenset[Affected]
    unread: tuple[str, ...] = ()


def read_curated(folder: Path) -> tuple[Curated, ...]:
    """The targets of a folder, by name. Raises `JudgementsError` if it is none of this form."""
    rows = _rows(folder / EFFECTS)
    wanted = {row["target"]: None for row in _rows(folder / TARGETS)} if (folder / TARGETS).is_file() else {}
    by_target: dict[str, list[Mapping[str, str]]] = defaultdict(list)
    for row in rows:
        if not wanted or row["target"] in wanted:
            by_target[row["target"]].append(row)
    groups = groups_of({target: _written(of) for target, of in by_target.items()})
    return tuple(_curated(target, groups[target], by_target[target]) for target in sorted(by_target))


def groups_of(events: Mapping[str, frozenset[tuple[str, str]]]) -> dict[str, str]:
    """The group of each target, named after its first one: those with nearly the same events are one."""
    groups: dict[str, str] = {}
    for target in sorted(events):
        same = (
            group
            for other, group in groups.items()
            if _likeness(events[target], events[other]) >= NEARLY_THE_SAME
        )
        groups[target] = next(same, target)
    return groups


def system_named(name: str) -> OrganSystem | None:
    """The organ system of a name in curated rows; None for one that is not known."""
    known = SAME_SYSTEM.get(name.strip().casefold(), name.strip().casefold())
    return OrganSystem(known) if known in set(OrganSystem) else None


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        raise JudgementsError(f"There is no {path.name} in {path.parent}.")
    with path.open(encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines, delimiter="\t")
        missing = (COLUMNS if path.name == EFFECTS else {"target"}) - set(reader.fieldnames or ())
        if missing:
            raise JudgementsError(f"{path} lacks the columns {', '.join(sorted(missing))}.")
        return list(reader)


def _written(rows: Iterable[Mapping[str, str]]) -> frozenset[tuple[str, str]]:
    return frozenset((row["symptom"], row["effect"]) for row in rows)


def _likeness(one: frozenset[tuple[str, str]], other: frozenset[tuple[str, str]]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0


def _curated(target: str, group: str, rows: Iterable[Mapping[str, str]]) -> Curated:
    affected: set[Affected] = set()
    systems: set[OrganSystem] = set()
    unread: dict[str, None] = {}
    for row in rows:
        system, under = system_named(row["biologicalSystem"]), _direction(row["effect"])
        if system is None:
            unread[row["biologicalSystem"]] = None
            continue
        systems.add(system)
        if under:
            affected.add((system, under))
    return Curated(target, group, frozenset(systems), frozenset(affected), tuple(unread))


def _direction(effect: str) -> Direction | None:
    """ "activation_acute" is activation, in whatever dosing."""
    first = effect.split("_")[0].strip().casefold()
    return Direction(first) if first in set(Direction) else None
