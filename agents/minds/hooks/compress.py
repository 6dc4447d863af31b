"""Shortens what an agent found, for those who work on with it."""

from dataclasses import replace
from functools import partial

from agents.minds.compression import compress
from agents.minds.hooks.hook import Hook
from agents.minds.minded import fallback_note
from agents.minds.work import AgentResult, Work


class Compress(Hook):
    """Adds a summary of the claims that may be shown. List it after `CitationCheck`."""

    async def after(self, result: AgentResult, work: Work) -> AgentResult:
        """The result with its summary; the work is a step of the run."""
        shorten = partial(compress, work.ports.model)
        made = await work.run.step(f"{work.agent}/compress", shorten, result.shown, work.memory.dump())
        note = fallback_note(f"the summary of {work.agent}", made.why_fallen_back)
        return replace(result, summary=made.value).noted(note)
