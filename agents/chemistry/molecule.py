"""A molecule as a value: one canonical SMILES, whatever it was written in.

A text from a chat, a file or a model is data: it is read within limits, and an error says where it breaks.
"""

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from rdkit import Chem, rdBase
from rdkit.Chem import rdMolHash
from rdkit.Chem.MolStandardize import rdMolStandardize

from agents.errors import ChemistryError

LONGEST, MOST_ATOMS, MOST_RECORDS = 4_000, 600, 10_000
"""Characters of a SMILES or an InChI, atoms besides hydrogen, and molecules of an SDF that are read."""
KEPT = 4_000
"""Parsed molecules and keys that are kept in memory."""
PLAIN = re.compile(r"[!-~]+")
"""What a SMILES is written with; a blank would end it, and RDKit takes what follows for a name."""
_TOKEN = re.compile(
    r"(?P<atom>\[[^\[\]]+\]|Br|Cl|[BCNOPSFIbcnops*])|(?P<ring>%\d\d|%\(\d+\)|\d)|(?P<other>[()=#$:/\\.~-])"
)


@dataclass(frozen=True, slots=True)
class Molecule:
    """A molecule; two are equal if their canonical isomeric SMILES are.

    `notes` tells what reading changed ("the salt former … was left out").
    """

    smiles: str
    notes: tuple[str, ...] = field(default=(), compare=False)

    @property
    def inchikey(self) -> str:
        """The standard InChIKey; the SMILES for the few molecules that have none."""
        return _inchikey(self.smiles)

    @property
    def mol(self) -> Any:
        """RDKit's molecule, shared: copy it before changing it."""
        return parsed(self.smiles)

    @property
    def heavy_atoms(self) -> int:
        """How many atoms besides hydrogen it has."""
        return int(self.mol.GetNumHeavyAtoms())


@lru_cache(KEPT)
def parsed(smiles: str) -> Any:
    """RDKit's molecule of a SMILES that was canonical once; None if it is not valid."""
    with rdBase.BlockLogs():
        return Chem.MolFromSmiles(smiles)


@cache
def pattern(smarts: str) -> Any:
    """RDKit's query of a SMARTS."""
    return Chem.MolFromSmarts(smarts)


@lru_cache(KEPT)
def _inchikey(smiles: str) -> str:
    with rdBase.BlockLogs():
        return str(Chem.MolToInchiKey(parsed(smiles))) or smiles


@lru_cache(KEPT)
def tautomer_key(molecule: Molecule) -> str:
    """An identity that all tautomers of a molecule share; stereo and charge of the skeleton stay."""
    return str(rdMolHash.MolHash(molecule.mol, rdMolHash.HashFunction.HetAtomTautomerv2))


def canonical(mol: Any) -> Molecule | None:
    """The molecule that RDKit built; None if it cannot exist."""
    try:
        with rdBase.BlockLogs():
            Chem.SanitizeMol(mol)
            smiles = str(Chem.MolToSmiles(mol))
    except (ValueError, RuntimeError):  # RDKit's chemistry errors are ValueErrors
        return None
    whole = smiles and "." not in smiles and parsed(smiles) is not None
    return Molecule(_settled(smiles)) if whole else None


def read_molecule(text: str) -> Molecule:
    """The molecule that a SMILES, an InChI or a molfile describes, without salt formers and solvents.

    Stereo is kept as it is written.

    Raises:
        ChemistryError: it is none; the message says where it breaks.
    """
    if "M  END" in text:
        return _finished(_from_block(text), "The molfile")
    text = text.strip()
    if len(text) > LONGEST:
        raise ChemistryError(f"A structure may have {LONGEST:,} characters; this one has {len(text):,}.")
    if text.startswith("InChI="):
        return _finished(_from_inchi(text), "The InChI")
    return _finished(_from_smiles(text), f"The SMILES {text}")


def read_sdf(data: bytes) -> tuple[Molecule, ...]:
    """The molecules of an SDF file, in its order.

    Raises:
        ChemistryError: a record cannot be read, there is none, or there are too many.
    """
    with rdBase.BlockLogs():
        found = []
        for number, mol in enumerate(Chem.ForwardSDMolSupplier(io.BytesIO(data)), start=1):
            if number > MOST_RECORDS:
                raise ChemistryError(f"An SDF may have {MOST_RECORDS:,} molecules; split the file.")
            if mol is None:
                raise ChemistryError(f"Record {number} of the SDF is not a molecule. Mend or remove it.")
            found.append(_finished(mol, f"Record {number}"))
    if not found:
        raise ChemistryError("The SDF has no molecule.")
    return tuple(found)


def _from_block(text: str) -> Any:
    with rdBase.BlockLogs():
        mol = Chem.MolFromMolBlock(text, sanitize=False)
    if mol is None:
        raise ChemistryError("The molfile cannot be read: its counts line does not fit its atoms and bonds.")
    _check(mol, "The molfile", lambda atom: f"atom {atom + 1}")
    return mol


def _from_inchi(text: str) -> Any:
    with rdBase.BlockLogs():
        mol = Chem.MolFromInchi(text)
    if mol is None:
        raise ChemistryError("The InChI cannot be read. It may have been cut off: copy it whole.")
    return mol


def _from_smiles(text: str) -> Any:
    for broken in _broken(text):
        raise ChemistryError(f"The SMILES {text} cannot be read: {broken}.")
    with rdBase.BlockLogs():
        mol = Chem.MolFromSmiles(text, sanitize=False)
    if mol is None:
        raise ChemistryError(f"The SMILES {text} cannot be read: {_longest_start(text)}.")
    atoms = [match for match in _TOKEN.finditer(text) if match["atom"]]

    def where(atom: int) -> str:
        return f"“{atoms[atom][0]}” at character {atoms[atom].start() + 1}"

    _check(mol, f"The SMILES {text}", where)
    return mol


def _broken(smiles: str) -> Iterator[str]:
    """Where the grammar of a SMILES is broken: signs without a meaning, brackets and rings left open."""
    if not smiles:
        yield "it is empty"
    position, opened, rings = 0, list[int](), dict[str, int]()
    while position < len(smiles):
        match = _TOKEN.match(smiles, position)
        if match is None:
            yield f"“{smiles[position]}” at character {position + 1} has no meaning there"
            return
        if match[0] == "(":
            opened.append(position)
        elif match[0] == ")" and not opened:
            yield f"the “)” at character {position + 1} closes nothing"
            return
        elif match[0] == ")":
            opened.pop()
        elif match["ring"] and rings.pop(match[0], None) is None:
            rings[match[0]] = position
        position = match.end()
    yield from (f"the “(” at character {at + 1} is never closed" for at in opened)
    yield from (f"ring {ring}, opened at character {at + 1}, is never closed" for ring, at in rings.items())


def _longest_start(smiles: str) -> str:
    """How far RDKit reads a SMILES whose brackets and rings are in order."""
    with rdBase.BlockLogs():
        for end in range(len(smiles) - 1, 0, -1):
            if not any(_broken(smiles[:end])) and Chem.MolFromSmiles(smiles[:end], sanitize=False):
                return f"it makes sense up to “{smiles[:end]}”, and breaks at character {end + 1}"
    return "it breaks at its first character"


def _check(mol: Any, what: str, where: Any) -> None:
    """Refuse valences and rings that cannot exist, naming the atoms."""
    with rdBase.BlockLogs():
        problems = Chem.DetectChemistryProblems(mol)
    for problem in problems:
        atoms = [problem.GetAtomIdx()] if hasattr(problem, "GetAtomIdx") else list(problem.GetAtomIndices())
        places = ", ".join(where(atom) for atom in atoms[:6])
        if problem.GetType() == "AtomValenceException":
            raise ChemistryError(f"{what} cannot exist: {places} has more bonds than it can have.")
        raise ChemistryError(f"{what} cannot exist: there is no way to place double bonds at {places}.")


def _finished(mol: Any, what: str) -> Molecule:
    """The largest organic part, sanitised and written canonically."""
    if not 0 < mol.GetNumHeavyAtoms() <= MOST_ATOMS:
        raise ChemistryError(
            f"{what} has {mol.GetNumHeavyAtoms()} atoms besides hydrogen; 1 to {MOST_ATOMS} are read."
        )
    with rdBase.BlockLogs():
        Chem.SanitizeMol(mol)
        Chem.AssignStereochemistry(mol, cleanIt=True, force=True)
        whole = str(Chem.MolToSmiles(mol))
        if "." not in whole:
            return Molecule(_settled(whole))
        parent = rdMolStandardize.FragmentParent(mol)
        smiles = _settled(str(Chem.MolToSmiles(rdMolStandardize.Uncharger().uncharge(parent))))
    kept = str(Chem.MolToSmiles(parent))
    left = sorted(set(whole.split(".")) - {kept})
    return Molecule(smiles, (f"Left out as salt former or solvent: {', '.join(left)}.",) if left else ())


def _settled(smiles: str) -> str:
    """A SMILES that is read and written without change."""
    return str(Chem.MolToSmiles(parsed(smiles)))


@cache
def medicines() -> dict[str, Molecule]:
    """Approved medicines by name."""
    told: dict[str, str] = json.loads(Path(__file__).with_name("medicines.json").read_text("utf-8"))
    return {name: read_molecule(smiles) for name, smiles in told.items()}
