"""What is finished of an answer, for a run that ends early.

The partial answer is made by the rules alone, and only when the run does end early: it costs no model call.
"""

from collections.abc import Sequence
from dataclasses import replace

from agents.archive import replies
from agents.archive.answer import Answer, Question
from agents.archive.compose import compose
from agents.archive.investigate import TypedDraft
from agents.archive.supervise import supervise
from agents.archive.tools import ArchiveTools
from agents.archive.values import Classification, GeneralDraft, Merged
from agents.trust.lexical import LexicalEntailment


class SoFar:
    """Collects what the steps of an archive run give, and makes the partial answer of it."""

    def __init__(self, tools: ArchiveTools, question: Question) -> None:
        self.question = question
        self.classification: Classification | None = None
        self._tools = replace(tools, model=None, entailment=LexicalEntailment())
        self._drafts: dict[tuple[str, str], TypedDraft] = {}
        self._general: GeneralDraft | None = None
        self._merged: Merged | None = None

    def add(self, drafts: Sequence[TypedDraft]) -> None:
        """Research of question types; what a model made of one takes the place of what rules did."""
        self._drafts |= {draft.part: draft for draft in drafts}

    def add_general(self, draft: GeneralDraft) -> None:
        """Research of a general question."""
        self._general = draft

    def merge(self, merged: Merged) -> None:
        """What the supervisor made of all research."""
        self._merged = merged

    async def answer(self) -> Answer:
        """The partial answer."""
        merged = self._merged or await self._supervised()
        if merged is None or self.classification is None:
            return replies.nothing_yet(self.question)
        return compose(self._tools.library, self.question, self.classification, merged, (), ())

    async def _supervised(self) -> Merged | None:
        """The supervisor's work on the research that is finished; None if that found nothing."""
        drafts = tuple(self._drafts.values())
        general = self._general
        near = general is not None and (general.draft.present or general.draft.closest)
        if not near and not any(item.draft.present for item in drafts):
            return None
        return await supervise(self._tools, self.question.text, drafts, general)
