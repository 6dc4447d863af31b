"""The groups of settings on runs, tools and skins, each field with its default and, in its description, its
unit.
"""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, SecretStr

from adapters.section import Section, listed


class RunSettings(Section):
    """Limits of one run."""

    seconds: Annotated[float, Field(description="time limit in seconds; then the partial answer", gt=0)] = (
        900.0
    )
    tokens: Annotated[int, Field(description="token budget; 0: none", ge=0)] = 0
    cost_usd: Annotated[float, Field(description="money budget in US dollars; 0: none", ge=0)] = 0.0
    lease: Annotated[
        float, Field(description="seconds after which a silent worker's run is taken over", gt=0)
    ] = 15.0
    nice: Annotated[
        int,
        Field(
            description="steps by which a worker lets other processes of its machine go first, so that the "
            "bot takes messages in while it computes",
            ge=0,
            le=19,
        ),
    ] = 15


def _by_server(value: object) -> object:
    """What a variable says: labels=python -m labels;chem=https://chem.example/mcp."""
    if not isinstance(value, str):
        return value
    pairs = [part.partition("=") for part in value.split(";") if part.strip()]
    if not all(equals for _, equals, _ in pairs):
        raise ValueError("write it as name=command;name=https://address")
    return {name.strip(): target.strip() for name, _, target in pairs}


class McpSettings(Section):
    """The Model Context Protocol: `pestle mcp`, and tools of other servers."""

    servers: Annotated[
        dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$", max_length=30)], str],
        BeforeValidator(_by_server),
        Field(
            description="other servers by name: a command, or an http(s) address; in a variable "
            "labels=python -m labels;chem=https://chem.example/mcp"
        ),
    ] = {}  # noqa: RUF012 (pydantic copies it)
    timeout: Annotated[float, Field(description="seconds for one call of another server", gt=0)] = 60.0
    characters: Annotated[
        int, Field(description="most characters taken of one reply of another server", ge=1)
    ] = 100_000
    approval: Annotated[
        Literal["writing", "always", "never"],
        Field(description="tools of other servers that a person approves; writing: what may write"),
    ] = "writing"
    serve_writing: Annotated[
        bool, Field(description="`pestle mcp` also serves tools that change something or need approval")
    ] = False


class WebSettings(Section):
    """The web page of `pestle up`."""

    host: Annotated[
        str,
        Field(description="address to listen on; one that others can reach needs a log-in"),
    ] = "127.0.0.1"
    port: Annotated[int, Field(description="port; 0: any free one", ge=0, le=65535)] = 8321
    upload_mb: Annotated[int, Field(description="MB that an uploaded file may have", gt=0)] = 500
    login: Annotated[
        Literal["auto", "always"],
        Field(description="ask for a log-in; auto: where others reach the page; always: also behind a proxy"),
    ] = "auto"
    session_hours: Annotated[float, Field(description="hours until one has to log in again", gt=0)] = 12.0
    names: Annotated[
        tuple[str, ...],
        BeforeValidator(listed),
        Field(description="names under which the page is opened beside `host`: pestle.lab,pestle.example"),
    ] = ()
    proxies: Annotated[
        tuple[str, ...],
        BeforeValidator(listed),
        Field(description="addresses of proxies in front, 10.0.0.5,10.0.0.6; only these say who asks"),
    ] = ()
    certificate: Annotated[
        str, Field(description="file with the certificate (PEM); empty: no TLS, or a proxy's in front")
    ] = ""
    key: Annotated[str, Field(description="file with the certificate's private key (PEM)")] = ""


class SlackSettings(Section):
    """The Slack app."""

    bot_token: Annotated[SecretStr, Field(description="bot token, xoxb-...")] = SecretStr("")
    signing_secret: Annotated[SecretStr, Field(description="signing secret of the app")] = SecretStr("")
    app_token: Annotated[
        SecretStr,
        Field(description="app token, xapp-...: Slack's requests come through a socket (Socket Mode)"),
    ] = SecretStr("")
    base_url: Annotated[str, Field(description="Web API address")] = "https://slack.com/api/"
    host: Annotated[str, Field(description="address that the bot listens on")] = "127.0.0.1"
    port: Annotated[int, Field(description="port that the bot listens on", ge=0, le=65535)] = 3000
    teams: Annotated[
        tuple[Annotated[str, Field(pattern=r"^[TE][A-Z0-9]+$")], ...],
        BeforeValidator(listed),
        Field(description="ids of the teams whose people may ask, T1,T2; empty: the bot's own team alone"),
    ] = ()
    channels: Annotated[
        tuple[Annotated[str, Field(pattern=r"^([CDG][A-Z0-9]+|direct)$")], ...],
        BeforeValidator(listed),
        Field(
            description="ids of the channels where it may be asked, C1,C2, and `direct` for direct messages; "
            "empty: everywhere but in channels shared with another organisation"
        ),
    ] = ()
    users: Annotated[
        tuple[Annotated[str, Field(pattern=r"^[UW][A-Z0-9]+$")], ...],
        BeforeValidator(listed),
        Field(description="ids of the people who may ask, U1,U2; empty: everybody"),
    ] = ()
    guests: Annotated[
        bool, Field(description="whether guests of the workspace may ask; those named in `users` always may")
    ] = False

    @property
    def used(self) -> bool:
        """Whether the bot hears Slack."""
        return any(one.get_secret_value() for one in (self.bot_token, self.signing_secret, self.app_token))


class TeamsSettings(Section):
    """The Teams app. The bot listens where it does for Slack, at `/api/messages`."""

    app_id: Annotated[str, Field(description="id of the bot's app registration (a UUID)")] = ""
    password: Annotated[SecretStr, Field(description="client secret of the app registration")] = SecretStr("")
    tenant: Annotated[
        str, Field(description="id of the tenant that the app is registered in: its people may ask")
    ] = ""
    openid_url: Annotated[
        str, Field(description="OpenID document with the keys that requests of Teams are signed with")
    ] = "https://login.botframework.com/v1/.well-known/openidconfiguration"
    login_url: Annotated[str, Field(description="where the bot gets its own token")] = (
        "https://login.microsoftonline.com"
    )
    playground: Annotated[
        bool, Field(description="hear the Agents Playground on this machine, without tokens; for trials")
    ] = False
    sensitivity: Annotated[
        str,
        Field(
            description="label on what Pestle writes, `Confidential: for the project team`; empty: none",
            max_length=200,
        ),
    ] = ""
    url: Annotated[
        str,
        Field(
            description="where others reach the bot, `https://pestle.example`, for downloads of reports; "
            "empty: a card says how to take the file in a terminal",
            pattern=r"^(https://[^\s/]+|http://(127\.0\.0\.1|localhost)(:\d+)?)?$",
        ),
    ] = ""
    privacy_url: Annotated[
        str,
        Field(
            description="your company's privacy page, to which the app leads; empty: `url`",
            pattern=r"^(https://\S+)?$",
        ),
    ] = ""
    terms_url: Annotated[
        str,
        Field(
            description="your company's terms of use, to which the app leads; empty: `url`",
            pattern=r"^(https://\S+)?$",
        ),
    ] = ""
    tenants: Annotated[
        tuple[Annotated[str, Field(pattern=r"^[0-9a-fA-F-]{36}$")], ...],
        BeforeValidator(listed),
        Field(description="ids of the tenants whose people may ask; empty: the bot's own tenant alone"),
    ] = ()
    channels: Annotated[
        tuple[Annotated[str, Field(pattern=r"^(19:[^,\s]+|direct)$")], ...],
        BeforeValidator(listed),
        Field(
            description="ids of the channels and chats where it may be asked, 19:…, and `direct` "
            "for chats with the bot alone; empty: all but channels shared with another organisation"
        ),
    ] = ()
    users: Annotated[
        tuple[Annotated[str, Field(pattern=r"^[0-9a-fA-F-]{36}$")], ...],
        BeforeValidator(listed),
        Field(description="directory ids of the people who may ask; empty: everybody"),
    ] = ()

    guests: Annotated[
        bool,
        Field(description="whether guests of the tenant may ask; those named in `users` always may"),
    ] = False

    @property
    def used(self) -> bool:
        """Whether the bot hears Teams."""
        return bool(self.app_id) or self.playground
