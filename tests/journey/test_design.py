"""A debate that two people steer from their thread, through the team's real processes.

Its model answers nobody, so that the scientists go on with their rules.
"""

import sys

import pytest

from tests.agents.design.kit import START
from tests.journey.conftest import Place
from tests.journey.slack import Workspace
from tests.journey.test_panel import shows

COMMAND = (sys.executable, "-m", "tests.journey.with_kinds")
"""How the processes of this journey are started: with the code beside it."""
WISH = "brain-penetrant, TPSA at most 70"

pytestmark = [
    pytest.mark.service("slack"),
    pytest.mark.service("teams"),
    pytest.mark.service("redis"),
    pytest.mark.timeout(900),
]


@pytest.mark.skins("slack", "teams")
@pytest.mark.usefixtures("worker")
def test_two_people_veto_pin_propose_and_vote_in_a_debate_of_three_rounds(place: Place) -> None:
    thread = place.peer.ask(f"design ABC1 inhibitors like {START}, {WISH}, 3 rounds, 1 proposals, vote of 2")
    shows(place, thread, "May the debate start with these goals?")
    place.peer.say("start", thread=thread)
    shows(place, thread, "Round 1")
    said = (("bob", "veto 2"), ("alice", "pin 1"), ("bob", "try NC(=O)c1ccc(Cl)cc1"))
    for heard, (user, words) in enumerate(said, start=1):
        place.peer.say(words, thread=thread, user=user)
        shows(place, thread, f"Heard: {heard}")
    shows(place, thread, "Round 2", "Round 3", "Which of these molecules would you make?")
    place.peer.say("vote 1", thread=thread)
    place.peer.say("vote 2", thread=thread, user="bob")
    shows(place, thread, "The poll is closed", "is ranked first of", "vetoed: M2", "pinned: M1")
    if isinstance(place.peer, Workspace):
        drawn = [one["filetype"] for told in place.peer.from_bot(thread) for one in told.get("files", ())]
        assert "png" in drawn
