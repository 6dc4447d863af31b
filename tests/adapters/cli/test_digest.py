"""`pestle digest`, and the scheduler's process."""

from pathlib import Path

from tests.adapters.cli.conftest import Pestle


def test_a_digest_is_ordered_listed_muted_and_deleted_in_the_terminal(pestle: Pestle, home: Path) -> None:
    schedule, place = "every weekday 08:30 Europe/Zurich", ("--in", "slack:C1:17.3")
    ordered = pestle("digest", "add", schedule, "about", "KP-100", *place)
    assert ordered.code == 0, ordered.err
    assert f"Digest 1 about KP-100 comes {schedule}" in " ".join(ordered.out.split())
    assert pestle("digest", "mute", "1").code == 0
    assert f"1 {schedule} about KP-100: muted" in " ".join(pestle("digest").out.split())
    assert "Digest 1 is deleted." in pestle("digest", "delete", "1").out
    assert pestle("digest", "preview", "1").code == 2


def test_a_schedule_that_is_none_is_one_sentence_and_a_code(pestle: Pestle, home: Path) -> None:
    refused = pestle("digest", "add", "now and then")
    assert (refused.code, "Write a schedule such as" in refused.err) == (2, True)


def test_the_scheduler_of_a_team_needs_its_queue(pestle: Pestle, home: Path) -> None:
    refused = pestle("scheduler")
    assert (refused.code, "PESTLE_REDIS_URL" in refused.err) == (2, True)
