"""Settings: variables over file over defaults; a wrong name never passes."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from adapters.cli.settings import shown
from adapters.errors import SettingsError
from adapters.section import Section
from adapters.settings import Settings, load, variables


def test_nothing_needs_to_be_set(tmp_path: Path) -> None:
    settings = load({"PESTLE_HOME": str(tmp_path)})

    assert settings.database_url == f"sqlite+aiosqlite:///{tmp_path}/pestle.db"
    assert settings.index_path == tmp_path / "archive.db"
    assert settings.model.base_url == ""


def test_a_variable_wins_over_the_file(tmp_path: Path) -> None:
    (tmp_path / "pestle.toml").write_text('[web]\nport = 1\nhost = "::1"\n[model.roles]\njudge = "small"\n')

    settings = load(
        {"PESTLE_HOME": str(tmp_path), "PESTLE_WEB_PORT": "2", "PESTLE_MODEL_API_KEY": "very secret"}
    )

    assert (settings.web.port, settings.web.host) == (2, "::1")
    assert settings.model.roles == {"judge": "small"}
    assert "very secret" not in repr(settings)


def test_a_secret_may_be_a_file_and_a_misspelt_one_is_named(tmp_path: Path) -> None:
    environment = {"PESTLE_HOME": str(tmp_path), "PESTLE_SECRETS": str(tmp_path / "secrets")}
    (tmp_path / "secrets/..data").mkdir(parents=True)  # as Kubernetes lays them
    (tmp_path / "secrets/..data/PESTLE_MODEL_API_KEY").write_text("very secret\n")
    (tmp_path / "secrets/PESTLE_MODEL_API_KEY").symlink_to("..data/PESTLE_MODEL_API_KEY")
    (tmp_path / "secrets/PESTLE_SLACK_BOT_TOKEN").write_text("\n")
    (tmp_path / "secrets/postgres_password").write_text("not ours")

    assert load(environment).model.api_key == SecretStr("very secret")
    assert load(environment | {"PESTLE_MODEL_API_KEY": "k"}).model.api_key == SecretStr("k")
    assert not load(environment).slack.used
    (tmp_path / "secrets/PESTLE_SLACK_BOT_TOKN").write_text("x")
    with pytest.raises(SettingsError, match=r"SLACK_BOT_TOKN.*Did you mean PESTLE_SLACK_BOT_TOKEN"):
        load(environment)
    (tmp_path / "secrets/PESTLE_SLACK_BOT_TOKN").write_bytes(b"\xff")
    with pytest.raises(SettingsError, match=r"The secrets in .* cannot be read"):
        load(environment)


def test_roles_can_be_named_in_a_variable(tmp_path: Path) -> None:
    settings = load({"PESTLE_HOME": str(tmp_path), "PESTLE_MODEL_ROLES": "judge=small,research=large"})

    assert settings.model.roles == {"judge": "small", "research": "large"}
    with pytest.raises(SettingsError, match=r"PESTLE_MODEL_ROLES.*judge=small,research=large"):
        load({"PESTLE_HOME": str(tmp_path), "PESTLE_MODEL_ROLES": "small"})


def test_who_may_ask_in_slack_is_named_by_ids(tmp_path: Path) -> None:
    home = {"PESTLE_HOME": str(tmp_path)}
    slack = load(home | {"PESTLE_SLACK_CHANNELS": "C1, direct", "PESTLE_SLACK_TEAMS": "T1,T2"}).slack

    assert (slack.teams, slack.channels, slack.users) == (("T1", "T2"), ("C1", "direct"), ())
    with pytest.raises(SettingsError, match="PESTLE_SLACK_CHANNELS"):
        load(home | {"PESTLE_SLACK_CHANNELS": "#general"})


def test_an_unknown_variable_is_answered_with_the_nearest_known_one() -> None:
    with pytest.raises(
        SettingsError, match=r"PESTLE_DATABSE_URL is no setting.*Did you mean PESTLE_DATABASE_URL"
    ):
        load({"PESTLE_DATABSE_URL": "x"})


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[web]\nprot = 1\n", "web.prot"),
        ("[web]\nport = 'x'\n", "web.port"),
        ("[run]\nseconds = 0\n", "run.seconds"),
    ],
)
def test_a_wrong_place_in_the_file_is_named(tmp_path: Path, text: str, named: str) -> None:
    (tmp_path / "pestle.toml").write_text(text)

    with pytest.raises(SettingsError, match=named):
        load({"PESTLE_HOME": str(tmp_path)})


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("[web]\nprot = 1\n", r"web\.prot in .*pestle\.toml is no setting.*Did you mean web\.port\?"),
        ("[modle]\nname = 'x'\n", r"modle in .*Did you mean models?\?"),
        ("[Web]\nport = 1\n", r"Web in .*Did you mean web\?"),
        ("hoem = 'x'\n", r"hoem in .*Did you mean home\?"),
        ("[model]\nadress = 'x'\n", r"model\.adress in .*Did you mean model\.base_url\?"),
        ("[model]\nkey = 'x'\n", r"model\.key in .*Did you mean model\.api_key\?"),
        ("[web]\nzzzzzz = 1\n", r"web\.zzzzzz in .*The section web has certificate, host, .*port"),
        ("[zzzzzz]\n", "`pestle settings` lists all of them"),
    ],
)
def test_a_misspelt_key_of_the_file_is_answered_with_the_nearest_known_one(
    tmp_path: Path, text: str, hint: str
) -> None:
    (tmp_path / "pestle.toml").write_text(text)

    with pytest.raises(SettingsError, match=hint):
        load({"PESTLE_HOME": str(tmp_path)})


def test_a_wrong_value_is_told_with_where_it_was_set_and_never_shown(tmp_path: Path) -> None:
    (tmp_path / "pestle.toml").write_text("[model]\napi_key = 12345678\n[web]\nport = 1\n")

    with pytest.raises(SettingsError, match=r"model\.api_key \(.*pestle\.toml\)") as told:
        load({"PESTLE_HOME": str(tmp_path)})
    assert "12345678" not in str(told.value)
    with pytest.raises(SettingsError, match=r"web\.port \(PESTLE_WEB_PORT\)"):
        load({"PESTLE_HOME": str(tmp_path), "PESTLE_WEB_PORT": "x", "PESTLE_MODEL_API_KEY": "k"})


def test_settings_made_by_hand_read_neither_variables_nor_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pestle.toml").write_text("[web]\nport = 1\n")
    monkeypatch.setenv("PESTLE_WEB_PORT", "2")
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path))

    assert Settings(home=tmp_path).web.port == 8321
    assert load().web.port == 2
    assert load({"PESTLE_HOME": str(tmp_path)}).web.port == 1


def test_a_broken_or_missing_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "pestle.toml").write_text("[web")

    with pytest.raises(SettingsError, match=r"pestle\.toml cannot be read"):
        load({"PESTLE_HOME": str(tmp_path)})
    (tmp_path / "pestle.toml").unlink()
    (tmp_path / "pestle.toml").mkdir()
    with pytest.raises(SettingsError, match=r"pestle\.toml cannot be read: it is a folder"):
        load({"PESTLE_HOME": str(tmp_path)})
    with pytest.raises(SettingsError, match="no such file"):
        load({"PESTLE_CONFIG": str(tmp_path / "other.toml")})


def test_every_setting_is_described_and_has_a_variable() -> None:
    sections = [field.annotation for field in Settings.model_fields.values()]
    fields = [
        f for s in sections if isinstance(s, type) and issubclass(s, Section) for f in s.model_fields.values()
    ]

    assert all(field.description for field in fields)
    assert len(variables()) == len(fields) + 1


def test_a_password_in_an_address_is_not_shown() -> None:
    assert shown("postgresql://pestle:geheim@db/pestle") == "postgresql://pestle:***@db/pestle"
    assert shown("redis://:geh@im@queue:6379/0") == "redis://:***@queue:6379/0"
    assert shown("http://localhost:8125/v1") == "http://localhost:8125/v1"
    assert shown(SecretStr("geheim")) == "(set)"


def test_a_fingerprint_is_64_digits() -> None:
    assert load({"PESTLE_ELASTICSEARCH_FINGERPRINT": ":".join(["aB"] * 32)})
    with pytest.raises(SettingsError, match=r"elasticsearch\.fingerprint"):
        load({"PESTLE_ELASTICSEARCH_FINGERPRINT": "zz"})


@pytest.mark.parametrize("url", ["localhost:6379", "http://queue:6379"])
def test_an_address_that_is_no_redis_is_a_wrong_setting(url: str) -> None:
    with pytest.raises(SettingsError, match=r"redis\.url"):
        load({"PESTLE_REDIS_URL": url})
    assert load({"PESTLE_REDIS_URL": "rediss://:secret@queue:6379/1"})


def test_a_list_is_shown_as_it_is_set() -> None:
    assert (shown(("T1", "T2")), shown(())) == ("T1,T2", "")


def test_all_misspelt_keys_of_the_file_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "pestle.toml").write_text("hoem = 'x'\n[web]\nprot = 1\n")

    with pytest.raises(SettingsError) as told:
        load({"PESTLE_HOME": str(tmp_path)})

    assert "hoem in " in str(told.value)
    assert "web.prot in " in str(told.value)
