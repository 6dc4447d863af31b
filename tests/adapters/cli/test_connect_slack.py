"""`pestle connect slack`: a manifest that names what the code listens to, checks that say what is missing."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from adapters.slack.inbound import HEARD
from adapters.slack.manifest import EVENTS, NEEDED, SCOPES, SHORTCUTS, manifest
from adapters.slack.serve import PATHS
from tests.adapters.cli.app_rules import check_slack
from tests.adapters.cli.conftest import Pestle
from tests.journey.slack import LOCAL, served
from tests.journey.waiting import free_port

ALL = ",".join(SCOPES)


class Workspace:
    """As much of Slack as the checks ask."""

    def __init__(self) -> None:
        self.scopes = ALL
        self.refused: dict[str, str] = {}
        self.posted: list[dict[str, Any]] = []

    async def call(self, request: Request) -> Response:
        method = request.path_params["method"]
        if error := self.refused.get(method):
            return JSONResponse({"ok": False, "error": error})
        if method == "chat.postMessage":
            self.posted.append(dict(await request.json()))
        told = {"ok": True, "team": "Lab", "user": "pestle", "ts": "1.0", "url": "wss://x"}
        return JSONResponse(told, headers={"x-oauth-scopes": self.scopes})


@pytest.fixture
def workspace(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    found, port = Workspace(), free_port()
    monkeypatch.setenv("PESTLE_SLACK_BASE_URL", f"{LOCAL}:{port}/api/")
    monkeypatch.setenv("PESTLE_SLACK_BOT_TOKEN", "xoxb-test")
    app = Starlette(routes=[Route("/api/{method}", found.call, methods=["POST"])])
    with served(app, port):
        yield found


def test_the_manifest_names_the_addresses_that_the_bot_listens_on() -> None:
    made = manifest("https://pestle.lab")
    named = set(re.findall(r"https://pestle\.lab(/[\w/]+)", json.dumps(made)))
    assert named == set(PATHS)
    assert made["settings"]["socket_mode_enabled"] is False


def test_without_an_address_the_manifest_is_for_a_socket() -> None:
    made = manifest()
    assert made["settings"]["socket_mode_enabled"] is True
    assert "https://" not in json.dumps(made)


def test_every_event_that_is_subscribed_to_is_listened_to() -> None:
    assert {event.partition(".")[0] for event in EVENTS} == HEARD
    assert {callback for callback, _, _ in SHORTCUTS} == {"check_claim", "refine_section"}
    assert set(NEEDED) <= set(SCOPES)
    assert all(len(title) <= 24 for _, title, _ in SHORTCUTS)


@pytest.mark.parametrize("address", ["", "https://pestle.lab"])
def test_the_manifest_is_one_that_slack_takes(address: str) -> None:
    check_slack(manifest(address))


def test_a_manifest_that_slack_would_refuse_fails_the_check() -> None:
    long = manifest(name="Pestle" * 6)
    with pytest.raises(ValidationError):
        check_slack(long)
    deaf = manifest()
    deaf["oauth_config"]["scopes"]["bot"].remove("groups:history")
    with pytest.raises(AssertionError):
        check_slack(deaf)


def test_the_manifest_is_written_and_the_next_steps_are_told(pestle: Pestle, tmp_path: Path) -> None:
    place = tmp_path / "slack.json"
    told = pestle("connect", "slack", "--url", "https://pestle.lab/x", "--manifest", str(place)).out
    assert json.loads(place.read_text())["settings"]["event_subscriptions"]["request_url"] == (
        "https://pestle.lab/slack/events"
    )
    assert "PESTLE_SLACK_BOT_TOKEN" in told
    assert "From a manifest" in told


def test_tokens_and_rights_are_checked_and_a_hello_is_said(
    workspace: Workspace,
    pestle: Pestle,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PESTLE_SLACK_APP_TOKEN", "xapp-test")
    told = " ".join(pestle("connect", "slack", "--channel", "#tox").out.split())
    assert "✓ The bot token is right: pestle in Lab." in told
    assert "✓ The app token opens a socket." in told
    assert "✓ Said hello in #tox." in told
    assert "missing" not in told
    assert [one["channel"] for one in workspace.posted] == ["#tox"]


def test_a_missing_right_is_told_with_what_it_costs(workspace: Workspace, pestle: Pestle) -> None:
    workspace.scopes = ALL.replace(",files:write", "")
    told = " ".join(pestle("connect", "slack").out.split())
    assert "The right files:write is missing: no pictures, tables and exports as files." in told
    assert "install the app once more" in told
    assert "PESTLE_SLACK_SIGNING_SECRET" in told


@pytest.mark.parametrize(
    ("method", "error", "said"),
    [
        ("auth.test", "invalid_auth", "xoxb-"),
        ("apps.connections.open", "not_allowed_token_type", "connections:write"),
        ("chat.postMessage", "not_in_channel", "/invite"),
    ],
)
def test_what_slack_refuses_is_told_with_what_to_do(
    workspace: Workspace,
    pestle: Pestle,
    monkeypatch: pytest.MonkeyPatch,
    method: str,
    error: str,
    said: str,
) -> None:
    monkeypatch.setenv("PESTLE_SLACK_APP_TOKEN", "xapp-test")
    workspace.refused[method] = error
    failed = pestle("connect", "slack", "--channel", "#tox")
    assert failed.code == 2
    assert error in failed.err
    assert said in failed.err


def test_an_address_without_tls_is_refused(pestle: Pestle) -> None:
    failed = pestle("connect", "slack", "--url", "http://pestle.lab")
    assert (failed.code, "no https address" in failed.err) == (2, True)
