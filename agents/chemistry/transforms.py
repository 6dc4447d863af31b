"""Changes that medicinal chemists make to a molecule, and what they object to: `transforms.toml`."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from rdkit import rdBase
from rdkit.Chem import rdChemReactions

from agents.chemistry.molecule import KEPT, Molecule, canonical, pattern

FILE = Path(__file__).with_name("transforms.toml")


@dataclass(frozen=True, slots=True)
class Change:
    """A documented change. `turns` says which measures it usually turns which way ("logP-")."""

    name: str
    smarts: str
    kind: str
    why: str
    turns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Concern:
    """What is said of a structure that has a pattern."""

    smarts: str
    said: str
    kind: str = ""


@cache
def changes() -> tuple[Change, ...]:
    """All changes, in the order of the file."""
    return TypeAdapter(tuple[Change, ...]).validate_python(_file()["change"])


@lru_cache(KEPT)
def changed(molecule: Molecule) -> tuple[tuple[Change, Molecule], ...]:
    """What every change makes of a molecule, each product once, in the order of the file."""
    return tuple((change, product) for change in changes() for product in _products(molecule, change))


def _products(molecule: Molecule, change: Change) -> Iterator[Molecule]:
    with rdBase.BlockLogs():
        made = _reaction(change.smarts).RunReactants((molecule.mol,), 100)
    found = dict.fromkeys(canonical(products[0]) for products in made)
    yield from (one for one in found if one is not None and one != molecule)


@lru_cache(KEPT)
def concerns(molecule: Molecule) -> tuple[Concern, ...]:
    """What a reviewer has to say of a molecule, in the order of the file."""
    return tuple(matching("concern", molecule))


def matching(table: str, molecule: Molecule) -> Iterator[Concern]:
    """The patterns of a table of the file that a molecule has."""
    return (one for one in listed(table) if molecule.mol.HasSubstructMatch(pattern(one.smarts)))


def lost(molecule: Molecule, start: Molecule) -> tuple[str, ...]:
    """Groups by which the start may be recognised of which a molecule has fewer, in the order of the file."""

    def count(one: Molecule, group: Concern) -> int:
        return len(one.mol.GetSubstructMatches(pattern(group.smarts)))

    return tuple(one.said for one in listed("anchor") if count(molecule, one) < count(start, one))


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@cache
def listed(table: str) -> tuple[Concern, ...]:
    """The rows of a table of the file, in its order."""
    return TypeAdapter(tuple[Concern, ...]).validate_python(_file()[table])


@cache
def _reaction(smarts: str) -> Any:
    return rdChemReactions.ReactionFromSmarts(smarts)
