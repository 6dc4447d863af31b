"""What a medicinal chemist asks of a molecule first, computed from its structure alone.

Sources: QED, Bickerton 2012; synthetic accessibility, Ertl 2009 (as RDKit ships it); CNS MPO, Wager 2010;
PAINS, Baell 2010; unwanted groups, Brenk 2008.
"""

import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from rdkit import Chem, rdBase
from rdkit.Chem import QED, Crippen, RDConfig, rdMolDescriptors
from rdkit.Chem.FilterCatalog import FilterCatalog, FilterCatalogParams

from agents.chemistry.molecule import KEPT, Molecule, pattern

AMINE = "!$(N-[!#6;!#1]);!$(N-C=[O,S,N]);!$(N-a);!$(N-C=C);!$(N-C#N)"
WEAKENED = (
    "[$([NX3H0]1CC[#7,#8,#16]CC1),$([NX3][CX4]1COC1),$([NX3][CX4]C(=O)[N,$(O[#6])]),$([NX3][CX4]C#[C,N]),"
    "$([NX3]1CCOCC1),$([NX3][CX4][CX4](F)F),$([NX3]1CCC(F)(F)CC1),$([NX3][CX4][CX4][SX4](=O)=O)]"
)
"""Amines of morpholines, piperazines and oxetanes, those next to an amide, an ester, an alkyne or a nitrile,
and those near two fluorines or a sulfone.
"""
_PULL = "-!@[$([F,Cl,Br]),$(C=[O,N]),$(C#N),$(C(F)(F)F),$(S(=O)=O),$([N+]=O)]"
RICH = f"!$(n1a({_PULL})aaaa1);!$(n1aa({_PULL})aaa1);!$(n1aaa({_PULL})aa1)"
"""A nitrogen of a six-membered ring on which nothing pulls electrons away."""
FREE = "!$(N-[!#6;!#1]);!$(N-C#N)"
ARM = f"#7;X3;{FREE};!$(NC=O)"
"""What a nitrogen of a strong guanidine does not carry, and its amino nitrogens."""
BASES = (
    (12.5, f"[#6;X3](=[NX2,NX3+;{FREE};!$(N-a)])([{ARM};!$(N-a)])[{ARM};!$(N-a)]"),
    (11.5, f"[CX3;!$(C(N)(N)=N);!$(C[#7]*=O)](=[NX2;{FREE};!a])[NX3;H2,H1]"),
    (9.5, f"[NX3;!$({WEAKENED});{AMINE}][CX4]"),
    (9.5, "[NX4+;!H0]"),
    (8.5, f"[nX2;r6;$(n1ccc([NX3;!$(N-C=[O,S,N]);!$(N-S)])cc1);{RICH}]"),
    (8.0, f"[#6;X3](=[NX2;{FREE}])([{ARM}])[{ARM}]"),
    (7.5, f"[$({WEAKENED});{AMINE}]"),
    (7.3, "[nX2;r6;$(n1c([NX3;!$(NC=O);!$(N(a)a)])nc([NX3;!$(NC=O);!$(N(a)a)])cc1)]"),
    (7.0, "[nX2R1]1[cR1;!$(c[N+,F,Cl,Br])][cR1;!$(c[N+,F,Cl,Br])][nX3R1;!$(n-C=O)][cR1]1"),
    (5.5, "[nX2]1c2ccccc2[nX3]c1"),
    (5.2, f"[nX2;r6;$(n1ccccc1);{RICH}]"),
    (5.0, "[nX2;r6;$(n1ccc([NX3;!$(N-C=[O,S,N]);!$(N-S)])cc1)]"),
    (4.6, "[NX3+0;H2,H1,H0;$(N-a);!$(N-C=[O,S]);!$(N-S)]"),
)
"""Typical pKa of the conjugate acid by kind of base, strongest first. A rough scale, ± 1 to 2 units."""


@dataclass(frozen=True, slots=True)
class Properties:
    """Computed properties of one molecule.

    Args:
        mw: molar mass, g/mol.
        logp: octanol-water, Crippen's estimate.
        tpsa: topological polar surface area, square angstrom.
        hbd: donors of hydrogen bonds.
        qed: drug-likeness, 0 to 1, high is good.
        sa: synthetic accessibility, 1 (easy) to 10 (hard).
        cns_mpo: 0 to 6, 4 or more is usual for drugs of the brain. pKa and logD in it are rough estimates.
        alerts: names of PAINS and BRENK patterns that it has.
    """

    mw: float
    logp: float
    tpsa: float
    hbd: int
    qed: float
    sa: float
    cns_mpo: float
    alerts: tuple[str, ...]


@lru_cache(KEPT)
def properties(molecule: Molecule) -> Properties:
    """All of them; nothing is looked up."""
    mol = molecule.mol
    mw, log_p, tpsa = weight(molecule), logp(molecule), rdMolDescriptors.CalcTPSA(mol)
    hbd = rdMolDescriptors.CalcNumHBD(mol)
    return Properties(
        mw=round(mw, 2),
        logp=round(log_p, 2),
        tpsa=round(tpsa, 1),
        hbd=int(hbd),
        qed=round(qed(molecule), 3),
        sa=round(sa(molecule), 2),
        cns_mpo=round(_cns_mpo(base_pka(molecule), mw, log_p, tpsa, hbd), 1),
        alerts=alerts(molecule),
    )


def weight(molecule: Molecule) -> float:
    """Molecular weight, Da."""
    return float(rdMolDescriptors._CalcMolWt(molecule.mol))


def formula(molecule: Molecule) -> str:
    """The molecular formula, in Hill's order."""
    return str(rdMolDescriptors.CalcMolFormula(molecule.mol))


def held(molecule: Molecule, atoms: Iterable[int]) -> tuple[float, float]:
    """The polar surface (square angstrom) and the mass (Da, without hydrogen) of some atoms."""
    polar, each = rdMolDescriptors._CalcTPSAContribs(molecule.mol), molecule.mol.GetAtomWithIdx
    some = list(atoms)
    return sum(polar[at] for at in some), sum(each(at).GetMass() for at in some)


def logp(molecule: Molecule) -> float:
    """Crippen's logP."""
    return float(Crippen.MolLogP(molecule.mol))


def qed(molecule: Molecule) -> float:
    """Drug-likeness, 0 to 1."""
    with rdBase.BlockLogs():
        return float(QED.qed(molecule.mol))


def sa(molecule: Molecule) -> float:
    """Synthetic accessibility on the raw scale: 1 is easy, 10 is hard."""
    return float(_sa_scorer().calculateScore(molecule.mol))


def alerts(molecule: Molecule) -> tuple[str, ...]:
    """Names of the PAINS and BRENK patterns that a molecule has."""
    found = {str(match.GetDescription()) for match in _alerts().GetMatches(molecule.mol)}
    return tuple(sorted(found))


@cache
def _sa_scorer() -> Any:
    """RDKit ships the scorer of Ertl and Schuffenhauer with its table, outside its package."""
    folder = str(Path(RDConfig.RDContribDir) / "SA_Score")
    sys.path.append(folder)
    try:
        return import_module("sascorer")
    finally:
        sys.path.remove(folder)


@cache
def _alerts() -> Any:
    wanted = FilterCatalogParams()
    wanted.AddCatalog(FilterCatalogParams.FilterCatalogs.PAINS)
    wanted.AddCatalog(FilterCatalogParams.FilterCatalogs.BRENK)
    return FilterCatalog(wanted)


def open_centres(molecule: Molecule) -> int:
    """Stereocentres that are left open, without those that bridges of rings hold."""
    bridged: list[int] = []
    rdMolDescriptors.CalcNumBridgeheadAtoms(molecule.mol, atoms=bridged)
    centres = Chem.FindMolChiralCenters(molecule.mol, includeUnassigned=True)
    return sum(label == "?" and at not in bridged for at, label in centres)


def base_pka(molecule: Molecule) -> float:
    """A typical pKa of the strongest kind of base that a molecule has, ± 1 to 2 units; 0 for no base."""
    return next((pka for pka, base in BASES if molecule.mol.HasSubstructMatch(pattern(base))), 0.0)


def _cns_mpo(pka: float, mw: float, logp: float, tpsa: float, hbd: int) -> float:
    logd = logp - math.log10(1 + 10 ** (pka - 7.4))
    polar = min(_falling(-tpsa, -40, -20), _falling(tpsa, 90, 120))
    return (
        _falling(logp, 3, 5)
        + _falling(logd, 2, 4)
        + _falling(mw, 360, 500)
        + polar
        + _falling(hbd, 0.5, 3.5)
        + _falling(pka, 8, 10)
    )


def _falling(value: float, good: float, bad: float) -> float:
    """1 up to `good`, 0 from `bad`, linear between."""
    return min(1.0, max(0.0, (bad - value) / (bad - good)))
