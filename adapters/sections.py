"""The groups of settings on runs, tools and skins, each field with its default and, in its description, its
unit.
"""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, SecretStr

from adapters.section import Listed, Section, paired

Month = dict[Literal["user", "channel", "all"], Annotated[float, Field(gt=0)]]


def _by_place(value: object) -> object:
    """What a variable says: C0TOX=2,C0PK=1."""
    return paired(value, ",", "name=number,name=number")


class RunSettings(Section):
    """Limits of one run."""

    seconds: float = Field(900.0, description="time limit in seconds; then the partial answer", gt=0)
    tokens: int = Field(0, description="token budget; 0: none", ge=0)
    cost_usd: float = Field(0.0, description="money budget in US dollars; 0: none", ge=0)
    lease: float = Field(15.0, description="seconds after which a silent worker's run is taken over", gt=0)
    nice: int = Field(
        15,
        description="steps by which a worker lets other processes of its machine go first, so that the "
        "bot takes messages in while it computes",
        ge=0,
        le=19,
    )
    weights: Annotated[dict[str, Annotated[float, Field(gt=0)]], BeforeValidator(_by_place)] = Field(
        {},
        description="turns of channels whose runs wait, by channel id; others have 1; in a variable C0TOX=2",
    )
    month_tokens: Annotated[Month, BeforeValidator(_by_place)] = Field(
        {},
        description="most tokens that each `user`, each `channel` and `all` together may spend in a month "
        "(UTC); in a variable user=2000000,channel=10000000",
    )
    month_usd: Annotated[Month, BeforeValidator(_by_place)] = Field(
        {}, description="as month_tokens, in US dollars"
    )
    alive: str = Field(
        "",
        description="file that a worker, model worker or scheduler touches every 5 seconds while it works, "
        "for health checks; empty: none",
    )


def _by_server(value: object) -> object:
    """What a variable says: labels=python -m labels;chem=https://chem.example/mcp."""
    return paired(value, ";", "name=command;name=https://address")


class McpSettings(Section):
    """The Model Context Protocol: `pestle mcp`, and tools of other servers."""

    servers: Annotated[
        dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$", max_length=30)], str],
        BeforeValidator(_by_server),
    ] = Field(
        {},
        description="other servers by name: a command, or an http(s) address; in a variable "
        "labels=python -m labels;chem=https://chem.example/mcp",
    )
    timeout: float = Field(60.0, description="seconds for one call of another server", gt=0)
    characters: int = Field(100_000, description="most characters taken of one reply of another server", ge=1)
    approval: Literal["writing", "always", "never"] = Field(
        "writing",
        description="tools of other servers that a person approves; writing: what may write",
    )
    serve_writing: bool = Field(
        False, description="`pestle mcp` also serves tools that change something or need approval"
    )


class LogSettings(Section):
    """What those who run Pestle see of it."""

    form: Literal["text", "json"] = Field("text", description="how services write their log")
    level: Literal["info", "warning", "error"] = Field(
        "error", description="from which level on services log"
    )
    keep: Annotated[dict[str, Annotated[float, Field(gt=0)]], BeforeValidator(_by_place)] = Field(
        {},
        description="days after which the audit's names and texts are deleted, by kind of entry or "
        "`everything`; in a variable asked=365,everything=3650",
    )
    traces: str = Field(
        "",
        description="OTLP address for traces, `http://collector:4318/v1/traces`; needs pestle[traces]; "
        "empty: none",
    )


class WebSettings(Section):
    """The web page of `pestle up`."""

    host: str = Field(
        "127.0.0.1", description="address to listen on; one that others can reach needs a log-in"
    )
    port: int = Field(8321, description="port; 0: any free one", ge=0, le=65535)
    upload_mb: int = Field(500, description="MB that an uploaded file may have", gt=0)
    login: Literal["auto", "always"] = Field(
        "auto",
        description="ask for a log-in; auto: where others reach the page; always: also behind a proxy",
    )
    session_hours: float = Field(12.0, description="hours until one has to log in again", gt=0)
    names: Listed[str] = Field(
        (),
        description="names under which the page is opened beside `host`: pestle.lab,pestle.example",
    )
    proxies: Listed[str] = Field(
        (), description="addresses of proxies in front, 10.0.0.5,10.0.0.6; only these say who asks"
    )
    certificate: str = Field(
        "", description="file with the certificate (PEM); empty: no TLS, or a proxy's in front"
    )
    key: str = Field("", description="file with the certificate's private key (PEM)")


class OidcSettings(Section):
    """Log-in to the page by a company's own provider (OpenID Connect)."""

    issuer: str = Field(
        "",
        description="the provider's address, as its tokens name it; empty: accounts of Pestle's own alone",
        pattern=r"^(https://\S+|http://(127\.0\.0\.1|localhost)(:\d+)?(/\S*)?)?$",
    )
    client_id: str = Field("", description="under which the provider knows Pestle")
    client_secret: SecretStr = Field(
        SecretStr(""), description="secret of Pestle at the provider; empty: PKCE alone"
    )
    scope: str = Field("openid profile email", description="what the provider is asked for")
    name_claim: str = Field(
        "preferred_username",
        description="claim that names the account, up to an @; one that people cannot change themselves",
    )
    groups_claim: str = Field("groups", description="claim with the person's groups")


class SlackSettings(Section):
    """The Slack app."""

    bot_token: SecretStr = Field(SecretStr(""), description="bot token, xoxb-...")
    signing_secret: SecretStr = Field(SecretStr(""), description="signing secret of the app")
    app_token: SecretStr = Field(
        SecretStr(""),
        description="app token, xapp-...: Slack's requests come through a socket (Socket Mode)",
    )
    base_url: str = Field("https://slack.com/api/", description="Web API address")
    host: str = Field("127.0.0.1", description="address that the bot listens on")
    port: int = Field(3000, description="port that the bot listens on", ge=0, le=65535)
    teams: Listed[Annotated[str, Field(pattern=r"^[TE][A-Z0-9]+$")]] = Field(
        (),
        description="ids of the teams whose people may ask, T1,T2; empty: the bot's own team alone",
    )
    channels: Listed[Annotated[str, Field(pattern=r"^([CDG][A-Z0-9]+|direct)$")]] = Field(
        (),
        description="ids of the channels where it may be asked, C1,C2, and `direct` for direct messages; "
        "empty: everywhere but in channels shared with another organisation",
    )
    users: Listed[Annotated[str, Field(pattern=r"^[UW][A-Z0-9]+$")]] = Field(
        (), description="ids of the people who may ask, U1,U2; empty: everybody"
    )
    guests: bool = Field(
        False,
        description="whether guests of the workspace may ask; those named in `users` always may",
    )

    @property
    def used(self) -> bool:
        """Whether the bot hears Slack."""
        return any(one.get_secret_value() for one in (self.bot_token, self.signing_secret, self.app_token))


class TeamsSettings(Section):
    """The Teams app. The bot listens where it does for Slack, at `/api/messages`."""

    app_id: str = Field("", description="id of the bot's app registration (a UUID)")
    password: SecretStr = Field(SecretStr(""), description="client secret of the app registration")
    tenant: str = Field("", description="id of the tenant that the app is registered in: its people may ask")
    openid_url: str = Field(
        "https://login.botframework.com/v1/.well-known/openidconfiguration",
        description="OpenID document with the keys that requests of Teams are signed with",
    )
    login_url: str = Field(
        "https://login.microsoftonline.com", description="where the bot gets its own token"
    )
    graph_url: str = Field(
        "https://graph.microsoft.com", description="where is asked who is in a group of the directory"
    )
    playground: bool = Field(
        False, description="hear the Agents Playground on this machine, without tokens; for trials"
    )
    sensitivity: str = Field(
        "",
        description="label on what Pestle writes, `Confidential: for the project team`; empty: none",
        max_length=200,
    )
    url: str = Field(
        "",
        description="where others reach the bot, `https://pestle.example`, for downloads of reports; "
        "empty: a card says how to take the file in a terminal",
        pattern=r"^(https://[^\s/]+|http://(127\.0\.0\.1|localhost)(:\d+)?)?$",
    )
    privacy_url: str = Field(
        "",
        description="your company's privacy page, to which the app leads; empty: `url`",
        pattern=r"^(https://\S+)?$",
    )
    terms_url: str = Field(
        "",
        description="your company's terms of use, to which the app leads; empty: `url`",
        pattern=r"^(https://\S+)?$",
    )
    tenants: Listed[Annotated[str, Field(pattern=r"^[0-9a-fA-F-]{36}$")]] = Field(
        (), description="ids of the tenants whose people may ask; empty: the bot's own tenant alone"
    )
    channels: Listed[Annotated[str, Field(pattern=r"^(19:[^,\s]+|direct)$")]] = Field(
        (),
        description="ids of the channels and chats where it may be asked, 19:…, and `direct` "
        "for chats with the bot alone; empty: all but channels shared with another organisation",
    )
    users: Listed[Annotated[str, Field(pattern=r"^[0-9a-fA-F-]{36}$")]] = Field(
        (), description="directory ids of the people who may ask; empty: everybody"
    )

    guests: bool = Field(
        False, description="whether guests of the tenant may ask; those named in `users` always may"
    )

    @property
    def used(self) -> bool:
        """Whether the bot hears Teams."""
        return bool(self.app_id) or self.playground
