"""`pestle model` finds a model, tries what Pestle needs of it, and sets it after a yes."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import Response

from tests.adapters.cli.conftest import Pestle
from tests.adapters.llm.fake_endpoint import FakeEndpoint, calls_tool, fails, says, serving

RIGHT = json.dumps({"dose": 15, "unit": "mg/kg", "species": "rats"})


@pytest.fixture
def endpoint() -> Iterator[FakeEndpoint]:
    with serving() as fake:
        yield fake


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path))


def capable(body: dict[str, Any]) -> Response:
    """A model that does all three things."""
    if body.get("tools"):
        return calls_tool("look_up", {"name": "PX-104"})(body)
    return says(RIGHT if "15 mg/kg" in str(body["messages"]) else '{"grams": 12.75}')(body)


def forgetful(body: dict[str, Any]) -> Response:
    """A model that loses what stands in a text of more than some thousand tokens, and knows no tools."""
    if len(str(body["messages"])) > 20_000:
        return says('{"grams": 0}')(body)
    return says("I cannot.")(body) if body.get("tools") else capable(body)


def test_a_model_that_works_is_set_and_the_rest_of_the_file_stays(
    pestle: Pestle, endpoint: FakeEndpoint, tmp_path: Path
) -> None:
    file = tmp_path / "pestle.toml"
    file.write_text("# ours\n[run]\nseconds = 60 # short\n")
    endpoint.script(capable)
    ended = pestle("model", "--url", endpoint.url, "--yes")
    assert ended.code == 0, ended.err
    assert all(told in ended.out for told in ("keeps to a form", "calls tools", "✓ reads 16,000 tokens"))
    assert all(comment in file.read_text() for comment in ("# ours", "# short"))
    assert tomllib.loads(file.read_text()) == {
        "run": {"seconds": 60},
        "model": {"base_url": endpoint.url, "name": "first"},
    }
    assert "first at" in pestle("model").out, "it is tried again, as it is set"


def test_nothing_is_set_without_a_yes(pestle: Pestle, endpoint: FakeEndpoint, tmp_path: Path) -> None:
    endpoint.script(capable)
    ended = pestle("model", "--url", endpoint.url, "--name", "second")
    assert ended.code == 0
    assert f"pestle model --url {endpoint.url} --name second --yes" in ended.out.replace("\n", " ")
    assert not (tmp_path / "pestle.toml").exists()


def test_what_a_model_cannot_do_is_said(pestle: Pestle, endpoint: FakeEndpoint) -> None:
    endpoint.script(forgetful)
    out = pestle("model", "--url", endpoint.url).out
    assert "Not shown: calls tools" in out
    assert "✓ reads 2,000 tokens" in out
    assert "Not shown: reads 8,000 tokens" in out


@pytest.mark.parametrize("reply", [fails(500), says('{"dose": 16, "unit": "mg/kg", "species": "rat"}')])
def test_a_model_that_fails_or_misreads_is_not_set(
    pestle: Pestle, endpoint: FakeEndpoint, tmp_path: Path, reply: Any
) -> None:
    endpoint.script(reply)
    ended = pestle("model", "--url", endpoint.url, "--yes")
    assert ended.code == 1
    assert "Not shown: keeps to a form" in ended.out
    assert not (tmp_path / "pestle.toml").exists()


def test_where_nothing_answers_it_says_what_to_do(pestle: Pestle) -> None:
    ended = pestle("model", "--url", "http://127.0.0.1:9/v1")
    assert ended.code == 1
    assert "No model answers at http://127.0.0.1:9/v1" in ended.out
    assert "PESTLE_MODEL_API_KEY" in ended.out


def test_a_broken_settings_file_is_left_alone(pestle: Pestle, endpoint: FakeEndpoint, tmp_path: Path) -> None:
    (tmp_path / "pestle.toml").write_text("model = 3\n")
    assert pestle("model", "--url", endpoint.url, "--yes").code != 0
    assert (tmp_path / "pestle.toml").read_text() == "model = 3\n"
