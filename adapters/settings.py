"""All settings of Pestle, read once: from `PESTLE_*` variables, then a TOML file, then defaults. All are
optional.

`PESTLE_MODEL_BASE_URL` sets `base_url` of `[model]`; the file is `pestle.toml` in PESTLE_HOME, or the one
that
PESTLE_CONFIG names. An unknown name stops the start with the nearest known one. Nothing else in the house
reads the environment.
"""

import os
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import platformdirs
from pydantic import Field, ValidationError

from adapters.errors import SettingsError
from adapters.sections import (
    DatabaseSettings,
    ElasticsearchSettings,
    EncoderSettings,
    IndexSettings,
    IngestSettings,
    ModelSettings,
    ModelsSettings,
    RedisSettings,
    RerankerSettings,
    RunSettings,
    S3Settings,
    Section,
    SlackSettings,
    WebSettings,
)

PREFIX = "PESTLE_"
OUTSIDE = ("PESTLE_CONFIG", "PESTLE_TEST_")
"""Names that are no settings: where the file lies, and what only the test suite reads."""


class Settings(Section):
    """Everything that can be set."""

    home: Annotated[Path, Field(description="the one folder that holds all that Pestle keeps")] = Path(
        platformdirs.user_data_dir("pestle")
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
    run: RunSettings = RunSettings()
    web: WebSettings = WebSettings()
    slack: SlackSettings = SlackSettings()

    @property
    def database_url(self) -> str:
        """The database in use."""
        return self.database.url or f"sqlite+aiosqlite:///{self.home / 'pestle.db'}"

    @property
    def index_path(self) -> Path:
        """The index file in use."""
        return Path(self.index.path) if self.index.path else self.home / "archive.db"

    @property
    def calibration_path(self) -> Path:
        """The calibration file in use; without one that is named it need not exist."""
        return Path(self.index.calibration) if self.index.calibration else self.home / "calibration.json"

    @property
    def index_elsewhere(self) -> IndexSettings:
        """For an index in another home: what this one's search is calibrated with stays in use."""
        path = self.calibration_path
        kept = self.index.calibration or (str(path) if path.is_file() else "")
        return self.index.model_copy(update={"path": "", "calibration": kept})


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


def from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """Settings named by variables, nested as in the file.

    Raises `SettingsError` for an unknown `PESTLE_` name.
    """
    known = variables()
    values: dict[str, Any] = {}
    for name, text in environment.items():
        if not name.startswith(PREFIX) or name.startswith(OUTSIDE):
            continue
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f" Did you mean {near[0]}?" if near else " `pestle settings` lists all of them."
            raise SettingsError(f"{name} is no setting of Pestle.{hint}")
        section, field = known[name]
        (values.setdefault(section, {}) if section else values)[field] = _value(field, text)
    return values


def _value(field: str, text: str) -> object:
    """A variable's text; `roles` is written as judge=small,research=large."""
    if field != "roles":
        return text
    return dict(part.split("=", 1) for part in text.split(",") if "=" in part)


def from_file(path: Path) -> dict[str, Any]:
    """Settings of a TOML file; none if there is no such file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}  # a home that is no folder is told by whoever needs one
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"The settings file {path} cannot be read: {error}.") from error


def load(environment: Mapping[str, str] | None = None) -> Settings:
    """Read the settings. Raises `SettingsError` that names the variable or the place in the file."""
    environment = os.environ if environment is None else environment
    named = from_environment(environment)
    home = Path(named.get("home") or Settings().home)
    chosen = environment.get("PESTLE_CONFIG", "")
    if chosen and not Path(chosen).is_file():
        raise SettingsError(f"PESTLE_CONFIG names {chosen}, and there is no such file.")
    filed = from_file(Path(chosen) if chosen else home / "pestle.toml")
    try:
        return Settings.model_validate(_merge(filed, named))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise SettingsError(
            f"The setting {place} is not right: {first['msg']}. `pestle settings` shows what can be set."
        ) from None


def _merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Nested mappings merged; `above` wins."""
    merged = dict(below)
    for name, value in above.items():
        lower = merged.get(name)
        merged[name] = _merge(lower, value) if isinstance(value, dict) and isinstance(lower, dict) else value
    return merged
