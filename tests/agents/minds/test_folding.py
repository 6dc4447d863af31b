"""Findings of one make share a line, and nothing of them is lost."""

import re

from hypothesis import given
from hypothesis import strategies as st

from agents.minds.folding import folded
from agents.minds.work import Sentence, Summary

LEVELS = [
    f"In the atlas, the mean expression of ZORB1 in {organ} TPM." for organ in ("Lung is 3", "Liver is 1")
]


def test_neighbours_of_one_make_say_once_what_they_share() -> None:
    more = "In the atlas, the mean expression of ZORB1 in Brain - Cortex is 0.5 TPM."
    (line,) = folded([(text, "E1") for text in (*LEVELS, more)])
    assert line == (
        "- In the atlas, the mean expression of ZORB1 in … TPM. [E1] "
        "Each … in turn: Lung is 3; Liver is 1; Brain - Cortex is 0.5"
    )


def test_two_sentences_or_other_keys_stand_by_themselves() -> None:
    told = [(LEVELS[0], "E1"), (LEVELS[1], "E1"), (LEVELS[0], "E2"), ("Mice die.", "")]
    assert list(folded(told)) == [
        f"- {LEVELS[0]} [E1]",
        f"- {LEVELS[1]} [E1]",
        f"- {LEVELS[0]} [E2]",
        "- Mice die.",
    ]


@given(st.lists(st.sampled_from(["Lung", "Liver", "left heart", "skin of the lower leg"]), min_size=1))
def test_every_sentence_can_be_read_back(organs: list[str]) -> None:
    sentences = [f"The public atlas finds ZORB1 in {organ} of adults." for organ in organs]
    lines = Summary(tuple(Sentence(one, ("E1",)) for one in sentences)).text.splitlines()
    back = []
    for line in lines:
        frame, _, items = line.removeprefix("- ").partition(" [E1]")
        listed = re.sub(r"^ Each … in turn: ", "", items)
        back += [frame.replace("…", item) for item in listed.split("; ")] if items else [frame]
    assert [" ".join(one.split()).rstrip(".") for one in back] == [one.rstrip(".") for one in sentences]
