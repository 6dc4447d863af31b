"""Route of the questions that may be asked after an answer."""

from collections.abc import Awaitable, Callable

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from agents.ports import Ledger
from agents.runs.records import RunRecord
from bot.views import Views

SHOWN = 3

Suggest = Callable[[RunRecord], Awaitable[tuple[str, ...]]]
"""Questions that the archive answers, after a run."""


async def nothing(record: RunRecord) -> tuple[str, ...]:
    """No question."""
    return ()


def next_routes(suggest: Suggest, ledger: Ledger, views: Views, jinja: Environment) -> list[Route]:
    """The routes."""

    async def offered(request: Request) -> Response:
        """Buttons with questions that were not asked in the thread of the run; nothing if there are none."""
        record = await ledger.run(request.path_params["run_id"])
        if record is None:
            return HTMLResponse("")
        earlier = await views.all(await ledger.runs(limit=50, thread_id=record.thread_id))
        asked = {_plain(view.asked) for view in earlier}
        questions = [one for one in await suggest(record) if _plain(one) not in asked][:SHOWN]
        return HTMLResponse(jinja.get_template("next.html").render(questions=questions) if questions else "")

    return [Route("/runs/{run_id}/next", offered)]


def _plain(question: str) -> str:
    return " ".join(question.casefold().rstrip("?. ").split())
