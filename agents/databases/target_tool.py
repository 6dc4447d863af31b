"""A tool about one target: its name is resolved, the database asked, and what goes wrong told in a sentence.

async def mouse_phenotypes(reach: Reach, target: Target) -> TargetFindings: ...

mgi_tool = TargetTool("mouse_phenotypes", MGI, mouse_phenotypes, (Topic.PHENOTYPE,))

What a model is told of a tool stands in `target_tools.toml`.
"""

import logging
import tomllib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from agents.databases.database import Database
from agents.databases.facts import Fact, Facts, Response, Topic
from agents.databases.ports import Reach
from agents.databases.target import Target
from agents.databases.targets import Targets
from agents.errors import AgentError, ToolFailed
from agents.evidence.sources import Source
from agents.tools.reply import ToolRecord, ToolReply
from agents.tools.tool import Arguments, Tool

log = logging.getLogger(__name__)
DESCRIPTIONS = tomllib.loads(Path(__file__).with_name("target_tools.toml").read_text(encoding="utf-8"))


class TargetArguments(Arguments):
    """A target."""

    target: str = Field(
        description="gene symbol or alias, Ensembl or NCBI gene id, or UniProt accession of a human target",
        min_length=1,
        max_length=100,
    )


@dataclass(frozen=True, slots=True)
class TargetFindings:
    """What a database tells of a target.

    `facts` refer to `records` by their place. `missing` are sentences on what could not be told, also
    that the database holds nothing on the target; `answer` then says which it is.
    """

    records: tuple[Source, ...] = ()
    facts: tuple[Fact, ...] = ()
    missing: tuple[str, ...] = ()
    summary: str = ""
    answer: Response | None = None

    def reply(self, target: str, resolved: str = "") -> ToolReply:
        """The reply of a tool. `resolved` is a note on how the name was understood."""
        data = Facts(target=target, facts=self.facts, missing=self.missing, answer=self.answer)
        note = " ".join(filter(None, (resolved, *self.missing)))
        records = tuple(map(ToolRecord, self.records))
        return ToolReply(records, self.summary, note, data.model_dump(mode="json"))


Ask = Callable[[Reach, Target], Awaitable[TargetFindings]]


@dataclass(frozen=True, slots=True)
class TargetTool:
    """A tool about one target. Called with a reach and a resolver of names, it gives the tool over them.

    `ask` asks the database of the resolved target; `topics` are those of its facts. An error of `ask` that is
    none of the house means that a reply or a file was not as expected: the reader is told which database it
    was, and the log holds the rest.
    """

    name: str
    database: Database
    ask: Ask
    topics: tuple[Topic, ...]

    def __call__(self, reach: Reach, targets: Targets) -> Tool[TargetArguments]:
        """The tool."""

        async def work(asked: TargetArguments) -> ToolReply:
            target, note = await targets.one(asked.target)
            return (await self._asked(reach, target)).reply(target.symbol, note)

        loaded = reach.bulk.release(self.database.name)
        return Tool(
            name=self.name,
            description=DESCRIPTIONS[self.name],
            inputs=TargetArguments,
            work=work,
            source=self.database.title,
            release="" if loaded is None else loaded.release,
            output=Facts,
            topics=self.topics,
        )

    async def _asked(self, reach: Reach, target: Target) -> TargetFindings:
        title, symbol = self.database.title, target.symbol
        try:
            return await self.ask(reach, target)
        except AgentError:
            raise
        except Exception as error:
            log.exception("%s: what %s says of %s cannot be read", self.name, title, symbol)
            raise ToolFailed(
                f"What {title} says of {symbol} cannot be read ({type(error).__name__}): it is not as it "
                "used to be."
            ) from error


def unasked(database: Database) -> TargetFindings:
    """What is told where nothing is loaded and the network is not to be used."""
    why = "no file is loaded, and " if database.formats else ""
    return not_asked(f"{database.title} was not asked: {why}the network is not used.")


def not_asked(why: str) -> TargetFindings:
    """What is told where a database was not asked, in a sentence."""
    return TargetFindings(missing=(why,), answer=Response.NOT_ASKED)
