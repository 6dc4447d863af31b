"""`pestle connect teams`: writes the app package, checks id, password and tenant, tells what to do next."""

from pathlib import Path
from typing import Annotated

import typer

from adapters.cli.connect import DONE, OPEN, https, tell, tell_next
from adapters.cli.session import load, run_to_end
from adapters.errors import SettingsError
from adapters.sections import TeamsSettings


def teams_command(
    url: Annotated[str, typer.Option(help="Where Teams reaches the bot, https://….")] = "",
    package: Annotated[
        Path | None, typer.Option(help="Write the app package (manifest and icons) to this zip file.")
    ] = None,
) -> None:
    """Connect Teams: write the app package, check the app's id, password and tenant, tell what is next."""
    settings = load().teams
    address = https(url or settings.url) if url or settings.url else ""
    if not settings.app_id:
        tell(OPEN, "No app registration yet (PESTLE_TEAMS_APP_ID).")
        return tell_next(_registered(address))
    if package is not None:
        _write(package, settings, address)
    if not settings.password.get_secret_value() or not settings.tenant:
        tell(OPEN, "No password or no tenant yet (PESTLE_TEAMS_PASSWORD, PESTLE_TEAMS_TENANT).")
        return tell_next(_registered(address)[1:])
    return run_to_end(_checked(settings, address, package))


def _write(place: Path, settings: TeamsSettings, address: str) -> None:
    from adapters.teams.package import PERMISSIONS, package

    if not address:
        raise SettingsError("The package names where the bot is reached: add --url https://pestle.example.")
    place.write_bytes(package(settings.app_id, address, settings.privacy_url, settings.terms_url))
    tell(DONE, f"The app package is in {place}.")
    for name, what in PERMISSIONS.items():
        tell(DONE, f"It asks for {name}: {what}")


async def _checked(settings: TeamsSettings, address: str, package: Path | None) -> None:
    """Ask for the bot's token, as it does before it writes. Raises `SettingsError`."""
    import httpx

    from adapters.teams.connector import Answered, Away, tokens
    from adapters.teams.serve import checked

    checked(settings)
    async with httpx.AsyncClient() as client:
        try:
            await tokens(settings, client).token()
        except (Answered, Away) as error:
            raise SettingsError(f"The app gets no token: {error}") from error
    tell(DONE, "The app's id, password and tenant are right: it gets a token.")
    tell_next(_left(address, package, "" if settings.url else address or "https://…"))


def _registered(address: str) -> list[str]:
    """From nothing to settings."""
    where = f"{address or 'https://WHERE-THE-BOT-IS'}/api/messages"
    return [
        "Open https://portal.azure.com, take “Azure Bot”, “Create”, type “Single Tenant”; copy the Microsoft "
        "App ID to PESTLE_TEAMS_APP_ID and the App Tenant ID to PESTLE_TEAMS_TENANT.",
        "Under “Configuration”, “Manage password”, make a client secret; copy it to PESTLE_TEAMS_PASSWORD.",
        f"Under “Configuration”, set the messaging endpoint to {where}.",
        "Under “Channels”, add Microsoft Teams.",
        "Run `pestle connect teams --url https://… --package pestle-teams.zip`.",
    ]


def _left(address: str, package: Path | None, unset_url: str) -> list[str]:
    """What is still to be done. `unset_url` is where the bot is reached, if that is not set yet."""
    uploaded = str(package) if package else "the package (`--package pestle-teams.zip` writes it)"
    return [
        f"In Teams, take “Apps”, “Manage your apps”, “Upload an app”, and upload {uploaded}; for everybody "
        "an admin does so at https://admin.teams.microsoft.com.",
        *([f"Set PESTLE_TEAMS_URL={unset_url}, so that reports can be downloaded."] if unset_url else []),
        "Add Pestle to a team: its owner is shown the permission, and what it is for.",
        f"Run `pestle bot` and `pestle worker`. Teams sends to {address or 'the bot'}/api/messages.",
        "Mention Pestle in a channel, or write to it alone: `help` tells what can be asked.",
    ]
