"""Polls as values: what closes them, and what they end with."""

import pytest

from agents.runs.polls import Ballot, Closing, Poll, PollResult, closed

AB = ("A", "B")
NAMED = ("ana", "@Ben", "<@cem>", "dia")


def cast(*choices: str) -> tuple[Ballot, ...]:
    people = (name.strip("<@>").lower() for name in NAMED)
    return tuple(Ballot(by, tuple(one), "") for by, one in zip(people, choices, strict=False))


@pytest.mark.parametrize(
    ("poll", "choices", "closes"),
    [
        (Poll("?", AB, quorum=2), "A", None),
        (Poll("?", AB, quorum=2), "AB", Closing.QUORUM),
        (Poll("?", AB, Closing.ALL, NAMED), "AAB", None),
        (Poll("?", AB, Closing.ALL, NAMED), "AABB", Closing.ALL),
        (Poll("?", AB, Closing.MAJORITY, NAMED), "AA", None),
        (Poll("?", AB, Closing.MAJORITY, NAMED), "ABAA", Closing.MAJORITY),
        (Poll("?", AB, Closing.MAJORITY, quorum=3), "AA", None),
        (Poll("?", AB, Closing.MAJORITY, quorum=2), "AB", None),
        (Poll("?", AB, Closing.MAJORITY, quorum=2), "ABA", Closing.MAJORITY),
        (Poll("?", AB, Closing.DEADLINE, seconds=60), "AAAA", None),
    ],
)
def test_rule_of_closing(poll: Poll, choices: str, closes: Closing | None) -> None:
    assert closed(poll, cast(*choices)) is closes


@pytest.mark.parametrize(("choices", "winner"), [("AAB", "A"), ("AB", ""), ("A", ""), ("", "")])
def test_winner_needs_a_quorum_and_no_tie(choices: str, winner: str) -> None:
    poll = Poll("?", AB, Closing.DEADLINE, quorum=2, seconds=60)
    result = PollResult(poll, cast(*choices), Closing.DEADLINE)
    assert result.winner == winner
    assert sum(result.tally.values()) == len(choices)


def test_who_may_vote_is_known_however_a_mention_is_written() -> None:
    poll = Poll("?", AB, voters=NAMED)
    assert all(map(poll.admits, ("ana", "ben", "CEM", "@dia")))
    assert not poll.admits("eva")


@pytest.mark.parametrize(
    "wrong",
    [
        {"options": ("A",)},
        {"options": ("A", "A")},
        {"options": tuple("ABCDEFGHIJK")},
        {"quorum": 0},
        {"quorum": 3, "voters": AB},
        {"closes": Closing.ALL},
        {"closes": Closing.DEADLINE},
    ],
)
def test_poll_that_cannot_be_held_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="poll"):
        Poll(**{"question": "?", "options": AB, **wrong})  # type: ignore[arg-type]
