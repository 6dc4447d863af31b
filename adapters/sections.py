"""The groups of settings, each field with its default and, in its description, its unit."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr


class Section(BaseModel):
    """A group of settings: frozen, and closed to unknown names."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class DatabaseSettings(Section):
    """Where runs, conversations and the outbox are kept."""

    url: Annotated[str, Field(description="SQLAlchemy URL; empty: a SQLite file in PESTLE_HOME")] = ""


class RedisSettings(Section):
    """The queue between the bot and the workers."""

    url: Annotated[
        str,
        Field(
            description="redis:// URL; empty: runs are carried in this process",
            pattern=r"^((rediss?|unix)://.*)?$",
        ),
    ] = ""


class IndexSettings(Section):
    """The archive's index."""

    path: Annotated[str, Field(description="index file; empty: archive.db in PESTLE_HOME")] = ""
    weights: Annotated[
        str, Field(description="folder with all-MiniLM-L6-v2; empty: its installed package")
    ] = ""
    calibration: Annotated[
        str, Field(description="what `pestle calibrate` learnt; empty: calibration.json in PESTLE_HOME")
    ] = ""


class IngestSettings(Section):
    """Reading documents."""

    workers: Annotated[int, Field(description="processes that parse; 0: one for each core", ge=0)] = 0
    file_seconds: Annotated[
        float, Field(description="seconds for one file, and for each scanned page of it", gt=0)
    ] = 300.0
    file_memory: Annotated[int, Field(description="MB of memory for a process that parses", ge=512)] = 4096
    file_chunks: Annotated[
        int, Field(description="chunks of one document that are searched; what is beyond is told", gt=0)
    ] = 5000


class ElasticsearchSettings(Section):
    """An Elasticsearch that keeps the archive's index. Without `url` the index is a file."""

    url: Annotated[
        str, Field(description="such as https://search:9200; several nodes with commas; empty: an index file")
    ] = ""
    api_key: Annotated[SecretStr, Field(description="API key as Elasticsearch encodes it")] = SecretStr("")
    ca_certs: Annotated[
        str, Field(description="file with the authority of its certificate; empty: the system's")
    ] = ""
    fingerprint: Annotated[
        str,
        Field(
            description="SHA-256 fingerprint of its certificate",
            pattern=r"^(([0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}|[0-9A-Fa-f]{64}|)$",
        ),
    ] = ""
    alias: Annotated[
        str, Field(description="name of the archive there", pattern=r"^[a-z0-9][a-z0-9._-]{0,200}$")
    ] = "pestle-archive"
    shards: Annotated[int, Field(description="pieces of a new index", ge=1)] = 1
    replicas: Annotated[int, Field(description="copies of each piece on other nodes", ge=0)] = 1
    candidates: Annotated[
        int, Field(description="windows a search by meaning looks at in each shard", ge=1, le=10_000)
    ] = 200
    timeout: Annotated[float, Field(description="seconds for one request", gt=0)] = 30.0
    patience: Annotated[float, Field(description="seconds a search is tried again", ge=0)] = 5.0
    write_patience: Annotated[float, Field(description="seconds a write is tried again", ge=0)] = 300.0

    @property
    def urls(self) -> tuple[str, ...]:
        """The nodes' addresses."""
        return tuple(url.strip() for url in self.url.split(",") if url.strip())


class SourcesSettings(Section):
    """Public databases (`pestle sources`)."""

    live: Annotated[
        bool,
        Field(
            description="ask public databases over the network for what is not loaded; the names of targets "
            "then leave the house"
        ),
    ] = False
    folder: Annotated[
        str, Field(description="where loaded files are kept; empty: databases in PESTLE_HOME")
    ] = ""
    mode: Annotated[
        Literal["live", "record", "replay"],
        Field(
            description="record: ask, and write each reply into `snapshot`; replay: use what is there alone"
        ),
    ] = "live"
    snapshot: Annotated[str, Field(description="folder of recorded replies")] = ""
    cache_days: Annotated[
        float, Field(description="days for which a reply is not asked for again; 0: always ask", ge=0)
    ] = 7.0
    timeout: Annotated[float, Field(description="seconds for one reply of a database", gt=0)] = 20.0
    ncbi_key: Annotated[SecretStr, Field(description="key of NCBI: 10 requests a second instead of 3")] = (
        SecretStr("")
    )
    openfda_key: Annotated[SecretStr, Field(description="key of openFDA: more requests a day")] = SecretStr(
        ""
    )


class CheckpointSettings(Section):
    """Which weights a model has, and how it runs."""

    model: Annotated[
        str, Field(description="folder, or name on the Hugging Face hub; empty: the kind's usual one")
    ] = ""
    revision: Annotated[str, Field(description="tag or commit on the hub; empty: the newest")] = ""
    sha256: Annotated[str, Field(description="expected checksum of the weights; empty: any")] = ""
    pickles: Annotated[bool, Field(description="take weights from pickles, which can carry code")] = False
    device: Annotated[str, Field(description="cpu, cuda, cuda:1, mps; auto: a GPU if there is one")] = "auto"
    precision: Annotated[
        Literal["auto", "fp32", "bf16", "fp16"],
        Field(description="numbers of the weights; auto: fp32 on a CPU, bf16 or fp16 on a GPU"),
    ] = "auto"
    max_length: Annotated[
        int, Field(description="pieces read of a text; 0: the model's limit, at most 1024", ge=0)
    ] = 0
    batch_pieces: Annotated[
        int, Field(description="pieces in a batch, padding included; 0: as the device wants", ge=0)
    ] = 0
    waiting: Annotated[int, Field(description="requests that may wait; more are refused", ge=1)] = 256
    threshold: Annotated[
        float | None, Field(description="score that counts as similar or relevant; empty: the model's own")
    ] = None


class EncoderSettings(CheckpointSettings):
    """The model that turns texts into vectors. The index has to be made again for another one."""

    kind: Annotated[
        Literal["minilm", "sentence-transformers", "bge-m3"],
        Field(description="minilm needs no torch; the others need the extra `models`"),
    ] = "minilm"
    question_instruction: Annotated[
        str, Field(description="written before a question, or around {question}; empty: the model's own")
    ] = ""
    text_instruction: Annotated[str, Field(description="written before a text; empty: the model's own")] = ""


class RerankerSettings(CheckpointSettings):
    """The model that scores texts against a question."""

    kind: Annotated[
        Literal["late-interaction", "cross-encoder", "flag", "multi-vector"],
        Field(description="late-interaction works over the encoder; the others need the extra `models`"),
    ] = "late-interaction"


class ModelsSettings(Section):
    """Where encoder and reranker are computed."""

    remote: Annotated[
        bool, Field(description="ask `pestle worker --queues models` through Redis; false: compute here")
    ] = False
    timeout: Annotated[float, Field(description="seconds to wait for the model workers", gt=0)] = 120.0


class S3Settings(Section):
    """Buckets that documents are read from (`pestle ingest s3://bucket/folder`)."""

    endpoint: Annotated[
        str, Field(description="address of a store that is not Amazon's, such as http://minio:9000")
    ] = ""
    region: Annotated[str, Field(description="region; empty: as the AWS configuration says")] = ""
    access_key: Annotated[
        SecretStr, Field(description="key id; empty: as the AWS configuration or the machine's role says")
    ] = SecretStr("")
    secret_key: Annotated[SecretStr, Field(description="secret of the key")] = SecretStr("")


def _by_role(value: object) -> object:
    """A variable holds text: judge=small,research=large."""
    if not isinstance(value, str):
        return value
    pairs = [part.partition("=") for part in value.split(",") if part.strip()]
    if not all(equals for _, equals, _ in pairs):
        raise ValueError("write it as judge=small,research=large")
    return {role.strip(): name.strip() for role, _, name in pairs}


class ModelSettings(Section):
    """A language model behind the OpenAI API. Without `base_url` rules do the work."""

    base_url: Annotated[
        str, Field(description="such as http://localhost:8125/v1; empty: no model", repr=False)
    ] = ""
    api_key: Annotated[SecretStr, Field(description="key, if the endpoint wants one")] = SecretStr("")
    name: Annotated[str, Field(description="model for every role that `roles` does not name")] = ""
    roles: Annotated[
        dict[str, str],
        BeforeValidator(_by_role),
        Field(
            description="a model per role, such as {judge = 'small-model'}; in a variable judge=small-model"
        ),
    ] = {}
    max_tokens: Annotated[int, Field(description="most tokens of one answer; 0: no limit", ge=0)] = 8192
    max_tokens_by_role: Annotated[
        dict[str, Annotated[int, Field(ge=0)]],
        BeforeValidator(_by_role),
        Field(description="as max_tokens for single roles; in a variable judge=1000,vision=8000"),
    ] = {}
    timeout: Annotated[float, Field(description="seconds for one answer", gt=0)] = 120.0
    retries: Annotated[int, Field(description="attempts after the first one", ge=0)] = 4
    tokens_per_minute: Annotated[int, Field(description="limit of the endpoint; 0: none", ge=0)] = 0
    requests_per_minute: Annotated[int, Field(description="limit of the endpoint; 0: none", ge=0)] = 0
    prompt_price: Annotated[float, Field(description="US dollars for a million prompt tokens", ge=0)] = 0.0
    completion_price: Annotated[float, Field(description="US dollars for a million answer tokens", ge=0)] = (
        0.0
    )
    vision: Annotated[
        str, Field(description="model that reads scanned pages; empty: tesseract, if installed")
    ] = ""


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
    ] = {}
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


def _listed(value: object) -> object:
    """A variable holds text: T1,T2."""
    return (
        tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value
    )


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
        BeforeValidator(_listed),
        Field(description="names under which the page is opened beside `host`: pestle.lab,pestle.example"),
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
        BeforeValidator(_listed),
        Field(description="ids of the teams whose people may ask, T1,T2; empty: the bot's own team alone"),
    ] = ()
    channels: Annotated[
        tuple[Annotated[str, Field(pattern=r"^([CDG][A-Z0-9]+|direct)$")], ...],
        BeforeValidator(_listed),
        Field(
            description="ids of the channels where it may be asked, C1,C2, and `direct` for direct messages; "
            "empty: everywhere but in channels shared with another organisation"
        ),
    ] = ()
    users: Annotated[
        tuple[Annotated[str, Field(pattern=r"^[UW][A-Z0-9]+$")], ...],
        BeforeValidator(_listed),
        Field(description="ids of the people who may ask, U1,U2; empty: everybody"),
    ] = ()

    @property
    def used(self) -> bool:
        """Whether the bot hears Slack."""
        return bool(self.bot_token.get_secret_value() or self.signing_secret.get_secret_value())


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
    tenants: Annotated[
        tuple[Annotated[str, Field(pattern=r"^[0-9a-fA-F-]{36}$")], ...],
        BeforeValidator(_listed),
        Field(description="ids of the tenants whose people may ask; empty: the bot's own tenant alone"),
    ] = ()
    channels: Annotated[
        tuple[Annotated[str, Field(pattern=r"^(19:[^,\s]+|direct)$")], ...],
        BeforeValidator(_listed),
        Field(
            description="ids of the channels and chats where it may be asked, 19:…, and `direct` "
            "for chats with the bot alone; empty: all but channels shared with another organisation"
        ),
    ] = ()
    users: Annotated[
        tuple[Annotated[str, Field(pattern=r"^[0-9a-fA-F-]{36}$")], ...],
        BeforeValidator(_listed),
        Field(description="directory ids of the people who may ask; empty: everybody"),
    ] = ()

    @property
    def used(self) -> bool:
        """Whether the bot hears Teams."""
        return bool(self.app_id) or self.playground
