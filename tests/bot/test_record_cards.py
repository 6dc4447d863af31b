"""What the archive holds is listed by its records, as `pestle records` lists it."""

from pathlib import Path

import pytest

from bot.commands import written
from bot.record_cards import listed
from bot.values import CommandName, Table
from tests.agents.archive.world import archive

STUDY = """---
document_type: Clinical study report
molecules: [QV-310]
---
# Study QV-CL-01: QV-310 in man

Text.
"""
MEMO = "---\ndocument_type: Memo\nmolecules: [QV-310]\n---\n# QV-310: a memo\n\nText.\n"
OTHER = "---\ndocument_type: Memo\nmolecules: [ZB-417]\n---\n# ZB-417: a memo\n\nText.\n"


@pytest.mark.parametrize(
    ("text", "names", "told"),
    [
        ("records", {"a.md", "b.md", "c.md"}, "The archive holds 3 documents."),
        (
            "Which documents do you have about QV-310?",
            {"a.md", "b.md"},
            "The archive holds 2 documents on QV-310.",
        ),
        ("which documents are about ZB-417?", {"c.md"}, "The archive holds 1 document on ZB-417."),
        ("which studies are there?", {"QV-CL-01"}, "The archive holds 1 study."),
        ("molecules", {"QV-310", "ZB-417"}, "The archive holds 2 molecules."),
        ("what documents are in the archive?", {"a.md", "b.md", "c.md"}, "The archive holds 3 documents."),
    ],
)
async def test_records_are_listed_by_what_they_are_and_tell(
    tmp_path: Path, text: str, names: set[str], told: str
) -> None:
    tools = await archive(tmp_path, {"a.md": STUDY, "b.md": MEMO, "c.md": OTHER})
    command = written(text)
    assert command.name is CommandName.RECORDS
    card = await listed(tools.index, command.argument)
    assert card is not None
    assert card.text == told
    (table,) = card.parts
    assert isinstance(table, Table)
    assert {row[0] for row in table.rows} == names


async def test_older_versions_that_the_list_leaves_out_are_counted(tmp_path: Path) -> None:
    words = " ".join(f"word{number} is in both" for number in range(30))
    files = {f"{name} v{n}.md": f"{text}\n{words} {n}\n" for name, text in (("m", MEMO),) for n in (1, 2)}
    tools = await archive(tmp_path, {**files, "c.md": OTHER})
    told = "The archive holds 2 documents (and 1 older version or copy)."
    for asked, text in (
        ("", told),
        ("documents do you have on ZB-417", "The archive holds 1 document on ZB-417."),
    ):
        card = await listed(tools.index, asked)
        assert card
        assert card.text == text


async def test_what_no_record_tells_is_not_listed(tmp_path: Path) -> None:
    tools = await archive(tmp_path, {"a.md": STUDY})
    assert await listed(tools.index, "studies do you have on hair loss") is None
    molecules = await listed((await archive(tmp_path / "empty", {})).index, "molecules")
    assert molecules
    assert (molecules.text, molecules.parts) == ("The archive holds 0 molecules.", ())


@pytest.mark.parametrize(
    "text", ["Which studies were done with X-1?", "documents were signed by whom?", "List the studies of X-1"]
)
def test_a_question_on_studies_stays_a_question(text: str) -> None:
    assert written(text).name is CommandName.ASK
