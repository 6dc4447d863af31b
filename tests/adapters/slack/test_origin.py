"""Whose message it is: what Slack does not say is not trusted."""

from typing import Any

import pytest

from adapters.slack.origin import origin_of_event, origin_of_press
from bot.values import Origin

HOME = frozenset({"T1", "E1"})


@pytest.mark.parametrize(
    ("event", "body", "origin"),
    [
        ({"team": "T1"}, {}, Origin(("T1",))),
        ({}, {"team_id": "T1"}, Origin(("T1",))),
        ({"team": "T1", "user_team": "T2"}, {"team_id": "T1"}, Origin(("T1", "T2"), foreign=True)),
        ({"team": "T1"}, {"is_ext_shared_channel": True}, Origin(("T1",), shared=True)),
        ({}, {"team_id": "T1", "is_ext_shared_channel": True}, Origin((), foreign=True, shared=True)),
        ({"channel": "D1", "team": "T1"}, {}, Origin(("T1",), direct=True)),
        ({"team": ["T1"]}, {}, Origin((), foreign=True)),
    ],
)
def test_origin_of_a_message(event: dict[str, Any], body: dict[str, Any], origin: Origin) -> None:
    assert origin_of_event({**body, "event": event}, HOME) == origin


def test_origin_of_a_press_is_that_of_its_user() -> None:
    pressed = {"user": {"team_id": "T2"}, "team": {"id": "T1"}, "channel": {"id": "C1"}}
    assert origin_of_press(pressed, HOME) == Origin(("T2",), foreign=True)
    assert origin_of_press({"team": {"id": "T1"}}, HOME) == Origin((), foreign=True)
