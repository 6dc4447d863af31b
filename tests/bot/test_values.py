"""Values of the conversation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.values import ThreadRef, about, answer_slot, progress_slot, request_slot, section_slot

TRICKY = st.text(alphabet=":%3A25ab") | st.text()


@given(TRICKY, TRICKY, TRICKY)
def test_any_place_comes_back_from_its_thread_id(platform: str, channel: str, thread: str) -> None:
    place = ThreadRef(platform, channel, thread)
    assert ThreadRef.parse(place.thread_id) == place


def test_a_teams_channel_keeps_its_colons() -> None:
    place = ThreadRef("teams", "19:abc@thread.tacv2", "19:abc@thread.tacv2;messageid=17")
    assert place.thread_id == "teams:19%3Aabc@thread.tacv2:19:abc@thread.tacv2;messageid=17"
    assert ThreadRef.parse(place.thread_id) == place


@pytest.mark.parametrize(
    "stored", ["web:general:1", "slack:C024:1712.0042", "cli-a.b:terminal:a.b", "web:c:a:b"]
)
def test_ids_that_are_stored_already_stay_the_same(stored: str) -> None:
    assert ThreadRef.parse(stored).thread_id == stored


@pytest.mark.parametrize(
    ("slot", "meant"),
    [
        (progress_slot("r1"), ("r1", "")),
        (answer_slot("r1"), ("r1", "")),
        (request_slot("r1", "approve:x"), ("r1", "")),
        (section_slot("r1", "liver"), ("r1", "liver")),
        ("reply:slack:C1.17", ("", "")),
    ],
)
def test_a_slot_says_which_run_and_section_it_shows(slot: str, meant: tuple[str, str]) -> None:
    assert about(slot) == meant
