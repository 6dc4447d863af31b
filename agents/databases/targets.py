"""From a name to a target: symbol, former symbol, alias, name, Ensembl or NCBI gene id, UniProt accession.

Loaded files are asked first, in order of authority (`identity.KNOWING`). The network is asked where no file
knows the name, and for an accession that no file holds.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from rapidfuzz import fuzz, process, utils

from agents.counts import listed
from agents.databases.identity import KNOWING, Knows, merged, same_gene, sound
from agents.databases.live_identity import live_targets
from agents.databases.naming import ALIAS, bare, cleaned, is_id, rank_of, render_naming
from agents.databases.ports import Reach, notes_on
from agents.databases.target import Found, Target
from agents.errors import ToolFailed, ToolRetry
from agents.tools.allowance import in_line

log = logging.getLogger(__name__)

NEAR, NEAREST = 75.0, 5
"""How alike (0 to 100) a spelling has to be to be offered, and how many are."""
REMEMBERED = 500

Ranked = dict[str, tuple[int, Target]]
"""Genes that a name may mean, by symbol, each with how it is meant (`naming.rank_of`)."""


class Targets:
    """Resolves names. Answers are remembered as long as the same files are loaded."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._known: OrderedDict[tuple[object, ...], Found] = OrderedDict()
        self._turns: dict[tuple[object, ...], asyncio.Lock] = {}

    async def find(self, text: str) -> Found:
        """What the name may mean. Raises `ToolFailed` if nothing that knows genes can be asked."""
        if not (name := cleaned(text)):
            return Found(note="No name was given.")
        loaded = [(one, found) for one in KNOWING if (found := self._reach.bulk.release(one.source))]
        if not loaded and self._reach.web is None:
            raise ToolFailed(
                "No loaded file knows the names of genes, and the network is not used. Load one first: "
                "`pestle sources load hgnc FILE`."
            )
        key = (name.casefold(), *(release for _, release in loaded))
        turn = self._turns.setdefault(key, asyncio.Lock())  # many tools ask for one target at once
        async with in_line():
            await turn.acquire()
        try:
            if (known := self._known.get(key)) is not None:
                return known
            failures: list[str] = []
            meant = await self._found(name, [one for one, _ in loaded], failures)
            if not failures:  # what the network did not tell this time it may tell the next
                self._remember(key, meant)
            return meant
        finally:
            turn.release()
            self._turns.pop(key, None)

    def _remember(self, key: tuple[object, ...], found: Found) -> None:
        self._known[key] = found
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)

    async def one(self, text: str) -> tuple[Target, str]:
        """The target that is certainly meant, and a note on how the name was understood.

        Raises `ToolRetry` with the choices for a name of several genes, or with close spellings.
        """
        found = await self.find(text)
        if len(found.targets) == 1:
            return found.targets[0], found.note
        raise ToolRetry(found.note)

    async def _found(self, name: str, loaded: Sequence[Knows], failures: list[str]) -> Found:
        """What the name may mean. What the network failed to tell beside it goes to `failures`."""
        ranked = await self._in_files(name, loaded)
        if not ranked and self._reach.web is not None:
            ranked = _ranked(name, await live_targets(self._reach.web, name), keyed=False)
        if not ranked:
            return await self._unknown(name, loaded)
        best = min(rank for rank, _ in ranked.values())
        chosen = [target for rank, target in ranked.values() if rank == best]
        targets = tuple([await self._completed(target, loaded, failures) for target in chosen])
        others = sorted(target.symbol for rank, target in ranked.values() if rank > best)
        return Found(targets, render_naming(name, best, targets, others))

    async def _in_files(self, name: str, loaded: Sequence[Knows]) -> Ranked:
        """Genes that the most authoritative file knows by the name, as it is written or set otherwise."""
        for one in loaded:
            if ranked := await self._in_file(name, one):
                return ranked
        return await self._set_otherwise(name, loaded)

    async def _set_otherwise(self, name: str, loaded: Sequence[Knows]) -> Ranked:
        """Genes whose name in a file differs in hyphens, blanks and Greek letters alone: NARC-1, NARC1."""
        if is_id(name):
            return {}
        for one in loaded:
            keys = await self._reach.bulk.keys(one.source)
            same = await asyncio.to_thread(_alike_bare, name, keys)
            ranked: Ranked = {}
            for key in same:
                ranked |= await self._in_file(key, one)
            if ranked:
                return ranked
        return {}

    async def _in_file(self, name: str, one: Knows) -> Ranked:
        rows = await self._reach.bulk.rows(one.source, name)
        return _ranked(name, map(one.target, rows))

    async def _completed(self, target: Target, loaded: Sequence[Knows], failures: list[str]) -> Target:
        """The target with what other files, and the network for the accession, say of the same gene."""
        for one in loaded:
            rows = await self._reach.bulk.rows(one.source, target.symbol)
            for other in map(sound, map(one.target, rows)):
                if other.symbol.casefold() == target.symbol.casefold() and same_gene(target, other):
                    target = merged(target, other)
        kept = [one for one in target.previous if not await self._taken(one, target, loaded)]
        target = replace(target, previous=tuple(kept))
        if (target.uniprot and target.ensembl) or self._reach.web is None:
            return target
        try:
            found = await live_targets(self._reach.web, target.symbol)
        except ToolFailed as error:
            log.info("the accession of %s is not known: %s", target.symbol, error)
            failures.append(str(error))
            return target
        named = (other for other in map(sound, found) if other.symbol == target.symbol)
        return merged(target, next((other for other in named if same_gene(target, other)), target))

    async def _taken(self, symbol: str, target: Target, loaded: Sequence[Knows]) -> bool:
        """Whether a former symbol is the approved one of another gene by now (KLK3, once of KLKB1)."""
        found = [one.target(row) for one in loaded for row in await self._reach.bulk.rows(one.source, symbol)]
        same = (one for one in found if one.symbol.casefold() == symbol.casefold())
        return any(not same_gene(target, other) for other in same)

    def _label(self, one: Knows) -> str:
        loaded = self._reach.bulk.release(one.source)
        return (
            f"{one.title} {loaded.release}".strip() + f" with {loaded.rows:,} rows" if loaded else one.title
        )

    async def _unknown(self, name: str, loaded: Sequence[Knows]) -> Found:
        near = await self._near(name, loaded)
        asked = dict.fromkeys(map(self._label, loaded)) or ["mygene.info"]
        hint = f" Did you mean {listed(near, 'or')}?" if near else ""
        said = (f"No human gene is called {name!r} in {', '.join(asked)}.{hint}", *notes_on(asked))
        return Found(note=" ".join(said), near=tuple(near))

    async def _near(self, name: str, loaded: Sequence[Knows]) -> list[str]:
        """Names of genes that are spelled nearly so, the most alike first."""
        if is_id(name):
            return []
        keys: Mapping[str, None] = {}
        for one in loaded:
            keys = {**keys, **dict.fromkeys(await self._reach.bulk.keys(one.source))}
        names = [key for key in keys if not is_id(key)]
        meant: dict[str, str] = {}
        for key in await asyncio.to_thread(_alike, name, names):
            for symbol in await self._in_files(key, loaded):
                meant.setdefault(symbol, symbol if symbol == key else f"{symbol} (called {key})")
        return list(meant.values())


def _alike_bare(name: str, keys: Sequence[str]) -> list[str]:
    """The keys that are the name but for hyphens and blanks."""
    wanted = bare(name)
    return [key for key in keys if bare(key) == wanted]


def _alike(name: str, names: Sequence[str]) -> list[str]:
    """The names that are spelled most alike; over all genes this takes too long for an event loop."""
    prepared = utils.default_process
    found = process.extract(
        name, names, scorer=fuzz.ratio, processor=prepared, limit=NEAREST, score_cutoff=NEAR
    )
    return [key for key, _, _ in found]


def _ranked(name: str, targets: Iterable[Target], *, keyed: bool = True) -> Ranked:
    """The targets that have the name, by symbol. One that has it not was not asked for, and is left out."""
    ranked: Ranked = {}
    for target in map(sound, targets):
        rank = rank_of(name, target, keyed=keyed)
        if target.symbol and rank <= ALIAS and rank < ranked.get(target.symbol, (ALIAS + 1, target))[0]:
            ranked[target.symbol] = (rank, target)
    return ranked
