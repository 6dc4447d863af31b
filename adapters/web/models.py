"""Routes by which the one person at this machine finds a language model, tries it and sets it, with the
functions of `pestle model`. Where people log in there are none: the server rules.
"""

import os
from collections.abc import AsyncIterator

from jinja2 import Environment
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from adapters.errors import SettingsError
from adapters.llm.address import address_of
from adapters.llm.choosing import HOW, NONE_FOUND, served, set_model
from adapters.llm.near import Offer
from adapters.llm.trial import trials
from adapters.model_sections import ModelSettings


class Choice(BaseModel):
    """A model as the page names it: its endpoint without a password, and its name."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str = Field("", max_length=500)
    name: str = Field("", max_length=500)


def models_routes(here: ModelSettings, jinja: Environment) -> list[Route]:
    """The routes; `here` is what is set."""
    steps = _Steps(here, jinja)
    routes = {"look": steps.look, "try": steps.attempt, "use": steps.use}
    return [Route(f"/models/{name}", step, methods=["POST"]) for name, step in routes.items()]


class _Steps:
    """What the buttons do. Only what the endpoints list is tried or set."""

    def __init__(self, here: ModelSettings, jinja: Environment) -> None:
        self._here = here
        self._jinja = jinja

    async def look(self, _: Request) -> Response:
        """The models that answer, each to be tried; without one, how to get one."""
        offers = await self._offered()
        return HTMLResponse(self._told(*(() if offers else (NONE_FOUND, *HOW)), offers=offers))

    async def attempt(self, request: Request) -> Response:
        """The trials of a model, each as it ends, and the question whether to set it."""
        choice, offer = await self._chosen(request)
        return StreamingResponse(self._trials(choice, offer), media_type="text/html")

    async def _trials(self, choice: Choice, offer: Offer) -> AsyncIterator[str]:
        tried = self._here.model_copy(update={"base_url": offer.url, "name": offer.name})
        yield self._told(f"Trying {offer.name}: this may take some minutes.")
        works: list[bool] = []
        async for trial in trials(tried, lambda *_: None):
            works.append(trial.works)
            yield self._told(str(trial))
        yield self._told(works=choice) if works[0] else self._told("It cannot be used.")

    async def use(self, request: Request) -> Response:
        """Write a model to the settings."""
        _, offer = await self._chosen(request)
        lines = set_model(offer, os.environ)
        return HTMLResponse(self._told(*lines, "It answers once Pestle is started again."))

    async def _offered(self) -> dict[Choice, Offer]:
        offers = await served(self._here.base_url)
        return {Choice(url=address_of(one.url).shown, name=one.name): one for one in offers}

    async def _chosen(self, request: Request) -> tuple[Choice, Offer]:
        """What the page names, if it still answers. Raises `SettingsError`."""
        choice = Choice.model_validate_json(await request.body())
        if offer := (await self._offered()).get(choice):
            return choice, offer
        raise SettingsError("This model does not answer any more: look again.")

    def _told(self, *lines: str, **values: object) -> str:
        return self._jinja.get_template("models.html").render(lines=lines, **values)


async def not_set(_: Request, error: Exception) -> Response:
    """Why a model was neither tried nor set."""
    return PlainTextResponse(str(error), 409)
