"""Databases that hold candidates: one port, FASTA files that a person gives, and asking several at once."""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from agents.databases.target import Target
from agents.errors import AgentError, ToolFailed
from agents.safety.orthologs.species import Species
from agents.safety.orthologs.values import ProteinSequence

log = logging.getLogger(__name__)

SECONDS = 14.0
"""How long one database may take; the selection goes on without it then."""


class OrthologDatabase(Protocol):
    """A database of sequences of many species.

    Contract: `tests/agents/safety/orthologs/test_databases_contract.py`.
    """

    @property
    def title(self) -> str:
        """Its name for people; every sequence it gives has it as `origin`."""

    async def candidates(self, target: Target, species: Sequence[Species]) -> tuple[ProteinSequence, ...]:
        """What it holds of a target in these species, and in no others; none where it holds nothing.

        Raises `ToolFailed`, in a sentence, where it cannot be asked.
        """


@dataclass(frozen=True, slots=True)
class Gathered:
    """What several databases gave. `searched` are those that replied, `missing` says why others did not."""

    sequences: tuple[ProteinSequence, ...] = ()
    searched: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


async def gather(
    databases: Sequence[OrthologDatabase], target: Target, species: Sequence[Species]
) -> Gathered:
    """Candidates of all databases, asked side by side. One that fails leaves a sentence."""
    asked = (one.candidates(target, species) for one in databases)
    replies = await asyncio.gather(*map(_within, asked), return_exceptions=True)
    found: list[ProteinSequence] = []
    searched: list[str] = []
    missing: list[str] = []
    for database, reply in zip(databases, replies, strict=True):
        if isinstance(reply, tuple):
            found += reply
            searched.append(database.title)
        elif isinstance(reply, ToolFailed):
            missing.append(str(reply))
        elif isinstance(reply, TimeoutError):
            missing.append(f"{database.title} did not answer within {SECONDS:g} seconds.")
        elif isinstance(reply, Exception) and not isinstance(reply, AgentError):
            log.error("what %s replied cannot be read", database.title, exc_info=reply)
            missing.append(f"What {database.title} replied cannot be read ({type(reply).__name__}).")
        else:  # the run itself was stopped
            raise reply
    return Gathered(tuple(found), tuple(searched), tuple(missing))


async def _within(asked: Coroutine[Any, Any, tuple[ProteinSequence, ...]]) -> tuple[ProteinSequence, ...]:
    async with asyncio.timeout(SECONDS):
        return await asked
