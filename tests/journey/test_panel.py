"""A run that several people steer from their thread, through the team's real processes."""

import re
import sys

import pytest

from tests.journey.conftest import Place
from tests.journey.teams import Playground
from tests.journey.waiting import wait_for

pytestmark = [
    pytest.mark.service("slack"),
    pytest.mark.service("teams"),
    pytest.mark.service("redis"),
    pytest.mark.timeout(240),
]
COMMAND = (sys.executable, "-m", "tests.journey.with_panel")
"""How the processes of these journeys are started."""
PATIENCE_S = 60.0


def read(place: Place, thread: str) -> str:
    """Everything that the bot's messages show in a thread, emphasis aside."""
    peer = place.peer
    if isinstance(peer, Playground):
        told = [peer.words(message) for at, message in [*place.network.messages.values()] if at == thread]
    else:
        told = [peer.words(message) for message in peer.from_bot(thread)]
    return re.sub(r"[*`]", "", " ".join(told))


def shows(place: Place, thread: str, *texts: str) -> None:
    wait_for(lambda: all(text in read(place, thread) for text in texts), PATIENCE_S, f"{texts} to be shown")


@pytest.mark.skins("slack", "teams")
def test_a_panel_is_steered_by_two_people_in_its_thread(place: Place) -> None:
    with place.team.process("worker"):
        thread = place.peer.ask("panel 2: fish dog")
        shows(place, thread, "Candidates", "fish")
        place.peer.say("cat, please", thread=thread, user="bob")
        shows(place, thread, "Heard: 1 so far")
        shows(place, thread, "Please vote", "cat, please")
        if isinstance(place.peer, Playground):
            place.peer.press(thread, "vote")
        else:
            place.peer.say("vote 1", thread=thread)  # the emulator has no buttons
        shows(place, thread, "1 has voted")
        place.peer.say("I vote for fish", thread=thread, user="bob")
        shows(place, thread, "The poll is closed", "Most want fish.", "May this program run?", "run.R")
        if isinstance(place.peer, Playground):
            shows(place, thread, "the last line")
        place.peer.say("approve", thread=thread)
        shows(place, thread, "The panel chose fish")
    assert read(place, thread).count("The poll is closed") <= 2, "in the card and its notification"
