"""Routes of a run: its trace, and its answer as a file."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from adapters.export import FORMATS, exported
from adapters.uploads import stored_name
from adapters.web.login import asker
from adapters.web.searches import searches
from adapters.web.sheet import sheet
from adapters.web.threads import short_title
from agents.evidence.looked import Looked
from agents.ports import Artefacts, Ledger
from agents.runs.records import RunRecord, StepRecord
from agents.runs.tree import StepNode, total, tree
from bot.rights import PAGE
from bot.views import Views
from retrieval.ports import Index

GONE = "This run is not known here any more."


def traces_routes(
    ledger: Ledger, views: Views, index: Index, jinja: Environment, artefacts: Artefacts
) -> list[Route]:
    """The routes."""
    room = Traces(ledger, views, index, jinja, artefacts)
    return [Route("/runs/{run_id}", room.trace), Route("/runs/{run_id}/export.{format}", room.export)]


@dataclass(frozen=True, slots=True)
class StepLine:
    """A step in the tree. `share` is its part of the longest step's time, in per cent."""

    step: StepRecord
    depth: int
    share: float


@dataclass(frozen=True, slots=True)
class Traces:
    """What the page shows of a run."""

    ledger: Ledger
    views: Views
    index: Index
    jinja: Environment
    artefacts: Artefacts

    async def trace(self, request: Request) -> Response:
        """What was looked at, kept and refused; steps with time and cost; the append-only events."""
        record = await self.ledger.run(request.path_params["run_id"])
        if record is None:
            return PlainTextResponse(GONE, 404)
        steps = await self.ledger.steps(record.run_id)
        nodes = tree(steps)
        return sheet(
            request,
            self.jinja,
            "trace.html",
            f"Trace of run {record.run_id}",
            run=record,
            seconds=sum(node.step.seconds for node in nodes),
            spent=total(nodes),
            lines=lines(nodes, max((step.seconds for step in steps), default=0.0) or 1.0),
            searches=await searches(await self._looked(record, steps), self.index),
            events=await self.ledger.events(record.run_id),
        )

    async def _looked(self, record: RunRecord, steps: Sequence[StepRecord]) -> tuple[Looked, ...]:
        """As the run's kind tells it; nothing of a kind that is not known here."""
        kinds = self.views.kinds
        return kinds[record.pipeline].looked(steps) if record.pipeline in kinds else ()

    async def export(self, request: Request) -> Response:
        """The report of a run as a file."""
        run_id, form = request.path_params["run_id"], request.path_params["format"]
        record = await self.ledger.run(run_id)
        view = await self.views.of(record) if record else None
        if view is None or view.history is None or form not in FORMATS:
            return PlainTextResponse(
                "There is no such file: the run has no result yet, or is not known.", 404
            )
        name = quote(f"{stored_name(short_title(view.asked))[:60]} {view.record.created[:10]}.{form}")
        headers = {"content-disposition": f"attachment; filename*=UTF-8''{name}"}
        data = await exported(view, form, self.ledger, self.artefacts, f"{PAGE}:{asker(request)}")
        return Response(data, media_type=FORMATS[form], headers=headers)


def lines(nodes: Sequence[StepNode], longest: float, depth: int = 0) -> list[StepLine]:
    """The tree as a list, each step followed by those inside it."""
    found: list[StepLine] = []
    for node in nodes:
        found.append(StepLine(node.step, depth, round(100 * node.step.seconds / longest, 1)))
        found += lines(node.inside, longest, depth + 1)
    return found
