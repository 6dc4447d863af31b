"""`pestle model`: finds a language model on this machine, tries it, and sets it after a yes."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.connect import DONE, OPEN, tell, tell_next
from adapters.cli.progress import progress
from adapters.cli.session import console, load, run_to_end

if TYPE_CHECKING:
    from adapters.llm.near import Offer
    from adapters.llm.trial import Trial
    from adapters.model_sections import ModelSettings

NONE_SET = "No language model is set: rules answer, with the closest passages for free questions."


def model_command(
    url: Annotated[str, typer.Option(help="Base address of an OpenAI-compatible endpoint, with /v1.")] = "",
    name: Annotated[str, typer.Option(help="Model to try; without it the first that is listed.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Set it without asking, if it works.")] = False,
) -> None:
    """Find a language model, try what Pestle needs of one, and set it after a yes.

    Nothing of your archive is sent. The setting goes to pestle.toml; a key never does.
    """
    from adapters.llm.choosing import HOW, NONE_FOUND, served
    from adapters.llm.near import Offer

    settings = load()
    here = settings.model
    wanted = url or here.base_url
    if not here.base_url:
        console.print(NONE_SET, highlight=False, soft_wrap=True)
    offers = run_to_end(served(wanted))
    _list(offers, here)
    chosen = _chosen(offers, wanted, name or ("" if url else here.name))
    if chosen is None:
        tell(OPEN, f"No model answers at {_shown(wanted)}." if wanted else NONE_FOUND)
        tell_next(HOW)
        raise typer.Exit(1)
    console.tell(f"Trying {chosen.name} at {_shown(chosen.url)} …", wrap=True)
    tried = here.model_copy(update={"base_url": chosen.url, "name": chosen.name})
    if not run_to_end(_works(tried)):
        raise typer.Exit(1)
    if chosen != Offer(here.base_url, here.name):
        _set(chosen, yes)


def _shown(url: str) -> str:
    from adapters.llm.address import address_of

    return address_of(url).shown


def _list(offers: tuple[Offer, ...], here: ModelSettings) -> None:
    for offer in offers:
        mark = DONE if (offer.url, offer.name) == (here.base_url, here.name) else "·"
        tell(mark, f"{offer.name} at {_shown(offer.url)}")


def _chosen(offers: tuple[Offer, ...], url: str, name: str) -> Offer | None:
    """The model of this name, listed or not, else the first that is listed."""
    from adapters.llm.near import Offer

    named = next((offer for offer in offers if offer.name == name), None)
    if name:
        return named or (Offer(url, name) if url else None)
    return next(iter(offers), None)


async def _works(tried: ModelSettings) -> bool:
    """Try a model, and say what each trial shows; whether it can be used at all."""
    from adapters.llm.trial import trials

    shown: list[Trial] = []
    with progress(console, "trials") as begun:
        async for trial in trials(tried, begun):
            shown.append(trial)
            tell(DONE if trial.works else OPEN, str(trial))
    return shown[0].works


def _set(chosen: Offer, yes: bool) -> None:
    """Write the model to the settings file, if a person says yes. Raises `SettingsError`."""
    import os

    from adapters.llm.choosing import set_model

    if not (yes or (console.is_terminal and typer.confirm(f"Use {chosen.name} from now on?"))):
        tell_next([f"`pestle model --url {_shown(chosen.url)} --name {chosen.name} --yes` sets it."])
        return
    for mark, told in zip_longest((DONE,), set_model(chosen, os.environ), fillvalue=OPEN):
        tell(mark, told)
