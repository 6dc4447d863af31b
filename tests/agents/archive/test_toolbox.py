"""The archive's tools over a small archive: what they find is verbatim; a wrong call says what is right."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.archive.toolbox import READ_AT_ONCE, archive_toolset
from agents.archive.tools import ArchiveTools
from agents.errors import ToolRetry
from agents.evidence.sources import Origin
from agents.runs.encoding import encode
from agents.tools.reply import ToolReply
from agents.tools.toolset import Toolset
from tests.agents.archive.world import DOCUMENTS, archive
from tests.support.drills import examples

NUMBERED = """# ZK-703 report

## 4.7 Drug Administration & Dosing

Rats were dosed.

## 5. Results

### 5.1 Body weight: males

Weight fell.

### 5.2 Toxicokinetics

Table 1. Exposure

| Dose | Cmax |
|---|---|
| (mg/kg) | (ng/mL) |
| 4 | 38 |
| 9 | 60 |
"""
LONG = {
    **DOCUMENTS,
    "ZK-TX-09_rat": NUMBERED,
    "LONG": "# A long report\n\n" + "The mouse was fed once more. " * 1000,
}


@pytest.fixture
async def archived(tmp_path: Path) -> ArchiveTools:
    return await archive(tmp_path / "docs", LONG)


@pytest.fixture
def tools(archived: ArchiveTools) -> Toolset:
    return archive_toolset(archived)


async def call(tools: Toolset, name: str, **arguments: Any) -> ToolReply:
    reply = await tools.call(name, json.dumps(arguments))
    assert encode(ToolReply, reply)[1] == reply
    return reply


async def verbatim(reply: ToolReply, archived: ArchiveTools) -> None:
    for record in reply.records:
        document = await archived.index.document(record.source.id)
        assert document is not None
        assert record.source.origin is Origin.DOCUMENT
        assert record.source.text == ""
        assert record.source.sha256 == document.record.sha256
        assert record.place.text == document.text[record.place.start : record.place.end] != ""


async def test_search_finds_verbatim_passages_best_first(tools: Toolset, archived: ArchiveTools) -> None:
    reply = await call(tools, "search_archive", query="liver necrosis in rats", limit=2)
    assert "Liver necrosis was seen at 50 mg/kg" in reply.records[0].place.text
    assert len(reply.records) == 2
    assert reply.summary.splitlines()[:2] == [
        "2 passages of 2 documents:",
        "ZK-TX-01: ZK-701: 13-week oral toxicity study in rats "
        "(Toxicology report; repeated-dose toxicity; about ZK-701)",
    ]
    await verbatim(reply, archived)


async def test_search_keeps_to_molecule_and_stage(tools: Toolset) -> None:
    reply = await call(tools, "search_archive", query="mg given daily", molecule="zk 702", stage="clinical")
    assert {record.source.id for record in reply.records} == {"ZK-CL-09"}


async def test_search_keeps_to_a_document_and_to_dates(tools: Toolset) -> None:
    reply = await call(tools, "search_archive", query="doses given", doc_id="ZK-CL-02")
    assert {record.source.id for record in reply.records} == {"ZK-CL-02"}
    late = await call(tools, "search_archive", query="doses given", date_from="2099")
    assert late.records == ()


async def test_a_table_is_read_whole_with_its_caption(tools: Toolset, archived: ArchiveTools) -> None:
    reply = await call(tools, "read_table", doc_id="ZK-TX-01", words="body weight")
    (record,) = reply.records
    assert record.place.text.startswith("Table 1: Body weight at week 13")
    assert record.place.text.endswith("| 50 mg/kg | 18 | 371 |")
    await verbatim(reply, archived)


@pytest.mark.parametrize(("doc_id", "told"), [("ZK-TX-01", "Body weight at week 13"), ("ZK-CL-01", "none")])
async def test_a_table_that_is_not_there_is_told_with_the_captions(
    tools: Toolset, doc_id: str, told: str
) -> None:
    with pytest.raises(ToolRetry, match=told):
        await call(tools, "read_table", doc_id=doc_id, words="electrocardiogram")


async def test_listed_documents_can_be_cited_by_their_first_lines(
    tools: Toolset, archived: ArchiveTools
) -> None:
    reply = await call(tools, "records", molecule="ZK-702")
    assert [record.source.id for record in reply.records] == ["ZK-CL-09", "ZK-MIN-01"]
    assert "Minutes of the portfolio committee" in reply.records[1].place.text
    assert "ZK-CL-09: ZK-702: study in patients" in reply.summary
    await verbatim(reply, archived)


async def test_search_that_finds_nothing_says_where_it_searched(tools: Toolset) -> None:
    reply = await call(tools, "search_archive", query="qqqq xxyyzz", molecule="ZK-702", stage="preclinical")
    assert reply.records == ()
    assert "Nothing found: searched 0 documents" in reply.note


async def test_search_says_when_nothing_is_clearly_relevant(tools: Toolset) -> None:
    vague = await call(tools, "search_archive", query="subject weather mountains")
    assert vague.records
    assert vague.note == "No passage is clearly relevant; these are the nearest."
    clear = await call(tools, "search_archive", query="liver necrosis in rats at 50 mg/kg")
    assert clear.note == ""


async def test_an_unknown_molecule_is_answered_with_near_names(tools: Toolset) -> None:
    with pytest.raises(ToolRetry, match="does not know a molecule 'QX-999'"):
        await call(tools, "records", molecule="QX-999")


async def test_a_document_is_read_by_section_with_its_heading(tools: Toolset, archived: ArchiveTools) -> None:
    reply = await call(tools, "read_document", doc_id="ZK-CL-01", section="administration")
    (record,) = reply.records
    assert record.place.text.startswith("Study director")
    assert record.place.text.endswith("Capsules of lot K-114 were used.")
    await verbatim(reply, archived)


async def test_a_section_includes_what_stands_below_it(tools: Toolset) -> None:
    reply = await call(tools, "read_document", doc_id="ZK-CL-01", section="first administration to healthy")
    assert "There were no serious adverse events." in reply.records[0].place.text


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("drug administration and dosing", "4.7 Drug Administration & Dosing"),
        ("4.7. DRUG ADMINISTRATION, DOSING", "4.7 Drug Administration & Dosing"),
        ("Section 4.7", "4.7 Drug Administration & Dosing"),
        ("5 Results", "5. Results"),
        ("Results > Body weight - males", "5.1 Body weight: males"),
        ("body weight", "5.1 Body weight: males"),
        ("Toxicokinetic", "5.2 Toxicokinetics"),
        ("Toxikokinetics", "5.2 Toxicokinetics"),
    ],
)
async def test_a_section_is_found_however_it_is_written(tools: Toolset, asked: str, read: str) -> None:
    reply = await call(tools, "read_document", doc_id="zk-tx-09 rat.md", section=asked)
    assert reply.summary.startswith(f"Section {read!r}: characters")
    assert reply.summary.endswith("of ZK-TX-09_rat.")


async def test_a_table_with_two_rows_of_heads_is_read_whole(tools: Toolset) -> None:
    reply = await call(tools, "read_table", doc_id="ZK-TX-09_rat", words="cmax")
    (record,) = reply.records
    assert record.place.text.startswith("Table 1. Exposure")
    assert record.place.text.endswith("| 9 | 60 |")


async def test_a_long_document_is_read_on_from_an_offset(tools: Toolset, archived: ArchiveTools) -> None:
    first = await call(tools, "read_document", doc_id="LONG")
    assert f"start={READ_AT_ONCE}" in first.note
    second = await call(tools, "read_document", doc_id="LONG", start=READ_AT_ONCE)
    third = await call(tools, "read_document", doc_id="LONG", start=2 * READ_AT_ONCE)
    document = await archived.index.document("LONG")
    assert document is not None
    assert "".join(reply.records[0].place.text for reply in (first, second, third)) == document.text
    assert third.note == ""


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"doc_id": "NONE"}, "no document 'NONE'"),
        ({"doc_id": "ZK-CL-01", "page": 1}, "has no pages"),
        ({"doc_id": "ZK-CL-01", "section": "Pharmacokinetics"}, "Administration; Safety"),
        ({"doc_id": "ZK-CL-01", "section": "Safety", "start": 4}, "not several"),
        ({"doc_id": "ZK-CL-01", "start": 10**9}, "characters; start must be less"),
        ({"doc_id": "ZK-CL-01", "start": 5, "end": 5}, "start must be less"),
    ],
)
async def test_a_wrong_place_is_told(tools: Toolset, arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(ToolRetry, match=told):
        await call(tools, "read_document", **arguments)


async def test_documents_are_listed_in_pages(tools: Toolset) -> None:
    first = await call(tools, "records", molecule="ZK-701", limit=2)
    rest = await call(tools, "records", molecule="ZK-701", offset=2)
    assert first.data is not None
    assert rest.data is not None
    assert [row["name"] for row in (*first.data["rows"], *rest.data["rows"])] == [  # type: ignore
        "ZK-CL-01",
        "ZK-CL-02",
        "ZK-MIN-01",
        "ZK-TX-01",
    ]
    assert first.data["total"] == 4


async def test_documents_are_listed_by_words_of_their_title(tools: Toolset) -> None:
    reply = await call(tools, "records", words="toxicity rats")
    assert reply.data is not None
    assert reply.data["total"] == 1


async def test_a_molecule_has_names_and_documents(tools: Toolset) -> None:
    reply = await call(tools, "records", thing="molecules", molecule="zk702")
    assert reply.data is not None
    [row] = reply.data["rows"]  # type: ignore[misc]
    assert row["name"] == "ZK-702"  # type: ignore[index]
    assert len(row["documents"]) == 2  # type: ignore[index, arg-type]


VALUES = st.none() | st.booleans() | st.integers(-3, 10**7) | st.text() | st.sampled_from(["ZK-701", "LONG"])
FIELDS = [
    "query",
    "molecule",
    "stage",
    "limit",
    "doc_id",
    "page",
    "section",
    "start",
    "end",
    "words",
    "offset",
]


@settings(
    max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(st.data())
async def test_any_call_is_answered_or_told_what_is_wrong(tools: Toolset, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(list(tools)))
    arguments = data.draw(st.dictionaries(st.sampled_from(list(tools[name].inputs.model_fields)), VALUES))
    with suppress(ToolRetry):
        reply = await tools.call(name, json.dumps(arguments))
        assert reply.records or reply.data is not None or reply.note


def test_all_of_them_only_read_and_describe_every_argument(tools: Toolset) -> None:
    assert list(tools) == [
        "search_archive",
        "read_document",
        "read_table",
        "records",
    ]
    for tool in tools.values():
        assert (tool.read_only, tool.needs_approval, tool.source) == (True, False, "archive")
        for name, field in tool.spec.parameters["properties"].items():
            assert field.get("description"), f"{tool.name}.{name}"
