"""What a process lends to its kinds of runs, opened piece by piece when it is first read."""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from agents.databases.labels import Labels
from agents.databases.ports import Reach, Web
from agents.evidence.sources import Sources
from agents.ports import Entailment, LanguageModel, Sandbox
from agents.tools.toolset import Toolset
from agents.trust.entail import ModelEntailment
from agents.trust.lexical import LexicalEntailment
from retrieval.ports import Index, Reranker, Retriever
from retrieval.search import HybridRetriever

if TYPE_CHECKING:
    from adapters.wiring import Runtime
    from agents.databases.label_store import LabelStore


class OpenHouse:
    """Implements `agents.house.House` over a runtime."""

    def __init__(self, runtime: "Runtime") -> None:
        self._runtime = runtime

    @property
    def index(self) -> Index:
        """See the port. Raises `IndexDamaged`."""
        return self._runtime.index

    @cached_property
    def retriever(self) -> Retriever:
        """See the port."""
        built = self._runtime
        return HybridRetriever(built.index, built.encoder)

    @property
    def reranker(self) -> Reranker:
        """See the port."""
        return self._runtime.reranker

    @property
    def model(self) -> LanguageModel | None:
        """See the port."""
        return self._runtime.model

    @cached_property
    def entailment(self) -> Entailment:
        """See the port: asks the language model where there is one."""
        model = self._runtime.model
        return ModelEntailment(model) if model else LexicalEntailment()

    async def toolset(self) -> Toolset:
        """See the port."""
        return await self._runtime.toolset()

    @property
    def skills(self) -> Path | None:
        """See the port."""
        return self._runtime.settings.home / "skills"

    @property
    def reach(self) -> Reach:
        """See the port. Raises `SettingsError`."""
        return self._runtime.reach

    @cached_property
    def labels(self) -> Labels:
        """See the port. Raises as `index`, and `SettingsError`."""
        return self.labels_over(self.reach.web)

    def labels_over(self, web: Web | None) -> "LabelStore":
        """The labels, with this way to the network or, with None, those alone that are loaded."""
        from agents.databases.label_store import LabelStore

        built = self._runtime
        retriever = HybridRetriever(built.label_index, built.encoder)
        return LabelStore(built.label_index, retriever, web)

    @property
    def sources(self) -> Sources:
        """See the port."""
        return self._runtime.sources

    @cached_property
    def sandbox(self) -> Sandbox:
        """See the port."""
        from adapters.sandbox import open_sandbox

        return open_sandbox(self._runtime.settings.sandbox)
