"""What our own archive says of a target: sentences that name it, word for word."""

from dataclasses import replace

from agents.databases.facts import Topic
from agents.evidence.sources import document_source
from agents.safety.archive import ask_archive
from agents.safety.kind import KIND
from agents.tools.reply import ToolRecord, ToolReply
from agents.tools.tool import Arguments, Tool
from agents.tools.toolset import Toolset
from retrieval.values import DocumentRecord, Passage
from tests.agents.safety.kit import TWIN, ZORB1, assessed, no_archive, tools

TEXT = (
    "Zorvatinib blocks ZORB1 with an IC50 of 4 nM. Dogs had a slow heart at 30 mg/kg. "
    "The zorbin receptor 1 is found in the sinus node. ZORB12 was not tested."
)
RECORD = DocumentRecord("d1", path="d1.md", sha256="0" * 64, format="markdown", title="Study ZV-7")


class Query(Arguments):
    query: str
    limit: int = 6


def archive(text: str = TEXT) -> Toolset:
    asked: list[Query] = []

    async def search(inputs: Query) -> ToolReply:
        asked.append(inputs)
        passage = Passage("d1", 0, len(text), text)
        return ToolReply((ToolRecord(document_source(RECORD), passage),) if text else ())

    return Toolset("archive", [Tool("search_archive", "Find passages.", Query, search, "archive")])


async def test_sentences_that_name_the_target_are_told_word_for_word() -> None:
    found = await ask_archive(archive(), ZORB1)
    assert [one.fact.text for one in found.facts] == [
        "Zorvatinib blocks ZORB1 with an IC50 of 4 nM.",
        "The zorbin receptor 1 is found in the sinus node.",
    ]
    assert {one.fact.topic for one in found.facts} == {Topic.ARCHIVE}
    assert (await ask_archive(archive(), TWIN)).facts == ()


async def test_without_an_archive_the_section_says_so() -> None:
    assert "cannot be searched" in (await ask_archive(await no_archive(), ZORB1)).missing[0]


async def test_an_archive_that_breaks_is_missing_and_no_more() -> None:
    async def broken(inputs: Query) -> ToolReply:
        raise OSError("no weights")

    tool = replace(archive()["search_archive"], work=broken)
    found = await ask_archive(Toolset("archive", [tool]), ZORB1)
    assert found.missing == ("The archive could not be searched (OSError).",)


async def test_the_report_cites_the_document() -> None:
    async def ours() -> Toolset | None:
        return archive()

    shown = KIND.report(await assessed("ZORB1", replace(tools(), archive=ours)))
    section = shown.section("archive")
    assert section is not None
    assert section.opening == "Zorvatinib blocks ZORB1 with an IC50 of 4 nM."
    assert section.citations[0].title == "Study ZV-7"
    assert not any("Not shown" in note for note in shown.notes)
