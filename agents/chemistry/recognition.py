"""What a molecule shares with known ligands of its target, and what these carry where they differ from it.

A ligand is akin to the molecule where the largest part that both have (RDKit's FMCS, rings whole) holds a
good share of its atoms. What most of those akin have in common is taken for what binds, and a place
has the room that one of them fills. Of all known ligands, akin or not, kinds of polar atoms that most have
are taken for contacts. These are statistics of what was published, no structure of a complex.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from rdkit import Chem, rdBase
from rdkit.Chem import rdFMCS

from agents.chemistry.editing import attached, joined, side
from agents.chemistry.molecule import KEPT, Molecule, canonical
from agents.chemistry.similarity import Known, nearest

COMPARED, SECONDS = 12, 1
"""Known ligands, the most similar first, that are laid over a molecule, and seconds for each."""
AKIN = 0.4
"""Share of its atoms that a molecule has in common with what is akin to it."""
MOST, TOO_MUCH = 0.6, 0.8
"""Share of those akin that have an atom of the motif, and of the molecule that leaves nothing to change."""
LEAST_MOTIF, LEAST_AKIN, LEAST_KNOWN = 6, 2, 4
"""Atoms of a motif, ligands akin that it takes, and known ones that contacts take."""
LARGEST_PART = 14
"""Atoms besides hydrogen of a part that is taken over, with the place where it is bound."""
PAIRED = ("[#6;a;$(*:[#7;a;D2])]", "carbon beside a ring nitrogen")
UNSATURATED = ("[#6;!^3]", "unsaturated carbon")
"""Kinds of neighbours of a polar atom, as SMARTS and in words; the first has an acceptor beside it."""
NAMED, PLACINGS = 3, 100
"""Ligands that are named, and ways to lay a part over a molecule that are tried."""
Part = tuple[str, str]
"""A part that a molecule should not lose: as SMARTS, in which a map number is one more than the atoms that
may hang at a place, and in words: up to the first comma what it is, then which ligands speak for it.
"""


@dataclass(frozen=True, slots=True)
class Graft:
    """A molecule with a part as a known ligand carries it, in place of what was there ("" for hydrogen)."""

    molecule: Molecule
    part: str
    before: str
    known: Known


def kept(start: Molecule, known: Sequence[Known]) -> tuple[Part, ...]:
    """What known ligands, the start itself not counted, say should stay of it; nothing without them."""
    others = [one for one in known if one.molecule.inchikey[:14] != start.inchikey[:14]]
    core, motif = _motif(start, others)
    return (*motif, *_contacts(start, others, core))


def without(molecule: Molecule, parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts that a molecule does not have."""
    return tuple(one for one in parts if not _has(molecule, one[0]))


def _has(molecule: Molecule, smarts: str) -> bool:
    """Whether a molecule has a part, and at none of its places more than its map number allows."""
    query = _query(smarts)
    room = [atom.GetAtomMapNum() for atom in query.GetAtoms()]
    for match in molecule.mol.GetSubstructMatches(query, uniquify=False, maxMatches=PLACINGS):
        places = dict(enumerate(match))
        if all(not most or _hanging(molecule.mol, places, at) < most for at, most in enumerate(room)):
            return True
    return False


def lost(molecule: Molecule, start: Molecule) -> tuple[str, ...]:
    """Kinds of donors and bases, in words, of which a molecule has fewer than the start."""
    kinds = {_kind(atom): None for atom in start.mol.GetAtoms() if _donates(atom) or _is_amine(atom)}
    return tuple(told for smarts, told in kinds if _count(molecule, smarts) < _count(start, smarts))


def grafts(molecule: Molecule, known: Sequence[Known], starts: Sequence[Molecule] = ()) -> Iterator[Graft]:
    """What becomes of a molecule with one part of a ligand akin to it, at the place where that carries it.
    What was begun with lends none.
    """
    for one in _akin(molecule, [one for one in known if one.molecule not in starts]):
        theirs = one.molecule.mol
        pairs = dict(_overlay(molecule, one.molecule))
        for here, there in pairs.items():
            part, at = _outside(theirs, there, set(pairs.values())), _outside(molecule.mol, here, set(pairs))
            if part is None or at is None or part[0] is None or part[0].GetNumAtoms() > LARGEST_PART:
                continue
            base = side(molecule.mol, here, at[3]) if at[0] is not None else None
            made = joined(base, part[:3]) if base else attached(molecule.mol, here, part[:3])
            if made is not None and (product := canonical(made)) is not None and product != molecule:
                yield Graft(product, _written(part[0]), _written(at[0]), one)


def _outside(mol: Any, atom: int, matched: set[int]) -> tuple[Any, int, int, int] | None:
    """The one part that an atom carries outside a match, opened at the bond, with the place of its first
    atom; without a molecule where it carries hydrogen; None where there is more, or it closes a ring.
    """
    beside = [one.GetIdx() for one in mol.GetAtomWithIdx(atom).GetNeighbors() if one.GetIdx() not in matched]
    if not beside and mol.GetAtomWithIdx(atom).GetTotalNumHs():
        return None, -1, -1, -1
    bond = mol.GetBondBetweenAtoms(atom, beside[0]) if len(beside) == 1 else None
    if bond is None or bond.IsInRing() or bond.GetBondType() != Chem.BondType.SINGLE:
        return None
    return (*side(mol, beside[0], atom), beside[0])


def _written(part: Any) -> str:
    return str(Chem.MolToSmiles(part)) if part is not None else ""


def _akin(start: Molecule, known: Sequence[Known]) -> list[Known]:
    near = (one.known for one in nearest(start, known, COMPARED))
    return [one for one in near if len(_overlay(start, one.molecule)) >= AKIN * start.heavy_atoms]


@lru_cache(KEPT)
def _overlay(start: Molecule, other: Molecule) -> tuple[tuple[int, int], ...]:
    """Atoms of the start and of another molecule that are the same in the largest part that both have."""
    with rdBase.BlockLogs():
        common = rdFMCS.FindMCS(
            [start.mol, other.mol], timeout=SECONDS, ringMatchesRingOnly=True, completeRingsOnly=True
        )
    if not common.numAtoms:
        return ()
    mine, theirs = (mol.GetSubstructMatch(common.queryMol) for mol in (start.mol, other.mol))
    whole = zip(_in_whole_rings(start.mol, mine), _in_whole_rings(other.mol, theirs), strict=True)
    return tuple(pair for pair, kept in zip(zip(mine, theirs, strict=True), whole, strict=True) if all(kept))


def _in_whole_rings(mol: Any, atoms: Sequence[int]) -> list[bool]:
    """Of atoms of a match, whether each lies in no ring, or in one that is matched whole."""
    rings = [set(one) for one in mol.GetRingInfo().AtomRings()]
    whole = [one for one in rings if one <= set(atoms)]
    return [not any(at in one for one in rings) or any(at in one for one in whole) for at in atoms]


def _motif(start: Molecule, others: Sequence[Known]) -> tuple[set[int], tuple[Part, ...]]:
    """The atoms that most ligands akin to the start share with it, in one piece, and that part."""
    akin = _akin(start, others)
    if len(akin) < LEAST_AKIN:
        return set(), ()
    overlays = [dict(_overlay(start, one.molecule)) for one in akin]
    atoms = range(start.heavy_atoms)
    often = [sum(at in one for one in overlays) for at in atoms]
    core: set[int] = set()
    for share in (MOST, 1.0):
        core = _largest_piece(start.mol, {at for at in atoms if often[at] >= share * len(akin)})
        if len(core) <= TOO_MUCH * start.heavy_atoms:
            break
    if not LEAST_MOTIF <= len(core) <= TOO_MUCH * start.heavy_atoms:
        return set(), ()
    molecules = [start, *(one.molecule for one in akin)]
    overlays = [{at: at for at in core}, *overlays]
    room = {
        at: max(_hanging(one.mol, pairs, at) for one, pairs in zip(molecules, overlays, strict=True))
        for at in core
    }
    symbols = [_symbol(atom, f":{room.get(atom.GetIdx(), 0) + 1}") for atom in start.mol.GetAtoms()]
    smarts = Chem.MolFragmentToSmiles(start.mol, sorted(core), atomSymbols=symbols, allBondsExplicit=True)
    shape = Chem.MolFragmentToSmiles(start.mol, sorted(core))
    told = f"`{shape}`, which {_names(akin)} share; no place of it may take more than it has in one of these"
    return core, ((smarts, told),)


def _hanging(mol: Any, pairs: Mapping[int, int], at: int) -> int:
    """How many atoms hang on an atom outside a match."""
    if at not in pairs:
        return 0
    inside, seen, edge = set(pairs.values()), set[int](), {pairs[at]}
    while edge:
        beside = {one.GetIdx() for place in edge for one in mol.GetAtomWithIdx(place).GetNeighbors()}
        edge = beside - inside - seen
        seen |= edge
    return len(seen)


def _largest_piece(mol: Any, atoms: set[int]) -> set[int]:
    pieces: list[set[int]] = []
    while left := atoms.difference(*pieces):
        piece, edge = set[int](), {min(left)}
        while edge:
            piece |= edge
            beside = (one.GetIdx() for at in edge for one in mol.GetAtomWithIdx(at).GetNeighbors())
            edge = (set(beside) & atoms) - piece
        pieces.append(piece)
    return max(pieces, key=len, default=set())


def _contacts(start: Molecule, others: Sequence[Known], core: set[int]) -> Iterator[Part]:
    """Kinds of polar atoms and halogens of the start, outside its motif, that most known ligands have too."""
    marked = (one for one in start.mol.GetAtoms() if one.GetIdx() not in core and _may_bind(one))
    for smarts, told in dict.fromkeys(map(_kind, marked)):
        having = [one for one in others if _count(one.molecule, smarts)]
        if len(others) >= LEAST_KNOWN and len(having) >= len(others) / 2:
            told += f", as {_names(having)} have it ({len(having)} of {len(others)} known ligands)"
            yield smarts, told


def _names(known: Sequence[Known]) -> str:
    names = list(dict.fromkeys(one.name for one in known))
    more = [f"{len(names) - NAMED} more"] if len(names) > NAMED else []
    *first, last = [*names[:NAMED], *more]
    return f"{', '.join(first)} and {last}" if first else last


def _may_bind(atom: Any) -> bool:
    return _donates(atom) or _is_amine(atom) or atom.GetAtomicNum() in (17, 35)


def _donates(atom: Any) -> bool:
    return atom.GetAtomicNum() in (7, 8) and bool(atom.GetTotalNumHs())


def _is_amine(atom: Any) -> bool:
    beside = atom.GetNeighbors()
    return atom.GetAtomicNum() == 7 and all(_saturated(one) for one in beside)


def _saturated(atom: Any) -> bool:
    return bool(atom.GetAtomicNum() == 6 and atom.GetHybridization() == Chem.HybridizationType.SP3)


@lru_cache(KEPT)
def _count(molecule: Molecule, smarts: str) -> int:
    return len(molecule.mol.GetSubstructMatches(_query(smarts)))


@cache
def _query(smarts: str) -> Any:
    return Chem.MolFromSmarts(smarts)


def _symbol(atom: Any, after: str = "") -> str:
    return f"[#{atom.GetAtomicNum()};{'a' if atom.GetIsAromatic() else 'A'}{after}]"


def _kind(atom: Any) -> tuple[str, str]:
    """An atom with its hydrogens and the kinds of its neighbours, as SMARTS and in words."""
    beside = sorted(_beside(one) for one in atom.GetNeighbors())
    while beside.count(PAIRED) > 1:  # one acceptor is enough for a pair with a donor
        beside[beside.index(PAIRED)] = UNSATURATED
    smarts = _symbol(atom, f";H{atom.GetTotalNumHs()}") + "".join(f"(~{pattern})" for pattern, _ in beside)
    count = atom.GetTotalNumHs()
    name = f"{atom.GetSymbol()}{'H' * bool(count)}{count if count > 1 else ''}"
    told = " and ".join(dict.fromkeys(word for _, word in beside))
    return smarts, f"{name} on {told}"


def _beside(atom: Any) -> tuple[str, str]:
    if atom.GetAtomicNum() != 6:
        return f"[#{atom.GetAtomicNum()}]", str(atom.GetSymbol())
    if _saturated(atom):
        return "[#6;^3]", "saturated carbon"
    near = atom.GetNeighbors()
    if any(one.GetIsAromatic() and one.GetAtomicNum() == 7 and one.GetDegree() == 2 for one in near):
        return PAIRED
    return UNSATURATED
