"""From a question in a channel to a cited answer in its thread, through the team's real processes.

What people see of it is the same in every skin; what a process that dies leaves behind is tried in one.
"""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.journey.conftest import Place
from tests.journey.waiting import PATIENCE_S, wait_for

pytestmark = [
    pytest.mark.service("slack"),
    pytest.mark.service("teams"),
    pytest.mark.service("redis"),
    pytest.mark.timeout(600),
]
every_skin = pytest.mark.skins("slack", "teams")

QUESTION = "What was the NOAEL of QX-201 in rats?"


def answers(place: Place, thread: str) -> list[dict[str, Any]]:
    """The finished answers in a thread, once there is one."""
    return wait_for(lambda: place.peer.of_slot(thread, "answer"), PATIENCE_S, "an answer")


@contextmanager
def held(place: Place, *roles: str) -> Iterator[None]:
    """Runs wait at the first model call of these roles."""
    place.gate.shut(*roles)
    try:
        yield
    finally:
        place.gate.open()


@every_skin
@pytest.mark.usefixtures("worker")
def test_a_question_is_answered_in_its_thread_with_citations_once(place: Place) -> None:
    before = len(place.network.acknowledged)
    thread = place.peer.ask(QUESTION)
    (answer,) = answers(place, thread)
    assert "15 mg/kg/day" in place.peer.words(answer)
    assert "[1]" in place.peer.words(answer)
    assert "The NOAEL of QX-201 in rats was 15 mg/kg/day." in place.peer.words(answer)
    (progress,) = place.peer.of_slot(thread, "progress")
    assert "Done" in place.peer.words(progress)
    assert place.network.updates >= 1
    assert [status for status, _ in place.network.acknowledged[before : before + 3]] == [200, 200, 200]


@every_skin
@pytest.mark.usefixtures("worker")
def test_a_follow_up_without_mention_knows_its_molecule(place: Place) -> None:
    thread = place.peer.ask("What was the highest dose of QX-201 in the multiple ascending dose study?")
    assert "120 mg" in place.peer.words(answers(place, thread)[0])
    place.peer.say("And what was the first-in-human dose?", thread=thread, user="bob")
    both = wait_for(
        lambda: found if len(found := place.peer.of_slot(thread, "answer")) == 2 else None,
        PATIENCE_S,
        "the second answer",
    )
    assert "2 mg" in place.peer.words(both[1])
    assert "RV-77" not in place.peer.words(both[1])


@every_skin
@pytest.mark.usefixtures("worker")
def test_stop_gives_what_was_found_so_far(place: Place) -> None:
    with held(place, "research"):
        thread = place.peer.ask("What was the first-in-human dose of QX-201 and of RV-77?")
        wait_for(lambda: place.gate.arrived, PATIENCE_S, "the run to be half-way")
        place.peer.say("please stop", thread=thread)
        wait_for(lambda: place.peer.of_slot(thread, "reply"), PATIENCE_S, "stop to be heard")
        place.gate.open()
        (answer,) = answers(place, thread)
        assert "Partial answer: stopped on request" in place.peer.words(answer)
        assert "2 mg" in place.peer.words(answer)
        place.peer.say("resume", thread=thread)
        whole = wait_for(lambda: _whole(place, thread), PATIENCE_S, "the whole answer")
    assert "2 mg" in place.peer.words(whole)
    assert "7 mg" in place.peer.words(whole)


@every_skin
@pytest.mark.usefixtures("worker")
def test_an_answer_is_judged_and_refined_by_a_reply(place: Place) -> None:
    thread = place.peer.ask(QUESTION)
    answers(place, thread)
    place.peer.judge(thread, "down", "say for how long")
    judged = wait_for(lambda: _shows(place, thread, "👎 1"), PATIENCE_S, "the judgement to be shown")
    assert "15 mg/kg/day" in place.peer.words(judged)
    place.peer.say("append: Dosing lasted for 28 days.", thread=thread, user="bob")
    refined = wait_for(lambda: _shows(place, thread, "28 days."), PATIENCE_S, "the answer as refined")
    assert "15 mg/kg/day" in place.peer.words(refined)
    assert len(place.peer.of_slot(thread, "answer")) == 1


def _whole(place: Place, thread: str) -> dict[str, Any] | None:
    """The thread's answer, once it is no partial one."""
    found = place.peer.of_slot(thread, "answer")
    return found[0] if found and "Partial answer" not in place.peer.words(found[0]) else None


def _shows(place: Place, thread: str, text: str) -> dict[str, Any] | None:
    """The thread's answer, once it shows this."""
    found = place.peer.of_slot(thread, "answer")
    return found[0] if found and text in place.peer.words(found[0]) else None


@pytest.mark.drill
def test_a_worker_killed_half_way_is_replaced_and_the_answer_arrives_once(place: Place) -> None:
    thread = place.peer.ask(QUESTION)
    with held(place, "research"), place.team.process("worker") as first:
        wait_for(lambda: place.gate.arrived, PATIENCE_S, "the run to be half-way")
        first.send_signal(signal.SIGKILL)
        first.wait()
    assert place.peer.of_slot(thread, "answer") == []
    with place.team.process("worker"):
        (answer,) = answers(place, thread)
        time.sleep(2)
    assert "15 mg/kg/day" in place.peer.words(answer)
    assert len(place.peer.of_slot(thread, "answer")) == 1
    assert len(place.peer.of_slot(thread, "progress")) == 1


@pytest.mark.drill
def test_a_deploy_hands_a_run_over_within_seconds(place: Place) -> None:
    thread = place.peer.ask(QUESTION)
    with held(place, "research"), place.team.process("worker") as first:
        wait_for(lambda: place.gate.arrived, PATIENCE_S, "the run to be half-way")
        first.send_signal(signal.SIGTERM)
        assert first.wait(15) == 0
    with place.team.process("worker"):
        assert len(answers(place, thread)) == 1


@pytest.mark.drill
def test_an_answer_that_finds_no_bot_is_posted_by_the_next_one(place: Place) -> None:
    with held(place, "research"), place.team.process("worker"):
        thread = place.peer.ask(QUESTION)
        wait_for(lambda: place.gate.arrived, PATIENCE_S, "the run to be half-way")
        place.end_bot(signal.SIGKILL)
        place.gate.open()
        time.sleep(2)
    assert place.peer.of_slot(thread, "answer") == []
    place.start_bot()
    assert len(answers(place, thread)) == 1
    assert len(place.peer.of_slot(thread, "progress")) == 1


@pytest.mark.drill
@pytest.mark.usefixtures("worker")
def test_slack_that_asks_to_wait_or_loses_an_answer_sees_every_card_once(place: Place) -> None:
    place.network.busy += [1, 1]
    place.network.lost += ["chat.postMessage"]
    thread = place.peer.ask(QUESTION)
    answers(place, thread)
    time.sleep(3)
    assert len(place.peer.of_slot(thread, "progress")) == 1
    assert len(place.peer.of_slot(thread, "answer")) == 1
    assert place.network.lost == []
