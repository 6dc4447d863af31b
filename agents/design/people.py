"""What people say while a debate goes on, as what it does to the floor: vetoes, pins, wishes, molecules.

    veto 3 · pin M2 · unpin 2 · try CC(=O)Nc1ccccc1 · weight solubility 2 · logP 1 to 3 · not like imatinib
    exclude Scientist B · enough

Everything else is a remark, which a scientist answers in the next round. What is refused as a brief is
refused here too. The emoji of a number under the
card of a round says that its molecule is liked.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agents.chemistry.guard import Refusal
from agents.chemistry.molecule import medicines
from agents.chemistry.wording import Wording
from agents.design.brief import away_from, edited
from agents.design.lab import readable
from agents.design.understand import named_molecules, structures, without_structures
from agents.design.uploads import with_smiles
from agents.design.values import Brief
from agents.minds.ballots import Ballot, named_by
from agents.minds.debate import Floor, Proposal, Remark
from agents.runs.heard import Said

ROUND = "round"
"""Id of the section that shows how a round ended."""
_DO = re.compile(
    r"\b(?P<what>veto|drop|remove|pin|keep|unpin|unveto|like|vote(?: for)?)\s+(?:the\s+)?"
    r"(?:molecules?\s+|number\s+|no\.?\s*)?(?P<which>M?\d+(?:\s*(?:,|and)\s*M?\d+)*)\b",
    re.IGNORECASE,
)
_EXCLUDE = re.compile(r"\bexclude\s+(?P<who>[A-Z][\w.'-]*(?:\s+[A-Z][\w.'-]*)*)")
_ENOUGH = re.compile(r"^\W*(?:enough|finish|that'?s enough|no more rounds|end the debate)\b", re.IGNORECASE)
_VETO, _PIN, _FREE = ("veto", "drop", "remove"), ("pin", "keep"), ("unpin", "unveto")
NO_SUCH = "Nothing of that number was proposed before this was written. Write it again once you see it."
PERSON, MIND = "person ", "a person"
"""What the name of a person stands behind among who proposes and votes, and whose mind that is."""


@dataclass(frozen=True, slots=True)
class Heard:
    """The floor as people want it, molecules that they propose, and whom they exclude."""

    floor: Floor[Brief]
    proposals: tuple[Proposal, ...] = ()
    excluded: tuple[str, ...] = ()


async def taken_in(wording: Wording, floor: Floor[Brief], said: Sequence[Said]) -> Heard:
    """What people said, in order, as what it does."""
    heard = Heard(floor)
    refused = await wording.refusals([with_smiles(one.text) for one in said])
    for one, no in zip(said, refused, strict=True):
        heard = _emoji(heard, one) if one.emoji else _words(heard, one, no)
    return heard


def ballots(floor: Floor[Brief], weight: float) -> tuple[Ballot, ...]:
    """A ballot of each person who said which molecules they like."""
    names = floor.standing
    chosen = ((who, [one for one in liked if one in names]) for who, liked in floor.liked)
    return tuple(named_by(f"{PERSON}{who}", liked, names, weight) for who, liked in chosen if liked)


def _emoji(heard: Heard, said: Said) -> Heard:
    """The emoji of a number under the card of a round."""
    numbered = dict(enumerate(heard.floor.standing, 1))
    number = int(said.emoji) if said.emoji.isdecimal() else 0
    if not said.on.startswith(ROUND) or number not in numbered:
        return heard
    liked = heard.floor.with_likes(said.who, (numbered[number],), gone=said.removed)
    return replace(heard, floor=liked)


def _words(heard: Heard, said: Said, no: Refusal | None) -> Heard:
    floor, text = heard.floor, with_smiles(said.text)
    if no:  # its words reach no scientist and no model
        remark = Remark(said.who, "(refused)", "Pestle", no.reason)
        return replace(heard, floor=replace(floor, remarks=(*floor.remarks, remark)))
    if _ENOUGH.search(text):
        return replace(heard, floor=replace(floor, over=f"{said.who} said that it is enough"))
    proposed = tuple(
        Proposal(f"{PERSON}{said.who}", written, text, by_mind=MIND)
        for written, avoided in structures(text)
        if not avoided
    )
    excluded = tuple(one["who"] for one in _EXCLUDE.finditer(text))
    words = without_structures(text)
    # Words beside a molecule tell what it changes; they set no goal for all.
    task = away_from(floor.task if proposed else edited(floor.task, words), _avoided(text))
    done = _steered(replace(floor, task=task), said.who, words)
    heard = Heard(done, heard.proposals + proposed, heard.excluded + excluded)
    if not proposed and not excluded and done == floor:
        orders = list(_DO.finditer(words))
        nothing = orders and not any(_numbered(floor, one) for one in orders)
        remark = Remark(said.who, text, "Pestle", NO_SUCH) if nothing else Remark(said.who, text)
        return replace(heard, floor=replace(floor, remarks=(*floor.remarks, remark)))
    return heard


def _avoided(text: str) -> Iterator[str]:
    """SMILES of the molecules to keep away from: structures, and medicines by their names."""
    for written, avoided in structures(text):
        molecule, _ = readable(written)
        if avoided and molecule:
            yield molecule.smiles
    for name, avoided in named_molecules(text):
        if avoided and (medicine := medicines().get(name.casefold())):
            yield medicine.smiles


def _steered(floor: Floor[Brief], who: str, words: str) -> Floor[Brief]:
    """Vetoes, pins and votes by number."""
    for found in _DO.finditer(words):
        what, names = found["what"].casefold(), _numbered(floor, found)
        if what in _VETO:
            floor = floor.without(names)
        elif what in _FREE:
            floor = floor.freed(names)
        else:
            floor = floor.with_pins(names) if what in _PIN else floor.with_likes(who, names)
    return floor


def _numbered(floor: Floor[Brief], found: re.Match[str]) -> tuple[str, ...]:
    """The molecules of these numbers that have been proposed."""
    names = (f"M{number}" for number in re.findall(r"\d+", found["which"]))
    return tuple(name for name in names if floor.entry(name))
