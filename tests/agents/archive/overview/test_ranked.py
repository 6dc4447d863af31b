"""Molecules are ranked by a quantity, and the first is named only where the values can be compared."""

from pathlib import Path

import pytest

from agents.archive.answer import Answer
from agents.archive.kind import KIND
from tests.agents.archive.world import archive, ask

TOX = """# {0}: 13-week oral toxicity study in the {1}

Toxicology report. {0} was given orally once daily for 13 weeks. {2}
"""
CLINICAL = """# {0}: study in healthy volunteers

Clinical study report. Phase I study. Healthy volunteers received 10 mg {0}. {1}
"""
RATS = "Which molecule has the highest NOAEL in rats?"


async def rank(folder: Path, question: str, *texts: str) -> Answer:
    documents = {f"KV-DOC-{number}": text for number, text in enumerate(texts)}
    return await ask(await archive(folder / "docs", documents), question)


def cells(answer: Answer) -> dict[str, str]:
    return {row[0].text: row[1].text for row in answer.tables[0].rows}


async def test_the_highest_is_named_where_all_is_in_one_unit_and_species(tmp_path: Path) -> None:
    answer = await rank(
        tmp_path,
        RATS,
        TOX.format("KV-301", "rat", "The NOAEL was 30 mg/kg/day."),
        TOX.format("KV-302", "rat", "600 µg/kg/day was considered to be the NOAEL."),
        TOX.format("KV-302", "dog", "The NOAEL was 90 mg/kg/day."),
        CLINICAL.format("KV-303", "It was well tolerated."),
    )

    assert answer.short.startswith("KV-301: NOAEL 30 mg/kg/day in the rat, the highest")
    assert cells(answer) == {"KV-301": "30 mg/kg/day", "KV-302": "600 µg/kg/day", "KV-303": "none found"}
    assert all(row[1].citations for row in answer.tables[0].rows if row[0].text != "KV-303")
    assert KIND.report(answer).short == answer.short


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ("The NOAEL was 90 mg/day.", "different units"),
        ("The NOAEL was 20 mg/kg/day in males and 40 mg/kg/day in females.", "overlap"),
        ("The NOAEL was exceeded at 10 mg/kg/day.", "not read for certain"),
        ("The NOAEL was below 10 mg/kg/day.", "not read for certain"),
        ("The NOAEL was 5 mg/kg/day. At 60 mg/kg/day, too, no effect was seen: a NOAEL.", "not read"),
    ],
)
async def test_no_highest_is_named_where_values_cannot_be_compared(
    tmp_path: Path, other: str, why: str
) -> None:
    answer = await rank(
        tmp_path,
        RATS,
        TOX.format("KV-301", "rat", "The NOAEL was 30 mg/kg/day."),
        TOX.format("KV-302", "rat", other),
    )

    assert "No molecule is named as highest" in answer.short
    assert why in answer.short
    assert cells(answer)["KV-301"] == "30 mg/kg/day"


async def test_without_a_species_levels_are_not_compared_across_species(tmp_path: Path) -> None:
    answer = await rank(
        tmp_path,
        "Rank the molecules by NOAEL",
        TOX.format("KV-301", "rat", "The NOAEL was 30 mg/kg/day."),
        TOX.format("KV-302", "dog", "The NOAEL was 5 mg/kg/day."),
    )

    assert "different or unknown species" in answer.short
    assert [row[2].text for row in answer.tables[0].rows] == ["rat", "dog"]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Which compound has the longest half-life in humans?", "KV-302: half-life 3 days in humans"),
        ("Which has the shortest half-life in humans?", "KV-301: half-life 9 hours in humans"),
    ],
)
async def test_hours_and_days_are_compared(tmp_path: Path, question: str, first: str) -> None:
    answer = await rank(
        tmp_path,
        question,
        CLINICAL.format("KV-301", "The terminal half-life was 9 hours."),
        CLINICAL.format("KV-302", "The terminal half-life was 3 days."),
    )

    assert answer.short.startswith(first)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which molecule has the longest half-life in humans?", "14 h and at 100 mg as long as 30 h."),
        ("Which molecule has the longest half-life in dogs?", "4 h in rats, while dogs had 11 h."),
    ],
)
async def test_a_value_that_was_not_read_leaves_the_first_open(
    tmp_path: Path, question: str, text: str
) -> None:
    dogs = "The half-life was 5 h."
    answer = await rank(
        tmp_path,
        question,
        CLINICAL.format("KV-301", f"The half-life was {text}"),
        CLINICAL.format("KV-302", "The half-life was 20 h (range 9 to 31 h), for 24 h."),
        TOX.format("KV-302", "dog", dogs),
    )

    assert "No molecule is named as longest" in answer.short
    assert "a passage on KV-301 may tell another value" in answer.short


async def test_doses_that_were_not_given_equally_often_have_no_highest(tmp_path: Path) -> None:
    report = "# {0}: study in patients\n\nPhase II study. Patients with asthma received {1} for 8 weeks.\n"
    answer = await rank(
        tmp_path,
        "Which molecule was given at the highest dose?",
        report.format("KV-301", "40 mg KV-301 orally twice daily"),
        report.format("KV-302", "75 mg KV-302 orally once daily"),
    )

    assert "at different or unknown intervals" in answer.short
    assert set(cells(answer)) == {"KV-301", "KV-302"}


async def test_a_rank_that_the_question_narrows_down_further_is_left_to_passages(tmp_path: Path) -> None:
    answer = await rank(
        tmp_path,
        "Which molecule has the highest NOAEL in pregnant rats with diabetes?",
        TOX.format("KV-301", "rat", "The NOAEL was 30 mg/kg/day."),
    )

    assert not any(table.title.startswith("NOAEL by molecule") for table in answer.tables)
