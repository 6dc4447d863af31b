"""A hook: what is done before, during and after an agent's work, whatever the agent says (TSAssistant, 3.2).

A hook is a small class that overrides what it needs. Hooks run in the order in which an agent lists them. One
that fails stops the agent with a reason.
"""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, nullcontext

from agents.evidence.values import Evidence
from agents.minds.work import AgentResult, Task, Work


class Hook:
    """Does nothing: the base of all hooks."""

    @property
    def name(self) -> str:
        """What the hook is called when it stops an agent."""
        return type(self).__name__

    def around(self, work: Work) -> AbstractAsyncContextManager[object]:
        """Entered before everything else, and left at the end, whatever happens."""
        return nullcontext()

    async def before(self, task: Task, work: Work) -> Task:
        """The task as the agent gets it."""
        return task

    def during(self, new: Sequence[Evidence], work: Work) -> tuple[str, ...]:
        """Remarks on records that a tool just gave, for the model and the reader. The same ones each time."""
        return ()

    async def after(self, result: AgentResult, work: Work) -> AgentResult:
        """The result as it is handed over. Costly work is a step of `work.run`."""
        return result
