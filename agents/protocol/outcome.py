"""The output of a protocol run."""

from dataclasses import dataclass

from agents.protocol.lab.results import TaskResult
from agents.protocol.values import ExperimentReport, Order, Protocol, Search
from agents.reports.values import Section
from agents.runs.artefacts import Artefact


@dataclass(frozen=True, slots=True)
class ProtocolOutcome:
    """What a run made. `results` are those of the tasks that were carried out, `repeat` a notebook and a
    bundle of them. `refused` says why nothing was made; `written` is the section that a run wrote anew.
    """

    order: Order
    search: Search = Search()
    reports: tuple[ExperimentReport, ...] = ()
    protocol: Protocol = Protocol()
    results: tuple[TaskResult, ...] = ()
    repeat: tuple[Artefact, ...] = ()
    notes: tuple[str, ...] = ()
    refused: str = ""
    written: Section | None = None
    partial: str = ""

    def result(self, task: str) -> TaskResult | None:
        """What came of a task; None if it was not carried out."""
        return next((one for one in self.results if one.task == task), None)
