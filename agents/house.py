"""What the house lends to its kinds of runs: the ports that a process has opened."""

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from agents.databases.ports import Reach
from agents.evidence.sources import Sources
from agents.ports import Entailment, LanguageModel, Sandbox
from agents.tools.toolset import Toolset

if TYPE_CHECKING:  # the bot reads kinds and needs none of the libraries behind these ports
    from agents.chemistry.wording import Wording
    from agents.databases.labels import Labels
    from retrieval.ports import Encoder, Index, Reranker, Retriever


class House(Protocol):
    """The ports of a process. Each is opened when it is first read, so that a kind pays for what it uses."""

    @property
    def index(self) -> "Index":
        """The archive's documents."""

    @property
    def encoder(self) -> "Encoder":
        """Vectors of texts."""

    @property
    def wording(self) -> "Wording":
        """Judges what is asked for in words; what it learnt serves all kinds."""

    @property
    def retriever(self) -> "Retriever":
        """Searches the archive."""

    @property
    def reranker(self) -> "Reranker":
        """Orders what was found by relevance."""

    @property
    def model(self) -> LanguageModel | None:
        """The language model; None where none is set, and rules work alone."""

    @property
    def entailment(self) -> Entailment:
        """Judges whether evidence carries a claim."""

    async def toolset(self) -> Toolset:
        """The tools of all kinds and of other MCP servers. What they fetch is kept in `sources`."""

    @property
    def skills(self) -> Path | None:
        """The folder in which experts lay their own guidance over that of the kinds; None for none."""

    @property
    def reach(self) -> Reach:
        """How public databases are reached: loaded files, and the network where that is set."""

    @property
    def labels(self) -> "Labels":
        """Drug labels, in an index apart from the archive's."""

    @property
    def sources(self) -> Sources:
        """Evidence that is no document: replies of tools, and what people gave."""

    @property
    def literature(self) -> Path | None:
        """The folder of articles and tables of data for protocols; None for none."""

    @property
    def oracle(self) -> Path | None:
        """The file of what predicts the activity of designed molecules; None for none."""

    @property
    def oracle_calls(self) -> int:
        """Molecules that one design may have scored."""

    @property
    def sandbox(self) -> Sandbox:
        """Runs programs; where none can run it refuses, and says what to install."""
