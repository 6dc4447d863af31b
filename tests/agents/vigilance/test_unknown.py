"""Outcomes that the table does not know: asked back, told as not known, or truly not in the label."""

from dataclasses import replace
from datetime import timedelta

from agents.runs.clock import utc_now
from agents.vigilance.kind import KIND
from agents.vigilance.understand import ordered
from agents.vigilance.unknown import AGED, UNDATED, of_old_labels
from agents.vigilance.values import Assessment, Effect
from tests.agents.vigilance.kit import LABELLED, assessed, desk, world

OTHER = {"drug": "RAMIPRIL", "section": "adverse_reactions", "text": "Sarcoidosis and hypercalcemia."}


async def answer(question: str) -> Assessment:
    return await assessed(question, desk(world([*LABELLED, OTHER])))


async def test_one_outcome_that_is_spelt_nearly_like_a_known_one_is_asked_back() -> None:
    shown = KIND.report(await answer("ACE inhibitors: bradicardia"))
    assert shown.ask_back.startswith("“bradicardia” is no outcome that is known here")
    assert shown.options == ("bradycardia", "bradicardia, as it is written")


async def test_who_means_the_very_words_is_told_that_nothing_is_known() -> None:
    order = ordered("ACE inhibitors: bradicardia")
    meant = replace(order, outcomes=(replace(order.outcomes[0], as_written=True),))
    made = await assessed(meant)
    assert not made.ask_back
    assert made.cells[0].confidence == 0.5


async def test_what_another_label_mentions_is_spelt_right_and_not_in_these_labels() -> None:
    for outcome in ("sarcoidosis", "hypercalcemia"):
        made = await answer(f"ACE inhibitors: {outcome}")
        assert not made.ask_back
        assert not made.unfamiliar
        assert made.cells[0].confidence == UNDATED
        assert "by this name" in KIND.report(made).short


async def test_what_no_label_and_no_table_knows_is_not_known_to_be_absent() -> None:
    made = await answer("ACE inhibitors: purple hairlessness")
    assert (made.cells[0].effect, made.cells[0].confidence) == (Effect.NO_EFFECT, 0.5)
    assert {one.confidence for one in made.cells[0].drugs} == {0.5}
    shown = KIND.report(made)
    assert shown.short == (
        "ACE inhibitors: an effect on purple hairlessness is not known: no label that was read has it."
    )
    assert "no known effect" not in str(shown)


async def test_the_silence_of_old_labels_tells_their_age_and_is_less_sure() -> None:
    made = await assessed("ACE inhibitors: hip fracture")
    assert "The labels that were read bear no date" in str(KIND.report(made))
    for days, sure in ((AGED + 2, False), (1, True)):
        day = (utc_now() - timedelta(days)).date().isoformat()
        drugs = tuple(replace(one, newest=day, confidence=0.9) for one in made.cells[0].drugs)
        cell = of_old_labels(replace(made.cells[0], confidence=0.9, drugs=drugs, notes=()))
        assert (cell.confidence > UNDATED) is sure
        told = f"The newest label that was read is of {day[:4]}"
        assert told in str(KIND.report(replace(made, cells=(cell,))))


async def test_in_a_table_the_cell_says_so_and_names_what_is_spelt_nearly_so() -> None:
    made = await answer("ACE inhibitors, warfarin x bradicardia, angioedema")
    assert not made.ask_back
    cells = {(one.category, one.outcome): one for one in made.cells}
    assert cells["ACE inhibitors", "angioedema"].effect is Effect.INCREASE
    slip = cells["warfarin", "bradicardia"]
    assert slip.confidence == 0.5
    assert slip.notes[0].endswith("Spelt nearly so: bradycardia.")
    assert "not known (low)" in str(KIND.report(made))
