"""Rules of thumb on what nobody computes well from a structure: hints that a chemist checks, no predictions.

Each says "a sign" where a published rule is met, "no sign" where it is not, or that it decides nothing. What
no rule speaks to has to be measured, and is told so.
"""

from functools import lru_cache

from rdkit.Chem import Crippen

from agents.chemistry.molecule import KEPT, Molecule, pattern
from agents.chemistry.properties import base_pka, open_centres, properties
from agents.chemistry.transforms import concerns

BASE, EFFLUX, HERG, SELECTIVITY = "basic pKa", "efflux by P-gp", "hERG", "selectivity"
PATTERNS = "reactive, metabolic and other patterns"
STEREO = "stereocentres left open"
SOURCES = {
    STEREO: "the structure as proposed: each has to be set, or isomers parted, before a measurement",
    BASE: "typical value of the strongest kind of base, ± 2",
    HERG: "logP at least 3.7, base from pKa 7.3, refractivity 110 to 176: Buyck 2002, in Aronov 2005",
    EFFLUX: "rule of fours: Didziapetris 2003",
    PATTERNS: "what reviewers object to by structure, all of it, whoever proposed the molecule",
    SELECTIVITY: "no rule: a panel of related targets",
}
"""What each hint rests on, in the order in which they are shown. Full references: docs/method.md."""
NO_SIGN, UNDECIDED = "no sign by this rule", "open: neither side of the rule is met"
MEASURE = "not estimated: must be measured"
_ACID = "[$([CX3](=O)[OX2H1,OX1-]),$(S(=O)(=O)[OX2H1,OX1-]),$(P(=O)[OX2H1,OX1-]),$(c1nn[nH]n1),$(c1[nH]nnn1)]"


@lru_cache(KEPT)
def hints(molecule: Molecule) -> tuple[tuple[str, str], ...]:
    """What each rule says of a molecule, in words, by what it is about."""
    pka = base_pka(molecule)
    base = f"about {pka:.1f}" if pka else "no base"
    told = "; ".join(one.said for one in concerns(molecule)) or "none of those listed"
    said = {
        STEREO: str(open_centres(molecule)),
        BASE: base,
        PATTERNS: told,
        HERG: _herg(molecule, pka),
        EFFLUX: _efflux(molecule, pka),
    }
    return tuple((about, said.get(about, MEASURE)) for about in SOURCES)


def _herg(molecule: Molecule, pka: float) -> str:
    logp = properties(molecule).logp
    if logp >= 3.7 and pka >= 7.3 and 110 <= Crippen.MolMR(molecule.mol) < 176:
        return f"a sign of a block: a lipophilic base (logP {logp:.1f})"
    return UNDECIDED if pka >= 7.3 else NO_SIGN


def _efflux(molecule: Molecule, pka: float) -> str:
    """(N+O) of 8 or more, over 400 g/mol and no strong acid: likely; 4 or fewer, lighter, weak base: not."""
    polar = sum(atom.GetAtomicNum() in (7, 8) for atom in molecule.mol.GetAtoms())
    mass = properties(molecule).mw
    if polar >= 8 and mass > 400 and not molecule.mol.HasSubstructMatch(pattern(_ACID)):
        return f"a sign of a substrate: {polar} N and O at {mass:.0f} g/mol"
    return NO_SIGN if polar <= 4 and mass < 400 and pka < 8 else UNDECIDED
