"""Panels for an evaluation: scientists made from papers on a target, and the other personas of the paper.

A table of ligands (columns `target_gene_symbol`, `smiles`, `type`, `action`, `pubmed_id`, as made from the
Guide to Pharmacology) says which paper reports which molecule. A scientist gets a few papers and what these
report. Personas as in Indibator, section 4; the one that a model makes up needs a model.
"""

import csv
import gzip
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import zip_longest
from pathlib import Path

from agents.chemistry.molecule import Molecule
from agents.design.lab import molecule_of, readable
from agents.design.roster import built_in
from agents.design.values import Profile, Published
from agents.design.voice import Suggestions
from agents.ports import LanguageModel

PAPERS_EACH = 4
"""Papers of one scientist."""
MADE_UP = (
    "You make up a medicinal chemist. Give molecules as SMILES that this person could have published on the "
    "target, ten at most, as `proposals` with `smiles` and `why`."
)
COLUMNS = ("target_gene_symbol", "smiles", "type", "action", "pubmed_id")


class Persona(StrEnum):
    """What tells the scientists of a panel apart."""

    PAPERS = "papers"
    """Each has papers on the target of their own."""
    SINGLE = "single"
    """All have the same few papers on the target."""
    KEYWORD = "keyword"
    """Papers on other targets, of molecules of the same type and action ("antagonist")."""
    RANDOM = "random"
    """Papers on other targets."""
    ROLE = "role"
    """The built-in roles, without molecules."""
    GENERATED = "generated"
    """Molecules that a language model thinks they would have published."""
    NONE = "none"
    """Nothing."""


@dataclass(frozen=True, slots=True)
class Row:
    """A molecule of a paper."""

    target: str
    smiles: str
    kind: tuple[str, str]
    pmid: str


@cache
def read_papers(path: Path) -> tuple[Row, ...]:
    """The rows of a table (`.csv`, `.csv.gz`) that name a paper."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    rows = ([row[name] or "" for name in COLUMNS] for row in csv.DictReader(text.splitlines()))
    return tuple(
        Row(target, smiles, (kind, action), pmid)
        for target, smiles, kind, action, papers in rows
        for pmid in filter(None, papers.split("|"))
    )


def panel(
    persona: Persona, rows: Sequence[Row], target: str, count: int, rng: random.Random
) -> tuple[Profile, ...]:
    """`count` scientists; the same `rng` deals the same papers to them."""
    names = [f"Scientist {number}" for number in range(1, count + 1)]
    if persona is Persona.NONE:
        return tuple(map(Profile, names))
    if persona is Persona.ROLE:
        roles = built_in()
        return tuple(replace(roles[at % len(roles)], name=name) for at, name in enumerate(names))
    dealt = _dealt(_chosen(persona, rows, target), count, rng)
    if persona is Persona.SINGLE:
        dealt = dealt[:1] * count
    return tuple(Profile(name, molecules=tuple(some)) for name, some in zip(names, dealt, strict=False))


async def generated(model: LanguageModel, target: str, count: int) -> tuple[Profile, ...]:
    """`count` scientists with molecules that a model makes up, by an answer each. Raises `ModelError`."""
    made = []
    for number in range(1, count + 1):
        said = await model.ask("propose", MADE_UP, f"Scientist {number} on {target}", Suggestions)
        molecules = (Published(one.smiles, "") for one in said.proposals if readable(one.smiles)[0])
        made.append(Profile(f"Scientist {number}", molecules=tuple(molecules)))
    return tuple(made)


def own_molecules(profiles: Iterable[Profile]) -> list[Molecule]:
    """What the scientists published, each once, a molecule of each in turn."""
    queues = [[molecule_of(one.smiles) for one in profile.molecules] for profile in profiles]
    return list(dict.fromkeys(one for turn in zip_longest(*queues) for one in turn if one is not None))


def _chosen(persona: Persona, rows: Sequence[Row], target: str) -> list[Row]:
    """The rows that profiles of this persona are made of."""
    on = [row for row in rows if row.target.casefold() == target.casefold()]
    if persona in (Persona.PAPERS, Persona.SINGLE):
        return on
    known = {row.pmid for row in on} | {row.smiles for row in on}
    others = [row for row in rows if not {row.pmid, row.smiles} & known]
    if persona is Persona.KEYWORD and on:
        ((kind, _),) = Counter(row.kind for row in on).most_common(1)
        return [row for row in others if row.kind == kind]
    return others


def _dealt(rows: Iterable[Row], count: int, rng: random.Random) -> list[list[Published]]:
    """The molecules of each scientist's papers; some scientists get none where papers are few."""
    papers: defaultdict[str, list[Published]] = defaultdict(list)
    for row in rows:
        papers[row.pmid].append(Published(row.smiles, "", row.pmid, row.target))
    order = sorted(papers)
    rng.shuffle(order)
    return [
        [
            one
            for pmid in order[: count * PAPERS_EACH][at::count]
            for one in papers[pmid]
            if readable(one.smiles)[0]
        ]
        for at in range(count)
    ]
