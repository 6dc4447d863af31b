"""Ortholog selection as tools: of a target, from the databases; and among sequences that are given.

A sequence is named by its accession and never written out, so that no model can change one (paper 4.2.1).
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from pydantic import Field

from agents.databases.facts import Facts, Topic
from agents.databases.ports import Reach
from agents.databases.target import Target
from agents.databases.target_tool import TargetArguments, Told, not_asked
from agents.databases.targets import Targets
from agents.errors import ToolFailed, ToolRetry
from agents.safety.orthologs.databases import Gathered, OrthologDatabase, gather, gather_similar
from agents.safety.orthologs.decisions import Decisions, read_decisions
from agents.safety.orthologs.fasta import MOST_CHARACTERS, read_fasta
from agents.safety.orthologs.homology import TITLE, homology_facts
from agents.safety.orthologs.live import human_sequences, live_databases
from agents.safety.orthologs.select import select
from agents.safety.orthologs.species import Species, preclinical
from agents.safety.orthologs.values import (
    OrthologVerdict,
    Overrides,
    ProteinSequence,
    Selection,
    SequenceError,
)
from agents.tools.reply import ToolReply
from agents.tools.tool import Arguments, Cost, Tool
from agents.tools.toolset import Toolset

ABOUT_SPECIES = "common or scientific names; empty: the preclinical species"
ABOUT_CHOOSE = "sequences to take whatever speaks against them: SPECIES=ACCESSION or SPECIES=ACCESSION:1-420"
ABOUT_ACCEPT = "species of which it is accepted that they have no ortholog"
OFFLINE = "Ortholog selection was not done: sequences are got over the network, which is not used."


class SelectArguments(TargetArguments):
    """A target, the species to compare, and what a person decided."""

    species: tuple[str, ...] = Field((), description=ABOUT_SPECIES, max_length=40)
    choose: tuple[str, ...] = Field((), description=ABOUT_CHOOSE, max_length=40)
    accept_exclusion: tuple[str, ...] = Field((), description=ABOUT_ACCEPT, max_length=40)


class FastaArguments(Arguments):
    """Sequences in FASTA, the species to compare, and what a person decided."""

    human: str = Field(description="FASTA with the canonical human sequence", max_length=200_000)
    candidates: str = Field(description="FASTA with the candidates", max_length=MOST_CHARACTERS)
    species: tuple[str, ...] = Field((), description=ABOUT_SPECIES, max_length=40)
    choose: tuple[str, ...] = Field((), description=ABOUT_CHOOSE, max_length=40)
    accept_exclusion: tuple[str, ...] = Field((), description=ABOUT_ACCEPT, max_length=40)


def ortholog_tools(reach: Reach, targets: Targets | None = None) -> Toolset:
    """Both tools; `targets` is the resolver that they share with others."""
    return Toolset("orthologs", (orthologs_tool(reach, targets or Targets(reach)), fasta_tool()))


def orthologs_tool(reach: Reach, targets: Targets) -> Tool[SelectArguments]:
    """The tool that asks the databases over the network; without one it says so."""

    async def work(arguments: SelectArguments) -> ToolReply:
        target, note = await targets.one(arguments.target)
        if (web := reach.web) is None:
            return not_asked(OFFLINE).reply(target.symbol, note)
        asked = _decisions(arguments)
        humans = await human_sequences(web, target)
        told = await selected(live_databases(web), target, humans, asked)
        return told.reply(target.symbol, note)

    return Tool(
        name="select_orthologs",
        description=(
            "For each preclinical species the protein sequence that stands for a target: identity with"
            " the human one, why this one, each other candidate and what speaks against it, excluded species."
        ),
        inputs=SelectArguments,
        work=work,
        source=TITLE,
        cost=Cost.CHEAP,
        output=Facts,
        topics=(Topic.HOMOLOGY,),
    )


def fasta_tool() -> Tool[FastaArguments]:
    """The tool that selects among sequences that are given."""

    async def work(arguments: FastaArguments) -> ToolReply:
        asked = _decisions(arguments)
        try:
            humans = read_fasta(arguments.human, "human FASTA")
            given = read_fasta(arguments.candidates, "candidates FASTA")
            selection = await asyncio.to_thread(
                select, humans, given, asked.species, overrides=asked.overrides
            )
        except SequenceError as error:
            raise ToolRetry(str(error)) from error
        symbol = selection.human.gene or selection.human.accession
        return homology_facts(selection, symbol).reply(symbol)

    return Tool(
        name="select_orthologs_in_fasta",
        description="The ortholog of each species among protein sequences in FASTA, with reasons.",
        inputs=FastaArguments,
        work=work,
        source=TITLE,
        cost=Cost.CHEAP,
        output=Facts,
        topics=(Topic.HOMOLOGY,),
    )


async def selected(
    databases: Sequence[OrthologDatabase], target: Target, humans: Sequence[ProteinSequence], asked: Decisions
) -> Told:
    """Both passes over several databases, as facts. Raises `ToolFailed` where none of them replied."""
    wanted = asked.species or preclinical()
    first = await gather(databases, target, wanted)
    if not first.searched:
        raise ToolFailed(" ".join(first.missing) or "No database of orthologs is there to be asked.")
    selection = await asyncio.to_thread(_select, humans, first, wanted, asked.overrides)
    lacking = tuple(one.species for one in selection.choices if one.verdict is OrthologVerdict.EXCLUDED)
    missing = first.missing
    if lacking:
        second = await gather_similar(databases, selection.human, lacking)
        missing = tuple(dict.fromkeys((*missing, *second.missing)))
        more = tuple(one for one in second.sequences if one not in first.sequences)
        if more:
            both = replace(first, sequences=(*first.sequences, *more))
            selection = await asyncio.to_thread(_select, humans, both, wanted, asked.overrides)
    return homology_facts(selection, target.symbol, missing=missing)


def _select(
    humans: Sequence[ProteinSequence], found: Gathered, species: Sequence[Species], overrides: Overrides
) -> Selection:
    try:
        return select(humans, found.sequences, species, overrides=overrides, searched=found.searched)
    except SequenceError as error:
        raise ToolRetry(str(error)) from error


def _decisions(arguments: SelectArguments | FastaArguments) -> Decisions:
    try:
        return read_decisions(arguments.species, arguments.choose, arguments.accept_exclusion)
    except SequenceError as error:
        raise ToolRetry(str(error)) from error
