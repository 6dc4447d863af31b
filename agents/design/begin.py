"""From an order to a brief that people can approve: molecules are read, the target and a start are found."""

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from agents.chemistry.guard import Refusal, needs_authorisation, refused
from agents.chemistry.molecule import Molecule, medicines
from agents.chemistry.properties import open_centres
from agents.chemistry.recognition import GONE, kept, without
from agents.chemistry.similarity import Known
from agents.chemistry.wording import Wording
from agents.databases.targets import Targets
from agents.design.brief import LEFT_OUT, asked, contradictions, drafted, mended, unknown_parts, unread
from agents.design.history import NO_TOOLS, NOTHING, History, Past
from agents.design.lab import Lab, molecule_of
from agents.design.literature import Ligands
from agents.design.reading import Given, read_brief
from agents.design.understand import EXAMPLE, named_molecules, structures, target_of, without_structures
from agents.design.values import Brief, Order, Published
from agents.errors import AgentError, ChemistryError
from agents.minds.minded import RULES, fallback_note, minded
from agents.ports import LanguageModel

logger = logging.getLogger(__name__)

STARTS = 3
"""Known ligands that a debate starts from where the order names no molecule."""
SIZES = range(18, 40)
"""Atoms besides hydrogen of a known ligand to start from: no fragment, and room to grow."""


@dataclass(frozen=True, slots=True)
class Begun:
    """The brief, or the `problem` that hinders it; the target's known ligands; whom to ask besides; names
    that mean no molecule here.
    """

    brief: Brief | None = None
    known: tuple[Published, ...] = ()
    notes: tuple[str, ...] = ()
    authorisation: str = ""
    problem: str = ""
    unknown: tuple[str, ...] = ()
    past: Past = NOTHING

    @property
    def asks_back(self) -> str:
        """What has to be asked about the names that are not known."""
        names = " and ".join(self.unknown)
        how = "write its SMILES after `like` or `not like`, or leave the name out."
        return f"No molecule is known here as {names}: {how}" if names else ""


async def begun(
    wording: Wording,
    targets: Targets,
    ligands: Ligands,
    model: LanguageModel | None,
    order: Order,
    history: History = NO_TOOLS,
) -> Begun:
    """The order as a brief: as a model reads it, else as the rules do."""
    if no := await wording.refused(order.text):
        return Begun(problem=no.reason)
    try:
        seeds, unlike, notes, unknown, past = await _molecules(ligands, order, history)
    except ChemistryError as error:
        return Begun(problem=str(error))
    words = without_structures(order.text)
    if never := contradictions(words):
        told = "; ".join(
            f"{one.measure.value} at least {one.low:g} and at most {one.high:g}" for one in never
        )
        return Begun(problem=f"No molecule can fulfil {told}. Correct it and ask again.")
    target = target_of(words)
    names, said = await _names(targets, target)
    known = await ligands.of_target(names[0]) if names else ()
    past = past.joined(await history.of_target(names[0])) if names else past
    brief = order.brief or drafted(aim_of(words), words, target, _smiles(seeds), _smiles(unlike))
    notes += said
    if not brief.seeds and known and not unknown:
        brief = drafted(brief.aim, words, target, _starts(brief, known), brief.unlike)
        notes += (f"No molecule was named: the debate starts from known ligands of {names[0]}.",)
    brief = replace(brief, names=names, liabilities=tuple(text for text, _ in past.liabilities))
    start = Begun(brief, known, notes, "", "", unknown, past)

    async def look_up(name: str) -> tuple[Molecule, str] | None:
        return await _named(ligands, name, NOTHING)

    async def by_rules() -> Begun:
        return _ruled(start, order, words)

    async def by_model(model: LanguageModel) -> Begun:
        given = Given(order.text, brief, notes, unknown, as_known(known))
        read, told, nowhere = await read_brief(given, look_up, model)
        return replace(start, brief=read, notes=(*notes, *told), unknown=nowhere)

    read = await minded(model, by_model, by_rules)
    note = fallback_note("reading the brief", read.why_fallen_back)
    noted = replace(read.value, notes=(*read.value.notes, *filter(None, (note,))))
    return _allowed(noted, voiced=read.by != RULES)


def _ruled(start: Begun, order: Order, words: str) -> Begun:
    """What was begun, read by rules."""
    brief, known = start.brief, start.known
    assert brief is not None
    if start.unknown and not brief.seeds:
        return replace(start, brief=None, problem=start.asks_back)
    brief = mended(brief, brief.liabilities) if brief.liabilities else brief
    left = _left_out(brief, words)
    lacks = without(molecule_of(brief.seeds[0]), brief.kept) if brief.seeds else ()
    no_such = tuple(one for one in lacks if not one[0].startswith(GONE))
    left += tuple(f"Not done: {told}: the start has no such part." for _, told in no_such)
    told = tuple((LEFT_OUT, one) for one in left)
    brief = replace(brief, kept=tuple(one for one in brief.kept if one not in no_such), told=told)
    if len(brief.seeds) == 1 and order.brief is None:
        brief = replace(brief, kept=(*brief.kept, *kept(molecule_of(brief.seeds[0]), as_known(known))))
    return replace(start, brief=brief)


def _allowed(start: Begun, *, voiced: bool) -> Begun:
    """What was begun, unless a molecule is refused or none is to start from, which a model needs least; with
    what needs somebody's yes.
    """
    if (brief := start.brief) is None:
        return start
    for smiles in brief.seeds:
        if no := refused(molecule_of(smiles)):
            return _refused(no)
    if not brief.seeds and (start.unknown or not voiced):
        return Begun(problem=start.asks_back or _no_start(brief.target), notes=start.notes)
    needed = (no.reason for one in brief.seeds if (no := needs_authorisation(molecule_of(one))))
    values = Lab().values(brief, molecule_of(brief.seeds[0])) if brief.seeds else {}
    met = [
        one.measure.value for one in asked(brief) if one.measure in values and one.holds(values[one.measure])
    ]
    notes = (*start.notes, *([f"The start already meets {', '.join(met)}."] if met else []))
    return replace(start, notes=notes, authorisation=next(needed, ""))


def as_known(ligands: Iterable[Published]) -> list[Known]:
    """Ligands with their sources."""
    return [Known(molecule_of(one.smiles), one.name, f"PMID {one.pmid}") for one in ligands]


def _left_out(brief: Brief, words: str) -> tuple[str, ...]:
    """What of the words set no goal."""
    parts = unknown_parts(words)
    for one in parts:
        words = words.replace(one, " ")
    known = (*medicines(), *brief.target.split(), *(name for name, _ in named_molecules(words)))
    told = unread(words, map(str.casefold, known))
    note = f"Not read as a goal: {'; '.join(told)}. Say it as a window of a measure, or judge it yourself."
    left = tuple(f"I do not know the part “{one}”: goal left out." for one in parts)
    return (*left, note) if told else left


def aim_of(words: str) -> str:
    """What is wished, without polite words and what stood for a structure."""
    words = re.sub(
        r"(?:not like|unlike|nicht wie|anders als) …(?:(?:,| or| and| oder| und)+ …)*",
        "not like those to avoid",
        words,
    )
    return " ".join(words.replace("…", " the start ").split()).replace(" ,", ",").strip(" ,.;:")


async def _molecules(
    ligands: Ligands, order: Order, history: History
) -> tuple[list[Molecule], list[Molecule], tuple[str, ...], tuple[str, ...], Past]:
    """The molecules to start from, those to avoid, notes, names that nobody knows, and what the archive says.

    Raises `ChemistryError`.
    """
    seeds = [molecule_of(smiles) for smiles in order.start]
    unlike: list[Molecule] = []
    notes: list[str] = []
    unknown: list[str] = []
    past = NOTHING
    for written, avoided in structures("" if order.start else order.text):
        (unlike if avoided else seeds).append(molecule_of(written))
    named = named_molecules(order.text)
    if not seeds and all(avoided for _, avoided in named):
        words = re.findall(r"[a-z]+", without_structures(order.text).casefold())
        named += tuple((one, False) for one in words if one in medicines() and (one, True) not in named)
    for name, avoided in named:
        told = NOTHING if avoided else await history.of_molecule(name)
        past = past.joined(told)
        if (found := await _named(ligands, name, told)) is not None:
            (unlike if avoided else seeds).append(found[0])
            notes.append(f"{name} is read as the {found[1]}.")
        else:
            unknown.append(f"{name} (it is in the archive, without a structure)" if told.here else name)
    notes += [note for one in (*seeds, *unlike) for note in one.notes]
    known = {one.inchikey: name for name, one in medicines().items()}
    notes += [
        f"The start is {known[one.inchikey]}, an approved medicine: what else it binds comes with it."
        for one in seeds
        if one.inchikey in known
    ]
    return list(dict.fromkeys(seeds)), list(dict.fromkeys(unlike)), tuple(notes), tuple(unknown), past


async def _named(ligands: Ligands, name: str, past: Past) -> tuple[Molecule, str] | None:
    """The molecule of a name, and as what it is known; None where nobody knows it."""
    known = await ligands.named(name)
    if known is not None:
        return molecule_of(known.smiles), "ligand of this name in the Guide to Pharmacology"
    if past.smiles:
        return molecule_of(past.smiles), "molecule of this name in the archive"
    medicine = medicines().get(name.casefold())
    if medicine is None:
        return None
    return (
        medicine,
        f"medicine of this name{', its stereochemistry left open' * bool(open_centres(medicine))}",
    )


async def _names(targets: Targets, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of a target, its gene symbol first, and how the name was understood; the name alone where
    nobody knows it.
    """
    words = name.split()
    for at in range(len(words)):
        written = " ".join(words[at:])
        try:
            found, note = await targets.one(written)
        except AgentError:
            continue
        names = dict.fromkeys((*found.symbols, found.name, written))
        return tuple(filter(None, names)), (note,) if note else ()
    return tuple(words[-1:]), ()


def _starts(brief: Brief, known: Iterable[Published]) -> tuple[str, ...]:
    """The known ligands that fit the goals best."""
    lab = Lab()
    molecules = [molecule_of(one.smiles) for one in known]
    small = [one for one in molecules if one.heavy_atoms in SIZES and refused(one) is None]
    return _smiles(sorted(small, key=lambda one: -lab.fit(brief, one))[:STARTS])


def _smiles(molecules: Iterable[Molecule]) -> tuple[str, ...]:
    return tuple(one.smiles for one in molecules)


def _refused(no: Refusal) -> Begun:
    logger.warning("a design was refused (%s)", no.group)
    return Begun(problem=no.reason)


def _no_start(target: str) -> str:
    of = f" of {target}" if target else ""
    return (
        f"No molecule to start from is named, and no known ligands{of} are at hand. {EXAMPLE} Or load known "
        "ligands: `pestle sources load gtopdb FILE`."
    )
