"""`pestle model`: finds a language model on this machine, tries it, and sets it after a yes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.connect import DONE, OPEN, tell, tell_next
from adapters.cli.progress import progress
from adapters.cli.session import console, load, run_to_end
from adapters.errors import SettingsError

if TYPE_CHECKING:
    from adapters.llm.near import Offer
    from adapters.llm.trial import Trial
    from adapters.model_sections import ModelSettings

NONE_SET = "No language model is set: rules answer, with the closest passages for free questions."
NONE_FOUND = "No model answers at the usual ports of Ollama, LM Studio, llama.cpp and vLLM on this machine."
HOW = (
    "Start one, for example `ollama run qwen3:8b`, then `pestle model` again.",
    "Or name another endpoint of the OpenAI API: `pestle model --url https://llm.example/v1 --name NAME`; "
    "its key is read from PESTLE_MODEL_API_KEY.",
)


def model_command(
    url: Annotated[str, typer.Option(help="Base address of an OpenAI-compatible endpoint, with /v1.")] = "",
    name: Annotated[str, typer.Option(help="Model to try; without it the first that is listed.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Set it without asking, if it works.")] = False,
) -> None:
    """Find a language model, try what Pestle needs of one, and set it after a yes.

    Nothing of your archive is sent. The setting goes to pestle.toml; a key never does.
    """
    from adapters.llm.near import FAR_S, LOCAL, LOCAL_S, Offer, all_offered

    settings = load()
    here = settings.model
    wanted = url or here.base_url
    if not here.base_url:
        console.print(NONE_SET, highlight=False, soft_wrap=True)
    offers = run_to_end(all_offered((wanted,) if wanted else LOCAL, FAR_S if wanted else LOCAL_S))
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
    from adapters.llm.trial import TOOLS, trials

    shown: list[Trial] = []
    with progress(console, "trials") as begun:
        async for trial in trials(tried, begun):
            shown.append(trial)
            if trial.works:
                tell(DONE, f"{trial.ability}: {trial.told}")
            else:
                tell(OPEN, f"Not shown: {trial.ability}. {trial.told}")
    if any(trial.ability == TOOLS and not trial.works for trial in shown):
        console.print(
            "Without tools, free questions are asked in plain JSON, which is less sure.", highlight=False
        )
    return shown[0].works


def _set(chosen: Offer, yes: bool) -> None:
    """Write the model to the settings file, if a person says yes. Raises `SettingsError`."""
    import os

    from adapters.settings import file_of

    if not (yes or (console.is_terminal and typer.confirm(f"Use {chosen.name} from now on?"))):
        tell_next([f"`pestle model --url {_shown(chosen.url)} --name {chosen.name} --yes` sets it."])
        return
    file = file_of(os.environ)
    write_model(file, chosen.url, chosen.name)
    tell(DONE, f"Set in {file}. To undo it, take base_url and name out of its section [model].")
    for variable in ("PESTLE_MODEL_BASE_URL", "PESTLE_MODEL_NAME"):
        if variable in os.environ:
            tell(OPEN, f"{variable} is set in this shell and wins over the file.")


def write_model(file: Path, url: str, name: str) -> None:
    """Set `base_url` and `name` of `[model]`; all else in the file, comments too, stays.

    Raises `SettingsError` for a file that cannot be read or written.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        text = file.read_text("utf-8") if file.exists() else ""
        document = tomlkit.parse(text)
        section = document.setdefault("model", tomlkit.table())
        section["base_url"], section["name"] = url, name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(tomlkit.dumps(document), "utf-8")
    except (OSError, UnicodeDecodeError, TOMLKitError, TypeError) as error:
        raise SettingsError(f"The settings file {file} cannot be written: {error}.") from error
