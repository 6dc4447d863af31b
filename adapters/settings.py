"""All settings of Pestle, read once: from `PESTLE_*` variables, then a TOML file, then defaults.

All are optional. `PESTLE_MODEL_BASE_URL` sets `base_url` of `[model]`. The file is `pestle.toml` in
PESTLE_HOME, or the one that PESTLE_CONFIG names. A variable may also be a file of its name in the folder that
PESTLE_SECRETS names. An unknown name, in the environment or in a file, stops the start with the nearest known
one. Nothing else in the house reads the environment.
"""

import os
import tomllib
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import platformdirs
from pydantic import Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from adapters.data_sections import (
    DatabaseSettings,
    DesignSettings,
    ElasticsearchSettings,
    IndexSettings,
    IngestSettings,
    RedisSettings,
    S3Settings,
    SandboxSettings,
    SourcesSettings,
)
from adapters.errors import SettingsError
from adapters.model_sections import (
    EncoderSettings,
    JudgeSettings,
    ModelSettings,
    ModelsSettings,
    RerankerSettings,
)
from adapters.section import Section
from adapters.sections import (
    LogSettings,
    McpSettings,
    OidcSettings,
    RunSettings,
    SlackSettings,
    TeamsSettings,
    WebSettings,
)

PREFIX = "PESTLE_"
OUTSIDE = ("PESTLE_CONFIG", "PESTLE_SECRETS", "PESTLE_TEST_")
"""Names that are no settings: where files lie, and what only the test suite reads."""


class Settings(BaseSettings):
    """Everything that can be set. `load` reads it; made by hand, it is what the caller says and defaults."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        case_sensitive=True,
        enable_decoding=False,
        env_prefix=PREFIX.lower(),
        env_nested_delimiter="_",
        env_nested_max_split=1,
    )

    home: Path = Field(
        Path(platformdirs.user_data_dir("pestle")),
        description="the one folder that holds all that Pestle keeps",
    )
    database: DatabaseSettings = DatabaseSettings()
    redis: RedisSettings = RedisSettings()
    index: IndexSettings = IndexSettings()
    ingest: IngestSettings = IngestSettings()
    s3: S3Settings = S3Settings()
    elasticsearch: ElasticsearchSettings = ElasticsearchSettings()
    encoder: EncoderSettings = EncoderSettings()
    reranker: RerankerSettings = RerankerSettings()
    models: ModelsSettings = ModelsSettings()
    model: ModelSettings = ModelSettings()
    judge: JudgeSettings = JudgeSettings()
    run: RunSettings = RunSettings()
    sources: SourcesSettings = SourcesSettings()
    sandbox: SandboxSettings = SandboxSettings()
    design: DesignSettings = DesignSettings()
    mcp: McpSettings = McpSettings()
    log: LogSettings = LogSettings()
    web: WebSettings = WebSettings()
    oidc: OidcSettings = OidcSettings()
    slack: SlackSettings = SlackSettings()
    teams: TeamsSettings = TeamsSettings()

    @classmethod
    def settings_customise_sources(
        cls, settings_cls: type[BaseSettings], init_settings: PydanticBaseSettingsSource, *_: Any, **__: Any
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only what the caller says."""
        return (init_settings,)

    @property
    def database_url(self) -> str:
        """The database in use."""
        return self.database.url or f"sqlite+aiosqlite:///{self.home / 'pestle.db'}"

    @property
    def index_path(self) -> Path:
        """The index file in use."""
        return Path(self.index.path) if self.index.path else self.home / "archive.db"

    @property
    def databases(self) -> Path:
        """The folder of what was loaded of public databases."""
        return Path(self.sources.folder) if self.sources.folder else self.home / "databases"


def variables() -> dict[str, tuple[str, str]]:
    """Every environment variable: its section ("" for the top) and field."""
    found: dict[str, tuple[str, str]] = {}
    for name, field in Settings.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, Section):
            found |= {f"{PREFIX}{name}_{inner}".upper(): (name, inner) for inner in kind.model_fields}
        else:
            found[f"{PREFIX}{name}".upper()] = ("", name)
    return found


def load(environment: Mapping[str, str] | None = None) -> Settings:
    """Read the settings. Raises `SettingsError` that names the variable, or the place in the file."""
    environment = os.environ if environment is None else environment
    environment = {**_secrets_in(environment), **environment}
    named = _named_in(environment)
    file = file_of(environment)
    try:
        return Settings(_build_sources=((named, _filed_in(file)), {}))
    except ValidationError as error:
        raise _explained(error, environment, file) from None


def _secrets_in(environment: Mapping[str, str]) -> dict[str, str]:
    """Variables that are files of a folder, as containers get secrets; an empty file sets nothing."""
    if not (folder := environment.get("PESTLE_SECRETS", "")):
        return {}
    try:
        texts = {file.name: file.read_text("utf-8").strip() for file in Path(folder).glob(f"{PREFIX}*")}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The secrets in {folder} cannot be read: {error}.") from error
    return {name: text for name, text in texts.items() if text}


def _named_in(environment: Mapping[str, str]) -> EnvSettingsSource:
    """Settings named by variables. Raises `SettingsError` for an unknown `PESTLE_` name."""
    known = variables()
    for name in environment:
        if name.startswith(PREFIX) and not name.startswith(OUTSIDE) and name not in known:
            raise SettingsError(f"{name} is no setting of Pestle.{_hint(name, known)}")
    source = EnvSettingsSource(Settings)
    source.env_vars = {name.lower(): text for name, text in environment.items() if name in known}
    return source


def file_of(environment: Mapping[str, str]) -> Path:
    """Where the settings file is, or would be. Raises `SettingsError` for a named one that is not there."""
    chosen = environment.get("PESTLE_CONFIG", "")
    if chosen and not Path(chosen).is_file():
        raise SettingsError(f"PESTLE_CONFIG names {chosen}, and there is no such file.")
    return Path(chosen or Path(environment.get("PESTLE_HOME") or Settings().home, "pestle.toml"))


def _filed_in(file: Path) -> TomlConfigSettingsSource:
    """Settings of a TOML file; none if there is no such file."""
    try:
        if file.is_dir():
            raise IsADirectoryError("it is a folder")
        return TomlConfigSettingsSource(Settings, file)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"The settings file {file} cannot be read: {error}.") from error


ADDRESSES = ("address", "endpoint")
"""What other programs call a URL."""


def _explained(error: ValidationError, environment: Mapping[str, str], file: Path) -> SettingsError:
    """Every name in the file that is no setting; else the first thing that is wrong, with its name."""
    errors = error.errors(include_input=False, include_url=False)
    places = [
        ".".join(map(str, one["loc"])) for one in errors if one["type"] == "extra_forbidden"
    ]  # unknown variables are refused before
    if places:
        known = {*Settings.model_fields, *(".".join(pair) for pair in variables().values())}
        told = (
            f"{place} in {file} is no setting of Pestle.{_hint(place.lower(), known)}" for place in places
        )
        return SettingsError(" ".join(told))
    first = errors[0]
    place = ".".join(map(str, first["loc"]))
    variable = f"{PREFIX}{'_'.join(str(part) for part in first['loc'][:2])}".upper()
    origin = variable if variable in environment else file
    return SettingsError(
        f"The setting {place} ({origin}) is not right: {first['msg']}. "
        "`pestle settings` shows what can be set."
    )


def _hint(name: str, known: Collection[str]) -> str:
    """What may have been meant: of a key in a section of Pestle one of that section, else all it has."""
    section, _, key = name.rpartition(".")
    keys = sorted(one.removeprefix(f"{section}.") for one in known if one.startswith(f"{section}."))
    if not section or not keys:
        near = get_close_matches(name, known, 1)
        return f" Did you mean {near[0]}?" if near else " `pestle settings` lists all of them."
    meant = "url" if get_close_matches(key, ADDRESSES, 1) else key
    near = get_close_matches(key, keys, 1) or [one for one in keys if meant in one.split("_")]
    return f" Did you mean {section}.{near[0]}?" if near else f" The section {section} has {', '.join(keys)}."
