"""From a question in a Slack channel to a cited answer in its thread, through the team's real processes."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.journey.conftest import Place
from tests.journey.slack import words
from tests.journey.waiting import wait_for

pytestmark = [pytest.mark.service("slack"), pytest.mark.service("redis"), pytest.mark.timeout(180)]

QUESTION = "What was the NOAEL of QX-201 in rats?"
PATIENCE_S = 60.0
ACKNOWLEDGED_S = 3.0
"""Slack sends an event again when it is not acknowledged within this time."""


def answers(place: Place, thread: str) -> list[dict[str, Any]]:
    """The finished answers in a thread, once there is one."""
    return wait_for(lambda: place.slack.of_slot(thread, "answer"), PATIENCE_S, "an answer")


@contextmanager
def held(place: Place, *roles: str) -> Iterator[None]:
    """Runs wait at the first model call of these roles."""
    place.gate.shut(*roles)
    try:
        yield
    finally:
        place.gate.open()


def test_a_question_is_answered_in_its_thread_with_citations_once(place: Place) -> None:
    before = len(place.network.acknowledged)
    thread = place.slack.ask(QUESTION)
    with place.team.process("worker"):
        (answer,) = answers(place, thread)
    assert "15 mg/kg/day" in words(answer)
    assert "[1]" in words(answer)
    assert "The NOAEL of QX-201 in rats was 15 mg/kg/day." in words(answer)
    (progress,) = place.slack.of_slot(thread, "progress")
    assert "Done" in words(progress)
    assert place.network.calls.count("chat.update") >= 1
    deliveries = place.network.acknowledged[before : before + 3]
    assert [status for status, _ in deliveries] == [200, 200, 200]
    assert max(seconds for _, seconds in deliveries) < ACKNOWLEDGED_S


def test_a_follow_up_without_mention_knows_its_molecule(place: Place) -> None:
    with place.team.process("worker"):
        thread = place.slack.ask("What was the highest dose of QX-201 in the multiple ascending dose study?")
        assert "120 mg" in words(answers(place, thread)[0])
        place.slack.say("And what was the first-in-human dose?", thread=thread, user="bob")
        both = wait_for(
            lambda: found if len(found := place.slack.of_slot(thread, "answer")) == 2 else None,
            PATIENCE_S,
            "the second answer",
        )
    assert "2 mg" in words(both[1])
    assert "RV-77" not in words(both[1])


def test_stop_gives_what_was_found_so_far(place: Place) -> None:
    with place.team.process("worker"), held(place, "supervise"):
        thread = place.slack.ask("What was the first-in-human dose of QX-201 and of RV-77?")
        wait_for(lambda: place.gate.arrived, PATIENCE_S, "the run to be half-way")
        place.slack.say("please stop", thread=thread)
        wait_for(lambda: place.slack.of_slot(thread, "reply"), PATIENCE_S, "stop to be heard")
        place.gate.open()
        (answer,) = answers(place, thread)
    assert "Partial answer: stopped on request" in words(answer)
    assert "2 mg" in words(answer)
    assert "resume" in words(answer)


def test_a_worker_killed_half_way_is_replaced_and_the_answer_arrives_once(place: Place) -> None:
    thread = place.slack.ask(QUESTION)
    with held(place, "research"), place.team.process("worker") as first:
        wait_for(lambda: place.gate.arrived, PATIENCE_S, "the run to be half-way")
        first.send_signal(signal.SIGKILL)
        first.wait()
    assert place.slack.of_slot(thread, "answer") == []
    with place.team.process("worker"):
        (answer,) = answers(place, thread)
        time.sleep(2)
    assert "15 mg/kg/day" in words(answer)
    assert len(place.slack.of_slot(thread, "answer")) == 1
    assert len(place.slack.of_slot(thread, "progress")) == 1


def test_a_deploy_hands_a_run_over_within_seconds(place: Place) -> None:
    thread = place.slack.ask(QUESTION)
    with held(place, "research"), place.team.process("worker") as first:
        wait_for(lambda: place.gate.arrived, PATIENCE_S, "the run to be half-way")
        first.send_signal(signal.SIGTERM)
        assert first.wait(15) == 0
    with place.team.process("worker"):
        assert len(answers(place, thread)) == 1


def test_an_answer_that_finds_no_bot_is_posted_by_the_next_one(place: Place) -> None:
    with held(place, "research"), place.team.process("worker"):
        thread = place.slack.ask(QUESTION)
        wait_for(lambda: place.gate.arrived, PATIENCE_S, "the run to be half-way")
        place.end_bot(signal.SIGKILL)
        place.gate.open()
        time.sleep(2)
    assert place.slack.of_slot(thread, "answer") == []
    place.start_bot()
    assert len(answers(place, thread)) == 1
    assert len(place.slack.of_slot(thread, "progress")) == 1


def test_slack_that_asks_to_wait_or_loses_an_answer_sees_every_card_once(place: Place) -> None:
    place.network.busy += [1, 1]
    place.network.lost += ["chat.postMessage"]
    with place.team.process("worker"):
        thread = place.slack.ask(QUESTION)
        answers(place, thread)
        time.sleep(3)
    assert len(place.slack.of_slot(thread, "progress")) == 1
    assert len(place.slack.of_slot(thread, "answer")) == 1
    assert place.network.lost == []
