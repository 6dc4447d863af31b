"""What scientists can do with a molecule: read it, compute on it, compare it, and change it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import version
from itertools import chain

from agents.chemistry.hints import hints
from agents.chemistry.molecule import Molecule, read_molecule
from agents.chemistry.properties import properties
from agents.chemistry.recognition import without
from agents.chemistry.similarity import Known, nearest, similarities, tanimoto
from agents.chemistry.transforms import lost
from agents.design.brief import asked, desirability, goal_desirability, measured, missed, shown
from agents.design.oracle import Score
from agents.design.values import Brief, Goal, Measure, Sheet, Weighed
from agents.errors import ChemistryError
from agents.minds.debate import Entry, Floor, Proposal, Vote
from agents.reports.values import Computation
from agents.runs.hashing import digest

PROGRAM = f"RDKit {version('rdkit')}"
START = "start"
"""The row of the molecule that was begun with."""
GAIN, MUCH = 0.03, 0.08
"""By how much the desirability of a goal has to rise to count as a gain, and falls where much is lost."""
METHODS = "QED, SA score, Crippen logP, TPSA, ESOL, CNS MPO, PAINS, BRENK, Tanimoto of Morgan fingerprints"


@lru_cache(50_000)
def molecule_of(smiles: str) -> Molecule:
    """The molecule of a SMILES. Raises `ChemistryError`."""
    return read_molecule(smiles)


class Lab:
    """The bench of one debate. `known` are molecules that somebody described."""

    def __init__(self, known: Sequence[Known] = ()) -> None:
        self.known = tuple(known)
        self.scores: dict[str, Score] = {}
        """What an oracle said, by SMILES."""

    def values(self, brief: Brief, molecule: Molecule) -> dict[Measure, float]:
        """All that is computed of a molecule for a brief, by measure."""
        values = measured(molecule)
        if brief.seeds:
            values[Measure.LIKE] = round(max(similarities(molecule, map(molecule_of, brief.seeds))), 3)
        if brief.unlike:
            avoided = [molecule_of(one) for one in brief.unlike]
            within = any(molecule.mol.HasSubstructMatch(one.mol) for one in avoided)
            values[Measure.UNLIKE] = 1.0 if within else round(max(similarities(molecule, avoided)), 3)
        if molecule.smiles in self.scores:
            values[Measure.ORACLE] = self.scores[molecule.smiles].value
        return values

    def fit(self, brief: Brief, molecule: Molecule, minds: Iterable[tuple[str, float]] = ()) -> float:
        """The desirability, as one sees it who `minds` some measures more than others."""
        return desirability(weighted(brief.goals, minds), self.values(brief, molecule))

    def novelty(self, brief: Brief, molecule: Molecule) -> float:
        """One minus the similarity to the nearest molecule that is known, the start among them."""
        others = [one.molecule for one in self.known] + [molecule_of(one) for one in brief.seeds]
        return 1.0 - max(similarities(molecule, others), default=0.0)

    def new_enough(self, brief: Brief, molecule: Molecule) -> float:
        """The novelty as a share of what is wanted: of an analogue, half of what similarity allows."""
        like = brief.goal(Measure.LIKE)
        wanted = (1.0 - (like.low or 0.0)) / 2 if like and brief.seeds else 1.0
        return min(1.0, self.novelty(brief, molecule) / max(wanted, 0.1))

    def nearest_known(self, molecule: Molecule) -> str:
        """The nearest known molecule with its source, in words; "" without a table."""
        for one in nearest(molecule, self.known, 1):
            return f"{one.name} ({tanimoto(molecule, one.molecule):.2f}, {one.source})"
        return ""

    def weigh(self, brief: Brief, entry: Entry) -> Weighed:
        """What is computed of an entry."""
        molecule = molecule_of(entry.proposal.what)
        values = self.values(brief, molecule)
        return Weighed(
            entry.id,
            tuple(values.items()),
            round(desirability(brief.goals, values), 3),
            properties(molecule).alerts,
            self.nearest_known(molecule),
            doubt(self.scores.get(molecule.smiles)),
            hints(molecule),
        )

    def sheet(self, floor: Floor[Brief]) -> Sheet:
        """What is computed of all candidates, and how the last vote ended, as a report can name it."""
        brief = floor.task
        begun = (Entry(name, Proposal("", smiles, ""), 0) for smiles, name in starts(brief).items())
        rows = tuple(self.weigh(brief, one) for one in (*begun, *floor.candidates))
        return Sheet(rows, computation(rows, floor.votes[-1:]))


def starts(brief: Brief) -> dict[str, str]:
    """What is begun with, by SMILES: "start", "start 2"."""
    return {smiles: f"{START} {at}" if at > 1 else START for at, smiles in enumerate(brief.seeds, 1)}


def gone(brief: Brief, molecule: Molecule) -> tuple[str, ...]:
    """Whether a part that should stay is gone; where none is named, the groups by which the start most like
    a molecule is recognised and that it lost.
    """
    if brief.kept:
        return ("part that binds or is to go",) * bool(without(molecule, brief.kept))
    seeds = [molecule_of(one) for one in brief.seeds]
    near = max(seeds, key=lambda one: tanimoto(one, molecule), default=molecule)
    return lost(molecule, near)


def betters(brief: Brief, start: Weighed, row: Weighed, *, backup: bool = False) -> bool:
    """Whether a molecule fits no worse than the start, gains on a wish, and loses none by much. Where a part
    of the start is to go, that is the gain: the fit may be a little less, and no wish is lost.

    Where the start came of a debate before, the wishes are what it misses, and what it meets is kept. A
    `backup` need not gain, and may fit a little less.
    """
    before, after, fit = dict(start.values), dict(row.values), goal_desirability
    short = missed(brief.goals, before) if brief.keeps else ()
    rid = bool(brief.seeds and without(molecule_of(brief.seeds[0]), brief.kept))
    if brief.keeps and not set(missed(brief.goals, after)) <= set(short):
        return False
    gains = [
        fit(one, after[one.measure]) - fit(one, before[one.measure])
        for one in short or asked(brief) or brief.goals
        if one.measure in before and one.measure in after
    ] or [0.0]
    if rid or backup:
        return row.desirability >= start.desirability - MUCH and min(gains) > -GAIN
    return row.desirability >= start.desirability and max(gains) > GAIN and min(gains) > -MUCH


def misses(brief: Brief, row: Weighed, smiles: str) -> tuple[str, ...]:
    """The goals that a molecule misses, and the groups of the start that it lost."""
    short = (one.measure.value for one in missed(brief.goals, dict(row.values)))
    return (*short, *(f"the start's {one}" for one in gone(brief, molecule_of(smiles))))


def doubt(score: Score | None) -> str:
    """How sure an oracle is, in words; "" where it does not say."""
    if score is None:
        return ""
    spread = "" if score.uncertainty is None else f"± {score.uncertainty:.2f}"
    return " ".join(filter(None, (spread, "outside what it knows" if score.in_domain is False else "")))


def weighted(goals: Iterable[Goal], minds: Iterable[tuple[str, float]]) -> tuple[Goal, ...]:
    """Goals with the weights of one who minds some measures more."""
    factors = dict(minds)
    return tuple(replace(one, weight=one.weight * factors.get(one.measure.value, 1.0)) for one in goals)


def computation(
    rows: Iterable[Weighed], votes: Iterable[Vote], files: tuple[str, ...] = (), spread: str = ""
) -> Computation:
    """The computation of these rows and votes: its text is a line for each, and one on their `spread`; its
    key is the hash of it.
    """
    text = "\n".join((*map(_line, rows), *chain.from_iterable(map(_counts, votes)), spread))
    program = digest((PROGRAM, METHODS))
    key = digest((program, files, (text,)))
    return Computation(key, PROGRAM, "the structures of the candidates", program, (), files, (text,))


def _line(row: Weighed) -> str:
    told = (f"{measure.value} {shown(measure, value)}" for measure, value in row.values)
    hinted = (f"{about} {said}" for about, said in row.hints)
    fit = f"desirability {row.desirability:.2f}"
    return " ; ".join((row.entry, *told, fit, row.nearest, row.doubt, *hinted, *row.alerts))


def _counts(vote: Vote) -> Iterator[str]:
    """How a vote ended, a line for each entry, and one for the agreement."""
    for one in vote.places:
        votes = f"{len(one.votes)} of {len(vote.ballots)}"
        yield f"{one.entry} ; points {one.points:.2f} ; mean score {one.score:.1f} ; votes {votes}"
    if vote.agreement is not None:
        yield f"Kendall's W {vote.agreement:.2f}"


def readable(smiles: str) -> tuple[Molecule | None, str]:
    """The molecule of a SMILES, or why it is none."""
    try:
        return molecule_of(smiles), ""
    except ChemistryError as error:
        return None, str(error)
