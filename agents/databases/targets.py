"""From a name to a target: symbol, former symbol, alias, name, Ensembl or NCBI gene id, UniProt accession.

Loaded files are asked first, in order of authority (`identity.KNOWING`). The network is asked where no file
knows the name, and for identifiers that no file holds.
"""

import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from rapidfuzz import fuzz, process, utils

from agents.databases.identity import KNOWING, Knows, merged
from agents.databases.ports import Reach
from agents.databases.target import Found, Target
from agents.errors import ToolFailed, ToolRetry

ENSEMBL_VERSION = re.compile(r"(ENSG\d{11})\.\d+", re.IGNORECASE)
UNIPROT = re.compile(r"[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9]([A-Z][A-Z0-9]{2}[0-9]){1,2}", re.IGNORECASE)
ID = re.compile(r"ENSG\d{11}|HGNC:\d+|\d+", re.IGNORECASE)
NEAR, NEAREST = 78.0, 5
"""How alike (0 to 100) a spelling has to be to be offered, and how many are."""
REMEMBERED = 500
SYMBOL, PREVIOUS, ALIAS = range(3)
RANKS = ("symbol", "former symbol", "other name")


class Targets:
    """Resolves names. Answers are remembered as long as the same files are loaded."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._known: OrderedDict[tuple[object, ...], Found] = OrderedDict()

    async def find(self, text: str) -> Found:
        """What the name may mean. Raises `ToolFailed` if nothing that knows genes can be asked."""
        name = _cleaned(text)
        if not name:
            return Found(note="No name was given.")
        loaded = [(one, found) for one in KNOWING if (found := self._reach.bulk.release(one.source))]
        if not loaded and self._reach.web is None:
            raise ToolFailed(
                "No loaded file knows the names of genes, and the network is not used. Load one first: "
                "`pestle sources load hgnc FILE`."
            )
        key = (name.casefold(), *(release for _, release in loaded))
        if (known := self._known.get(key)) is None:
            known = await self._found(name, [one for one, _ in loaded])
            self._known[key] = known
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return known

    async def one(self, text: str) -> tuple[Target, str]:
        """The target that is certainly meant, and a note on how the name was understood.

        Raises `ToolRetry` with the choices for a name of several genes, or with close spellings.
        """
        found = await self.find(text)
        if len(found.targets) == 1:
            return found.targets[0], found.note
        raise ToolRetry(found.note)

    async def _found(self, name: str, loaded: Sequence[Knows]) -> Found:
        ranked = await self._ranked(name, loaded)
        if not ranked:
            return Found(note=await self._unknown(name, loaded))
        best = min(rank for rank, _ in ranked.values())
        chosen = [target for rank, target in ranked.values() if rank == best]
        others = sorted(target.symbol for rank, target in ranked.values() if rank > best)
        targets = tuple([await self._completed(target, loaded) for target in chosen])
        return Found(targets, _note(name, best, targets, others))

    async def _ranked(self, name: str, loaded: Sequence[Knows]) -> dict[str, tuple[int, Target]]:
        """Genes that the most authoritative source which knows the name knows by it, by symbol."""
        for spelling in dict.fromkeys((name, *_respelled(name))):
            for one in loaded:
                ranked: dict[str, tuple[int, Target]] = {}
                for row in await self._reach.bulk.rows(one.source, spelling):
                    target = replace(one.target(row), sources=(self._label(one),))
                    rank = _rank(spelling, target)
                    if target.symbol and rank <= ranked.get(target.symbol, (9, target))[0]:
                        ranked[target.symbol] = (rank, target)
                if ranked:
                    return ranked
        return {}

    async def _completed(self, target: Target, loaded: Sequence[Knows]) -> Target:
        """The target with what other files say of the same symbol."""
        for one in loaded:
            if target.ensembl and target.entrez and target.uniprot and target.name:
                break
            for row in await self._reach.bulk.rows(one.source, target.symbol):
                other = one.target(row)
                if other.symbol.casefold() == target.symbol.casefold() and _compatible(target, other):
                    label = self._label(one)
                    target = merged(target, replace(other, sources=(label,)))
        return target

    def _label(self, one: Knows) -> str:
        loaded = self._reach.bulk.release(one.source)
        return f"{one.title} {loaded.release}".strip() if loaded else one.title

    async def _unknown(self, name: str, loaded: Sequence[Knows]) -> str:
        near = await self._near(name, loaded)
        asked = ", ".join(one.title for one in loaded)
        hint = f" Did you mean {_either(near)}?" if near else ""
        return f"No human gene is called {name!r} ({asked}).{hint}"

    async def _near(self, name: str, loaded: Sequence[Knows]) -> list[str]:
        """Names of genes that are spelled nearly so, of the most authoritative source."""
        if ID.fullmatch(name) or not loaded:
            return []
        keys = [key for key in await self._reach.bulk.keys(loaded[0].source) if not ID.fullmatch(key)]
        found = process.extract(
            name,
            keys,
            scorer=fuzz.ratio,
            processor=utils.default_process,
            limit=NEAREST,
            score_cutoff=NEAR,
        )
        return [key for key, _, _ in found]


def _cleaned(text: str) -> str:
    name = " ".join(text.split()).strip("'\"“”‘’.,;")
    versioned = ENSEMBL_VERSION.fullmatch(name)
    return versioned[1] if versioned else name


def _respelled(name: str) -> Iterable[str]:
    """Other ways to write a symbol: without blanks and hyphens, and with Greek letters as Latin ones."""
    if " " in name or "-" in name:
        yield name.replace(" ", "").replace("-", "")
        yield name.replace(" ", "-")
    for greek, latin in (("α", "A"), ("β", "B"), ("γ", "G"), ("δ", "D")):
        if greek in name:
            yield name.replace(greek, latin)


def _rank(name: str, target: Target) -> int:
    folded = name.casefold()
    if folded in (
        target.symbol.casefold(),
        target.ensembl.casefold(),
        target.entrez,
        target.uniprot.casefold(),
    ):
        return SYMBOL
    if ID.fullmatch(name) or UNIPROT.fullmatch(name):
        return SYMBOL  # a second accession, or an id that the row keeps under another name
    return PREVIOUS if folded in {one.casefold() for one in target.previous} else ALIAS


def _compatible(target: Target, other: Target) -> bool:
    """Whether no identifier says that they are two genes."""
    pairs = ((target.ensembl, other.ensembl), (target.entrez, other.entrez))
    return all(not one or not two or one == two for one, two in pairs)


def _note(name: str, rank: int, targets: Sequence[Target], others: Sequence[str]) -> str:
    if len(targets) > 1:
        choices = _either([f"{one.symbol} ({one.name})" if one.name else one.symbol for one in targets])
        return f"{name!r} is a {RANKS[rank]} of {len(targets)} genes; name one of them: {choices}."
    also = f" {name} is also a name of {', '.join(others)}." if others else ""
    if rank == SYMBOL:
        return also.strip()
    article = "another name" if rank == ALIAS else "a former symbol"
    return f"{name} is {article} of {targets[0].symbol}.{also}"


def _either(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
