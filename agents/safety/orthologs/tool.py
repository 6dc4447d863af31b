"""Ortholog selection as a tool: of a target, from the databases.

A sequence is named by its accession and never written out, so that no model can change one (paper 4.2.1).
"""

import asyncio
from collections.abc import Sequence

from pydantic import Field

from agents.databases.facts import Facts, Topic
from agents.databases.ports import Reach
from agents.databases.target import Target
from agents.databases.target_tool import TargetArguments, TargetFindings, not_asked
from agents.databases.targets import Targets
from agents.errors import ToolFailed, ToolRetry
from agents.safety.orthologs.databases import OrthologDatabase, gather
from agents.safety.orthologs.decisions import Decisions, read_decisions
from agents.safety.orthologs.fasta import read_fasta
from agents.safety.orthologs.homology import TITLE, homology_facts
from agents.safety.orthologs.live import human_sequences, live_databases
from agents.safety.orthologs.select import select
from agents.safety.orthologs.species import human, preclinical
from agents.safety.orthologs.values import ProteinSequence, SequenceError
from agents.tools.reply import ToolReply
from agents.tools.tool import Tool
from agents.tools.toolset import Toolset

ABOUT_SPECIES = "common or scientific names; empty: the preclinical species"
ABOUT_CHOOSE = "sequences to take whatever speaks against them: SPECIES=ACCESSION"
ABOUT_ACCEPT = "species of which it is accepted that they have no ortholog"
OFFLINE = "Ortholog selection was not done: sequences are got over the network, which is not used."


class SelectArguments(TargetArguments):
    """A target, the species to compare, and what a person decided."""

    species: tuple[str, ...] = Field((), description=ABOUT_SPECIES, max_length=40)
    choose: tuple[str, ...] = Field((), description=ABOUT_CHOOSE, max_length=40)
    accept_exclusion: tuple[str, ...] = Field((), description=ABOUT_ACCEPT, max_length=40)


def ortholog_tools(reach: Reach, targets: Targets | None = None) -> Toolset:
    """The tool in a set of its own; `targets` is the resolver that it shares with others."""
    return Toolset("orthologs", (orthologs_tool(reach, targets or Targets(reach)),))


def orthologs_tool(reach: Reach, targets: Targets) -> Tool[SelectArguments]:
    """The tool that asks the databases over the network; without one it says so."""

    async def work(arguments: SelectArguments) -> ToolReply:
        target, note = await targets.one(arguments.target)
        if (web := reach.web) is None:
            return not_asked(OFFLINE).reply(target.symbol, note)
        try:
            asked = read_decisions(arguments.species, arguments.choose, arguments.accept_exclusion)
            humans = await human_sequences(web, target)
            told = await selected(live_databases(web), target, humans, asked)
        except SequenceError as error:
            raise ToolRetry(str(error)) from error
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
        output=Facts,
        topics=(Topic.HOMOLOGY,),
    )


def sequences_tool(name: str, title: str, fasta: str) -> Tool[TargetArguments]:
    """The tool that selects among the sequences that a person gave: the human one, and those of the
    preclinical species in the text, or of what other species it has. `name` is that of given sources: what
    they tell is told first.
    """

    async def work(arguments: TargetArguments) -> ToolReply:
        try:
            given = read_fasta(fasta, title)
            told = tuple(dict.fromkeys(one.species for one in given if one.species != human()))
            species = tuple(one for one in preclinical() if one in told) or told
            selection = await asyncio.to_thread(select, given, given, species, searched=(title,))
        except SequenceError as error:
            raise ToolRetry(str(error)) from error
        return homology_facts(selection, arguments.target).reply(arguments.target, "")

    return Tool(
        name=name,
        description="Orthologs among sequences that a person gave, by the rules of `select_orthologs`.",
        inputs=TargetArguments,
        work=work,
        source=title,
        output=Facts,
        topics=(Topic.HOMOLOGY,),
    )


async def selected(
    databases: Sequence[OrthologDatabase], target: Target, humans: Sequence[ProteinSequence], asked: Decisions
) -> TargetFindings:
    """The selection over several databases, as facts. Raises `ToolFailed` where none of them replied, and
    `SequenceError` as `select`.
    """
    wanted = asked.species or preclinical()
    found = await gather(databases, target, wanted)
    if not found.searched:
        raise ToolFailed(" ".join(found.missing) or "No database of orthologs is there to be asked.")
    pool, overrides = found.sequences, asked.overrides
    selection = await asyncio.to_thread(
        select, humans, pool, wanted, overrides=overrides, searched=found.searched
    )
    return homology_facts(selection, target.symbol, missing=found.missing)
