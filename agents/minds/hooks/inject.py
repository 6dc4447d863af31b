"""Gives an agent what those before it found, compressed."""

from collections.abc import Mapping

from agents.data_block import data_block
from agents.minds.hooks.hook import Hook
from agents.minds.work import Summary, Task, Work


class Inject(Hook):
    """Puts summaries, by the title of the work they are of, before the task. An empty one says so."""

    def __init__(self, summaries: Mapping[str, Summary]) -> None:
        self._summaries = summaries

    async def before(self, task: Task, work: Work) -> Task:
        """The task with what was found before, as data."""
        found = (
            data_block(summary.text or "No findings.", kind="finding", of=title)
            for title, summary in self._summaries.items()
        )
        return Task(task.text, (*task.given, *found))
