"""Routes of the questions to begin with, and of those that may be asked after an answer."""

from collections.abc import Awaitable, Callable, Sequence

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from agents.ports import Ledger
from agents.runs.records import RunRecord
from bot.intake import Starters
from bot.views import Views

SHOWN = 3

Suggest = Callable[[RunRecord], Awaitable[tuple[str, ...]]]
"""Questions that the archive answers, after a run."""


async def nothing(record: RunRecord | None = None) -> tuple[str, ...]:
    """No question."""
    return ()


def next_routes(
    starters: Starters, suggest: Suggest, ledger: Ledger, views: Views, jinja: Environment
) -> list[Route]:
    """The routes."""

    def shown(title: str, questions: Sequence[str]) -> Response:
        made = jinja.get_template("next.html").render(title=title, questions=questions)
        return HTMLResponse(made if questions else "")

    async def begun(request: Request) -> Response:
        """Buttons with questions to begin with."""
        return shown("", await starters())

    async def offered(request: Request) -> Response:
        """Buttons with questions that were not asked in the thread of the run; nothing if there are none."""
        record = await ledger.run(request.path_params["run_id"])
        if record is None:
            return HTMLResponse("")
        earlier = await views.all(await ledger.runs(limit=50, thread_id=record.thread_id))
        asked = {_plain(view.asked) for view in earlier}
        questions = [one for one in await suggest(record) if _plain(one) not in asked][:SHOWN]
        return shown("Ask next", questions)

    return [Route("/starters", begun), Route("/runs/{run_id}/next", offered)]


def _plain(question: str) -> str:
    return " ".join(question.casefold().rstrip("?. ").split())
