"""What the house's archive and databases know of what a debate starts from, so that it knows why the last
molecule failed: sentences word for word, each with its passage.
"""

import json
import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

from agents.chemistry.molecule import Molecule
from agents.databases.facts import Facts, Topic
from agents.databases.toolset import TOOLS
from agents.design.lab import readable
from agents.errors import ToolFailed, ToolRetry
from agents.evidence.memory import EvidenceMemory
from agents.evidence.values import Evidence
from agents.reports.structures import stated_smiles
from agents.text.polarity import is_planned, negated
from agents.tools.reply import ToolRecord, ToolReply
from agents.tools.toolset import Toolset
from retrieval.text.sentences import split_sentences

Tools = Callable[[], Awaitable[Toolset]]
SEARCH, FIRST_KEY = "search_archive", 90_001
PASSAGES, MOST, LONGEST = 12, 6, 400
"""Passages of a search, liabilities that are told, and characters of one."""
QUERY = "liabilities toxicity hERG QT solubility clearance efflux why it was stopped discontinued"
SAFETY = [one.name for one in reversed(TOOLS) if Topic.ADVERSE_EVENT in one.topics]
"""Tools that tell how people were harmed, curated reviews first."""
EACH = 2
"""Sentences of one of them."""
LIABILITY = re.compile(
    r"herg|\bqt|toxic|adverse|discontinu|terminat|stopped|withdr[ae]w|liabilit|solub|clearance|efflux|p-gp|"
    r"necrosis|elevat|genotox|mutagen|ames|phospholipid|half-life|bioavailab|inhibit\w* of cyp|selectiv",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Past:
    """What is known of a molecule or a target: sentences with the keys of their evidence. `smiles` is what
    the archive states as its structure, "" for none; `here` tells whether the archive knows it at all.
    """

    smiles: str = ""
    here: bool = False
    liabilities: tuple[tuple[str, str], ...] = ()
    evidence: tuple[Evidence, ...] = ()

    def joined(self, other: "Past") -> "Past":
        """Both, each sentence once."""
        told = tuple(dict((*self.liabilities, *other.liabilities)).items())
        evidence = tuple({one.key: one for one in (*self.evidence, *other.evidence)}.values())
        return Past(self.smiles or other.smiles, self.here or other.here, told, evidence)


NOTHING = Past()


class History:
    """Over the tools of the house; None where there are none. The keys of its evidence go on from call to
    call of one run.
    """

    def __init__(self, tools: Tools | None) -> None:
        self._tools = tools
        self._memory = EvidenceMemory(FIRST_KEY)

    async def of_molecule(self, name: str) -> Past:
        """What the archive says of a molecule."""
        told = await self._call(SEARCH, query=f"{name} {QUERY}", molecule=name, limit=PASSAGES)
        if told is None:
            return NOTHING
        drawn = await self._call(SEARCH, query=f"SMILES structure of {name}", molecule=name, limit=PASSAGES)
        smiles = map(_structure, drawn.records if drawn else ())
        found = [(one, record) for record in told.records for one in _sentences(record.place.text)]
        structure = next((one.smiles for one in smiles if one), "")
        return self._past(found, structure, here=bool(told.records))

    async def of_target(self, symbol: str) -> Past:
        """What happened to people by way of a target, as a target safety report is told it: reviews of target
        safety first, then warnings, withdrawals and reactions of its drugs, as far as loaded or reached.
        """
        found = []
        for name in SAFETY:
            told = await self._call(name, target=symbol)
            facts = Facts.model_validate(told.data).facts if told and told.data else ()
            harm = [one for one in facts if one.topic is Topic.ADVERSE_EVENT and one.quotes]
            found += [(one.quotes[0], told.records[one.record]) for one in harm[:EACH] if told]
        return self._past(found)

    def _past(self, found: list[tuple[str, ToolRecord]], smiles: str = "", *, here: bool = False) -> Past:
        kept = list(dict(found).items())[:MOST]
        evidence = {text: self._memory.add(record.place, record.source) for text, record in kept}
        told = tuple((text, one.key) for text, one in evidence.items())
        return Past(smiles, here, told, tuple({one.key: one for one in evidence.values()}.values()))

    async def _call(self, tool: str, **arguments: object) -> ToolReply | None:
        """The reply of a tool; None where it is not there, or knows nothing of it."""
        tools = await self._tools() if self._tools else None
        if tools is None or tool not in tools:
            return None
        try:
            return await tools.call(tool, json.dumps(arguments))
        except (ToolFailed, ToolRetry):
            return None


def _structure(record: ToolRecord) -> Molecule | None:
    read = (readable(one)[0] for one in stated_smiles(record.place.text))
    return next((one for one in read if one is not None), None)


def _sentences(text: str) -> Iterator[str]:
    """Those that tell of a liability that was seen: nothing planned, and nothing denied."""
    for one in split_sentences(text):
        seen = LIABILITY.search(one) and not is_planned(one) and not negated(one)
        if seen and len(one) <= LONGEST and "|" not in one:
            yield one


NO_TOOLS = History(None)
