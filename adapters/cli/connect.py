"""`pestle connect PLATFORM`: makes the app of a chat platform, checks it, and says hello there.

The frame is shared: steps are told with a mark each, and the command ends with what to do next.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from adapters.cli.session import console, load, run_to_end
from adapters.errors import SettingsError

if TYPE_CHECKING:
    from adapters.settings import Settings

DONE, OPEN = "✓", "○"


def register(app: typer.Typer) -> None:
    """Add the commands."""
    connect = typer.Typer(
        help="Connect a chat platform: make its app, check it, say hello.", no_args_is_help=True
    )
    from adapters.cli.connect_teams import teams_command

    connect.command("slack")(slack_command)
    connect.command("teams")(teams_command)
    app.add_typer(connect, name="connect")


def tell(mark: str, text: str) -> None:
    """One step, done or open."""
    console.tell(f"{mark} {text}")


def tell_next(steps: Sequence[str]) -> None:
    """What to do next, numbered."""
    if steps:
        console.print("\nNext:", highlight=False)
    for number, step in enumerate(steps, start=1):
        console.tell(f"{number}. {step}")


def https(address: str) -> str:
    """An address without its path, as Slack and Teams want it. Raises `SettingsError`."""
    parts = urlsplit(address)
    if parts.scheme != "https" or not parts.hostname:
        raise SettingsError(
            f"{address} is no https address. Name where the bot is reached: https://pestle.example."
        )
    return f"https://{parts.netloc}"


def slack_command(
    url: Annotated[
        str, typer.Option(help="Where Slack reaches the bot, https://…; without it Socket Mode is used.")
    ] = "",
    manifest: Annotated[
        Path | None, typer.Option(help="Write the app's manifest to this file; `-` prints it.")
    ] = None,
    channel: Annotated[str, typer.Option(help="Say hello in this channel (#name or id).")] = "",
) -> None:
    """Connect Slack: print the app's manifest, check tokens and rights, say hello in a channel."""
    settings = load()
    address = https(url) if url else ""
    if manifest is not None:
        _write(manifest, address)
    if not settings.slack.bot_token.get_secret_value():
        tell(OPEN, "No bot token yet (PESTLE_SLACK_BOT_TOKEN).")
        return tell_next(_steps(address, manifest))
    return run_to_end(_checked(settings, channel, address))


def _write(place: Path, address: str) -> None:
    from adapters.slack.manifest import manifest

    text = json.dumps(manifest(address), indent=2)
    if str(place) == "-":
        print(text)
        return
    place.write_text(text + "\n", encoding="utf-8")
    tell(DONE, f"The manifest is in {place}.")


def _steps(address: str, place: Path | None) -> list[str]:
    """From nothing to a token."""
    options = f" --url {address}" if address else ""
    made = [] if place else [f"Write the manifest: `pestle connect slack{options} --manifest slack.json`."]
    app_token = [
        "Under “Basic Information”, make an app-level token with the scope connections:write, and set it as "
        "PESTLE_SLACK_APP_TOKEN."
    ]
    secret = ["Under “Basic Information”, copy the signing secret to PESTLE_SLACK_SIGNING_SECRET."]
    return [
        *made,
        "Open https://api.slack.com/apps, take “Create New App”, “From a manifest”, and paste it.",
        "Take “Install to Workspace”, and copy the bot token (xoxb-…) to PESTLE_SLACK_BOT_TOKEN.",
        *(secret if address else app_token),
        "Run `pestle connect slack --channel '#NAME'` to check all, then `pestle bot` and `pestle worker`.",
    ]


async def _checked(settings: Settings, channel: str, address: str) -> None:
    """Check what there is, and tell what is missing. Raises `SettingsError`."""
    from adapters.slack.calls import slack_client
    from adapters.slack.check import NotConnected, check_app_token, check_token, say_hello

    slack = settings.slack
    client = slack_client(slack.bot_token.get_secret_value(), slack.base_url)
    try:
        found = await check_token(client)
        tell(DONE, f"The bot token is right: {found.user} in {found.team}.")
        for scope, what in found.missing.items():
            tell(OPEN, f"The right {scope} is missing: no {what}.")
        if app_token := slack.app_token.get_secret_value():
            await check_app_token(client, app_token)
            tell(DONE, "The app token opens a socket.")
        if channel:
            await say_hello(client, channel)
            tell(DONE, f"Said hello in {channel}.")
    except NotConnected as error:
        raise SettingsError(str(error)) from error
    tell_next(_left(settings, bool(found.missing), channel, address))


def _left(settings: Settings, rights: bool, channel: str, address: str) -> list[str]:
    """What is still to be done."""
    slack, steps = settings.slack, []
    if rights:
        steps.append("Add the missing rights under “OAuth & Permissions”, and install the app once more.")
    heard = slack.signing_secret.get_secret_value() or slack.app_token.get_secret_value()
    if not heard:
        steps.append(
            "Set PESTLE_SLACK_SIGNING_SECRET (HTTP), or PESTLE_SLACK_APP_TOKEN (Socket Mode, nothing need "
            "reach the bot)."
        )
    if not channel:
        steps.append("Invite the bot into a channel, and run `pestle connect slack --channel '#NAME'`.")
    where = f" Slack sends to {address}/slack/events." if address else ""
    steps.append(f"Run `pestle bot` and `pestle worker`.{where}")
    return steps
