"""What Pestle does not design: structures and briefs that are refused, whoever asks.

Listed identities (skeleton of the InChIKey, so every stereoisomer), classes that treaties and schedules name
(SMARTS in `guard.toml`), near neighbours of what is listed (Tanimoto), and explosives by their groups and
oxygen. Approved medicines that are under control are not refused: `needs_authorisation` tells them. A refusal
names the group and no more: it does not say which part of a structure matters, and nothing overrides it.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from rdkit import Chem, DataStructs

from agents.chemistry.molecule import Molecule, pattern, read_molecule
from agents.chemistry.similarity import fingerprint
from agents.errors import ChemistryError

Direction = Literal["maximise", "minimise"]
NEAR, NEAR_A_WEAPON = 0.5, 0.4
"""Tanimoto similarity to a listed structure from which a molecule is its near neighbour."""
PRECURSORS = ("schedule 2, B", "schedule 3", "Australia Group precursor")
"""Lists of starting materials, most of them of industry: their near neighbours are not meant."""
LIKE_A_MEDICINE = 0.7
"""Similarity to a medicine under control from which a molecule needs authorisation."""
SKELETON = 14
"""Letters of an InChIKey that stand for atoms and bonds without stereo and charge."""
ENERGETIC = "[$([N+](=O)[O-]),$(N=[N+]=[N-]),$([OX2;!$(O-*=O)]-[OX2;!$(O-*=O)])]"
OXYGEN_BALANCE = -80.0
"""Percent; TNT has -74. Two energetic groups and more oxygen than this are an explosive."""
HARM = re.compile(
    r"tox|letal|lethal|herg|qt prolong|carcinog|mutagen|teratogen|ames|irritan|poison|ld50|lc50|safety"
)
HIGH_IS_SAFE = re.compile(r"ld50|lc50|safety|noael|non-?tox|detox")
_WORD = re.compile(r"[^\s,;“”\"'`]{4,1000}")
_CHEMICAL = re.compile(r"InChI=|[=#\[\]()\d]|^[BCNOPSFIcnops]{5,}$")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something is not designed: the group, and what may be told to whoever asked."""

    group: str
    reason: str


def refused(molecule: Molecule) -> Refusal | None:
    """Why this molecule is not designed, scored or drawn; None if it may be."""
    if _permitted(molecule):
        return None
    found = next(_listed(molecule), None) or _class_of(molecule, "authorisation", inside=False)
    if found is None and _explosive(molecule.mol):
        found = "explosives"
    return None if found is None else _refusal(found, "This structure belongs to, or is close to,")


def needs_authorisation(molecule: Molecule) -> Refusal | None:
    """That a molecule is, or is like, a medicine under control; None if it is not."""
    skeleton, mine = molecule.inchikey[:SKELETON], fingerprint(molecule)
    controlled = any(
        one.key[:SKELETON] == skeleton or _alike(mine, one.bits) >= LIKE_A_MEDICINE
        for one in _data().authorised
    )
    usual = any(one.key[:SKELETON] == skeleton for one in _data().medicines)
    if not controlled and (usual or _class_of(molecule, "authorisation", inside=True) is None):
        return None
    return Refusal(
        "medicines under control",
        "This structure is, or is close to, a medicine under national control. It may be worked on where the "
        "team is authorised: somebody responsible has to confirm that.",
    )


def refused_structure(text: str) -> Refusal | None:
    """Why the first of the structures written in a text is refused; None if none is."""
    words = (word for word in _WORD.findall(text) if _CHEMICAL.search(word))
    return next(filter(None, map(_refused_word, words)), None)


def refused_group(group: str) -> Refusal:
    """The refusal of what is asked for in words."""
    if group == "toxicity":
        return _harmful_objective()
    return _refusal(group, "This asks for what belongs to, or is close to,")


def refused_objective(name: str, direction: Direction) -> Refusal | None:
    """Why an objective is refused: a predicted harm may only be minimised."""
    lowered = name.lower().replace("_", " ")
    if not HARM.search(lowered):
        return None
    wanted = "maximise" if HIGH_IS_SAFE.search(lowered) else "minimise"
    return None if direction == wanted else _harmful_objective()


def _refused_word(word: str) -> Refusal | None:
    try:
        return refused(read_molecule(word.rstrip(".:!?")))
    except ChemistryError:
        return None


def _refusal(group: str, belongs: str) -> Refusal:
    told = _data().groups[group]
    return Refusal(group, f"{belongs} {told}. Pestle does not design, change or score it, for anybody.")


def _harmful_objective() -> Refusal:
    return Refusal(
        "toxicity",
        "Toxicity and other harm are only ever minimised. Turn the objective round, or leave it out.",
    )


@dataclass(frozen=True, slots=True)
class _Listed:
    name: str
    key: str
    group: str = ""
    source: str = ""
    bits: Any = None


@dataclass(frozen=True, slots=True)
class _Data:
    groups: dict[str, str]
    classes: tuple[tuple[str, tuple[Any, ...]], ...]
    refused: tuple[_Listed, ...]
    authorised: tuple[_Listed, ...]
    medicines: tuple[_Listed, ...]


@cache
def _data() -> _Data:
    here = Path(__file__).parent
    told = tomllib.loads((here / "guard.toml").read_text("utf-8"))
    listed = json.loads((here / "listed.json").read_text("utf-8"))
    return _Data(
        groups=told["groups"],
        classes=tuple((one["group"], tuple(map(Chem.MolFromSmarts, one["smarts"]))) for one in told["class"]),
        refused=tuple(map(_entry, listed["refused"])),
        authorised=tuple(map(_entry, listed["authorised"])),
        medicines=tuple(map(_entry, listed["medicines"])),
    )


def _entry(row: dict[str, Any]) -> _Listed:
    bits = DataStructs.ExplicitBitVect(2048)
    bits.SetBitsFromList(row.pop("bits", []))
    return _Listed(**row, bits=bits)


def _alike(one: Any, other: Any) -> float:
    return float(DataStructs.TanimotoSimilarity(one, other))


def _permitted(molecule: Molecule) -> bool:
    """Whether it is an approved medicine; an entry with stereo holds for that stereoisomer."""
    keys = {one.key for one in (*_data().authorised, *_data().medicines)}
    return molecule.inchikey in keys or molecule.inchikey[:SKELETON] in keys


def _listed(molecule: Molecule) -> Iterator[str]:
    """Groups of the listed structures that it is, or is a near neighbour of."""
    skeleton, mine = molecule.inchikey[:SKELETON], fingerprint(molecule)
    for one in _data().refused:
        enough = NEAR_A_WEAPON if one.source == "schedule 1" else NEAR
        if one.key == skeleton or (one.source not in PRECURSORS and _alike(mine, one.bits) >= enough):
            yield one.group


def _class_of(molecule: Molecule, group: str, *, inside: bool) -> str | None:
    """The first class with a pattern that the molecule has, of this group or of all others."""
    mol = molecule.mol
    for of, patterns in _data().classes:
        if (of == group) is inside and any(mol.HasSubstructMatch(pattern) for pattern in patterns):
            return of
    return None


def _explosive(mol: Any) -> bool:
    """Three energetic groups, or two and enough oxygen of its own."""
    groups = len(mol.GetSubstructMatches(pattern(ENERGETIC)))
    if groups < 2:
        return False
    counts = {"C": 0, "H": 0, "O": 0}
    for atom in mol.GetAtoms():
        counts["H"] += atom.GetTotalNumHs()
        counts[atom.GetSymbol()] = counts.get(atom.GetSymbol(), 0) + 1
    weight = sum(atom.GetMass() for atom in mol.GetAtoms()) + counts["H"] * 1.008
    balance = -1600 / weight * (2 * counts["C"] + counts["H"] / 2 - counts["O"])
    return balance > OXYGEN_BALANCE or (groups >= 3 and balance > 2 * OXYGEN_BALANCE)
