"""What comes closest is judged by the paragraph, and found under short forms of times and names."""

from pathlib import Path

import pytest

from agents.archive.general.words import spelled_times, stems
from tests.agents.archive.world import archive, ask

REPORT = """# KV-417: 13-week oral toxicity study in the ferret

Report date: 3 May 2011

Study leader: Rowan Pike

KV-417 was given to ferrets for 13 weeks. The maximum tolerated dose was 75 mg/kg/day. Two animals vomited.

The animals were housed in pairs. Body weight was measured weekly in all groups of the study.
"""


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("26w study", "26 week study"),
        ("4 wk", "4 week"),
        ("Wk 13", " week 13"),
        ("24 h after", "24 hour after"),
    ],
)
def test_short_forms_of_times_are_read(short: str, full: str) -> None:
    assert spelled_times(short) == full
    assert stems(short) == stems(full)


async def test_the_paragraph_that_says_most_of_a_question_is_shown(tmp_path: Path) -> None:
    tools = await archive(tmp_path, {"KV-TX-1": REPORT})

    answer = await ask(tools, "MTD for 417 in the 13wk ferret study?")

    assert "maximum tolerated dose was 75 mg/kg/day" in " ".join(c.quote for c in answer.citations[:3])


async def test_a_mail_that_names_only_the_study_is_searched_beside_the_molecules_documents(
    tmp_path: Path,
) -> None:
    mail = (
        "Subject: ferret study 13-1\n\nThe Day 28 Cmax of the top dose females is 512 ng/mL, not 521 ng/mL.\n"
    )
    filler = {f"KV-TX-{n}": f"# KV-417: study {n}\n\nKV-417 was given to rats.\n" for n in range(2, 6)}
    tools = await archive(tmp_path, {"KV-TX-1": REPORT, "mail-1": mail, **filler})

    answer = await ask(tools, "Day 28 Cmax of KV-417 in the top dose females of the ferret study?")

    assert "512 ng/mL" in " ".join(c.quote for c in answer.citations[:3])


FERRET = """# KV-417: organ weights in the ferret

Spleen weights of the male ferrets were recorded at the end of the study for all dose groups of KV-417.

Table 3

The scale was checked each day.

| Spleen (g) | 0 mg/kg | 25 mg/kg | 75 mg/kg |
|---|---|---|---|
| Males | 4.11 | 4.07 | 5.93 |
| Females | 3.02 | 3.10 | 4.44 |

The spleen weights of male ferrets were higher at the highest dose of KV-417 than in the other ferrets.

Spleen weights of ferrets vary between males of one litter, and more so between males of several.
"""


async def test_a_table_is_shown_where_a_value_is_asked_for(tmp_path: Path) -> None:
    tools = await archive(tmp_path, {"KV-TX-1": FERRET})

    answer = await ask(
        tools, "What did the spleens of the male ferrets come to at 75 mg/kg of KV-417 at last?"
    )

    assert "| Males | 4.11 | 4.07 | 5.93 |" in answer.citations[0].quote
    assert any(cell.text == "5.93" for table in answer.tables for row in table.rows for cell in row)


async def test_no_more_than_three_passages_are_shown(tmp_path: Path) -> None:
    many = "\n\n".join(f"## Part {n}\n\n{REPORT[2:]}" for n in range(1, 8))
    tools = await archive(tmp_path, {"KV-TX-1": f"# KV-417\n\n{many}"})

    answer = await ask(tools, "Why did the KV-417 ferrets of the 13-week study vomit?")

    assert 0 < len(answer.citations) <= 3


async def test_a_newer_version_goes_before_the_one_that_it_replaces_and_no_heading_stands_alone(
    tmp_path: Path,
) -> None:
    study = "# KV-417: study KV-TX-9\n\nStudy number: KV-TX-9. Version {}.0, {}.\n\n## NOAEL\n\n{}\n"
    old, new = "The NOAEL was 10 mg/kg/day.", "The dose of 30 mg/kg/day was the NOAEL of the ferret study."
    texts = {
        "KV-TX-9 v1.0": study.format(1, "3 May 2011", old),
        "KV-TX-9 v2.0": study.format(2, "9 June 2011", new),
    }

    answer = await ask(await archive(tmp_path, texts), "What was the NOAEL of KV-417 for the spleen?")

    quotes = [one.quote for one in answer.citations]
    assert new in quotes[0]
    assert old in quotes[1]
    assert not any(quote.strip() == "## NOAEL" for quote in quotes)
