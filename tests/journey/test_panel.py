"""Runs that people steer from their thread, through the team's real processes: a panel, and a program."""

import html
import re
import sys

import pytest

from tests.journey.conftest import Place
from tests.journey.teams import Playground
from tests.journey.waiting import PATIENCE_S, wait_for

pytestmark = [
    pytest.mark.service("slack"),
    pytest.mark.service("teams"),
    pytest.mark.service("redis"),
    pytest.mark.service("sandbox"),
    pytest.mark.timeout(600),
]
COMMAND = (sys.executable, "-m", "tests.journey.with_kinds")
"""How the processes of these journeys are started."""


def read(place: Place, thread: str) -> str:
    """Everything that the bot's messages show in a thread, emphasis aside."""
    peer = place.peer
    if isinstance(peer, Playground):
        told = [peer.words(message) for at, message in [*place.network.messages.values()] if at == thread]
    else:
        told = [peer.words(message) for message in peer.from_bot(thread)]
    return html.unescape(re.sub(r"[*`]", "", " ".join(told)))


def shows(place: Place, thread: str, *texts: str) -> None:
    try:
        wait_for(lambda: all(text in read(place, thread) for text in texts), PATIENCE_S, "a text to be shown")
    except AssertionError:
        raise AssertionError(f"{texts} cannot be read in:\n{read(place, thread)}") from None


@pytest.mark.skins("slack", "teams")
@pytest.mark.usefixtures("worker")
def test_a_panel_is_steered_by_two_people_in_its_thread(place: Place) -> None:
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


@pytest.mark.skins("slack", "teams")
@pytest.mark.usefixtures("worker")
def test_a_program_is_shown_whole_approved_and_its_files_come_back(place: Place) -> None:
    thread = place.peer.ask("compute 10 20 33")
    shows(place, thread, "Proposed by the example.", "May mean.sh run?", "It touches out/plot.png.")
    shows(place, thread, "mean.sh", "doses.csv")
    if isinstance(place.peer, Playground):
        place.peer.press(thread, "answer")
    else:
        place.peer.say("approve", thread=thread)  # the emulator has no buttons
    shows(place, thread, "mean dose 21 mg", "(computed)", "from mean.sh, doses.csv")
    shows(place, thread, "plot.png", "mean.txt")
