"""What a watch compares: a label's words on the outcome, not its date, and not the rest of the label."""

import json
from dataclasses import replace

import pytest

from agents.databases.labels import LabelPassage, MemoryLabels
from agents.databases.memory import MemoryBulk
from agents.databases.ndc import Ndc
from agents.databases.prescriptions import Prescriptions
from agents.kinds import Watch
from agents.runs.encoding import decode, encode
from agents.vigilance.classes import class_of
from agents.vigilance.finder.find import Finder
from agents.vigilance.outcomes import outcome_of
from agents.vigilance.watch import Watched, changes, watched
from agents.vigilance.watching import key_of, watch_on

WARNED = LabelPassage(
    "1/w/1", "INVENTOL", "warnings", "Inventol can cause gout.", "set-1", "2026-01-02", ("inventol",)
)
OTHER = replace(WARNED, id="1/d/1", section="description", text="A white powder.")


async def seen(*passages: LabelPassage) -> Watched:
    labels, bulk = MemoryLabels(passages), MemoryBulk()
    finder = Finder(Ndc(bulk), Prescriptions(bulk), labels)
    return await watched(finder, labels, class_of("inventol"), outcome_of("gout"))


async def test_a_label_is_watched_by_set_id_day_and_its_words_on_the_outcome() -> None:
    found = await seen(WARNED, OTHER)
    (label,) = found.labels
    assert (label.ingredient, label.set_id, label.effective) == ("inventol", "set-1", "2026-01-02")
    assert decode(Watched, encode(Watched, found)[0], "watch") == found
    assert (await seen(OTHER)).labels[0].digest == ""
    assert (await seen()).labels == ()


async def test_other_words_on_the_outcome_are_a_change_and_a_new_day_alone_is_none() -> None:
    before = await seen(WARNED, OTHER)
    day = "2026-11-22"
    newer, elsewhere = replace(WARNED, effective=day), replace(OTHER, text="A blue powder.", effective=day)
    assert changes(before, await seen(newer, elsewhere)) == ()
    told = changes(before, await seen(replace(newer, text="Inventol can cause severe gout."), elsewhere))
    assert told == ("The label of 2026-11-22 of inventol says something else of gout than before.",)


async def test_a_first_label_and_a_last_one_are_told() -> None:
    none, one = Watched("inventol", "gout", (), ("inventol",)), await seen(WARNED)
    assert changes(none, one) == ("A label of inventol is read for the first time.",)
    assert changes(one, none) == ("The label of inventol is no longer read for inventol.",)


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("ACE inhibitors for angioedema", ["ACE inhibitors", "angioedema"]),
        ("the labels of ACE inhibitors and angioedema.", ["ACE inhibitors", "angioedema"]),
        ("inventol for purple toes", ["inventol", "purple toes"]),
        ("inventol", []),
    ],
)
def test_what_a_watch_is_on_is_read_from_a_persons_words(words: str, key: list[str]) -> None:
    found = json.loads(key_of(words) or "[]")
    assert [part.casefold() for part in found] == [part.casefold() for part in key]


async def test_a_watch_of_a_channel_looks_again_and_tells_what_is_new() -> None:
    bulk = MemoryBulk()

    def watch(*passages: LabelPassage) -> Watch:
        labels = MemoryLabels(passages)
        return watch_on(lambda: (Finder(Ndc(bulk), Prescriptions(bulk), labels), labels))

    key = key_of("inventol for gout")
    before = await watch(WARNED).look(key)
    later = watch(replace(WARNED, text="Inventol can cause severe gout.", effective="2026-11-22"))
    assert later.news(before, await watch(WARNED).look(key)) == ()
    (told,) = later.news(before, await later.look(key))
    assert "says something else of gout" in told
