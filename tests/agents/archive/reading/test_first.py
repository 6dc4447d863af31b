"""What a model is shown first: no part twice, short chunks with what follows, tables with heads."""

from dataclasses import replace
from pathlib import Path

from agents.archive.corrections import corrected_by
from agents.archive.reading.first import first_excerpts, stretches
from agents.archive.reading.render import CUT
from agents.archive.reading.shown import Excerpt, by_document
from agents.evidence.memory import EvidenceMemory
from retrieval.values import Chunk, DocumentRecord, Molecule, Passage
from tests.agents.archive.world import DOCUMENTS, archive

READER = "reader"


async def test_no_line_of_two_chunks_is_shown_twice(tmp_path: Path) -> None:
    tools = await archive(tmp_path / "docs", {"D": "".join(f"Sentence {n} is here. " for n in range(90))})
    opened = await tools.documents.open(tools.index, "D")
    assert opened is not None
    begin, end = opened.passages[30].start + 5, opened.passages[60].end
    whole = Chunk("D#0", "D", 0, 0, len(opened.document.text), opened.document.text)
    middle = replace(whole, start=begin, end=end, text=whole.text[begin:end])

    parts = stretches({"D": opened}, [middle, whole])

    assert [part.start for part in parts] == [opened.passages[n].start for n in (30, 0, 61)]
    assert "".join(part.text for part in sorted(parts, key=lambda one: one.start)).count("Sentence") == 90


async def test_each_part_of_a_question_is_searched_for(tmp_path: Path) -> None:
    many = {f"DOSE-{n}": f"# Doses {n}\n\nWhich doses of ZK-701 were given in part {n}.\n" for n in range(20)}
    tools = await archive(tmp_path / "docs", {**DOCUMENTS, **many})

    shown = await first_excerpts(
        tools, "Which doses of ZK-701 were given in part 3 and who was the study director?", ()
    )

    assert "Ann Example" in " ".join(one.text for one in shown)


async def test_a_follow_up_is_searched_for_in_the_document_of_the_last_answer(tmp_path: Path) -> None:
    review = "# Review\n\nOf the pumps that were counted most were French (n=19).\n"
    many = {f"TRADE-{n}": f"# Trade {n}\n\nWhich country contributed most, part {n}.\n" for n in range(20)}
    tools = await archive(tmp_path / "docs", {**DOCUMENTS, **many, "REVIEW": review})
    asked = "Which country contributed most of them?"

    alone = await first_excerpts(tools, asked, (), most=4)
    discussed = await first_excerpts(tools, asked, (), most=4, discussed="REVIEW")

    assert "French (n=19)" not in " ".join(one.text for one in alone)
    assert "French (n=19)" in " ".join(one.text for one in discussed)


async def test_a_follow_up_is_searched_for_with_the_question_before_it(tmp_path: Path) -> None:
    board = "# Board\n\nThe valve of the pump is to be of steel; Dr Quill voted for brass.\n"
    many = {f"VOTE-{n}": f"# Vote {n}\n\nWho was against it in vote {n} was not noted.\n" for n in range(24)}
    tools = await archive(tmp_path / "docs", {**DOCUMENTS, **many, "BOARD": board})
    asked = "Who was against it?"

    alone = await first_excerpts(tools, asked, (), most=4)
    in_thread = await first_excerpts(tools, asked, (), most=4, before="Which valve is the pump to have?")

    assert "Dr Quill" not in " ".join(one.text for one in alone)
    assert "Dr Quill" in " ".join(one.text for one in in_thread)


async def test_lines_of_more_than_the_first_ten_chunks_are_shown_where_they_fit(tmp_path: Path) -> None:
    many = {f"LEAK-{n}": f"# Leak {n}\n\nThe seal of pump {n} leaked.\n" for n in range(15)}
    tools = await archive(tmp_path / "docs", {**DOCUMENTS, **many})

    shown = await first_excerpts(tools, "Which pumps had a seal that leaked?", ())

    assert {f"LEAK-{n}" for n in range(15)} <= {one.passage.doc_id for one in shown}


async def test_a_short_chunk_comes_with_what_follows(tmp_path: Path) -> None:
    memo = "# Memo\n\n## Recommendation\n\nStop the work on the pump.\n\n## Why\n\nThe seals leak at 9 bar.\n"
    tools = await archive(tmp_path / "docs", {**DOCUMENTS, "MEMO": memo})

    shown = await first_excerpts(tools, "Recommendation to stop the work on the pump", (), most=1)

    assert "The seals leak at 9 bar." in shown[0].text


async def test_what_begins_with_a_heading_is_not_labelled_by_the_section_before(tmp_path: Path) -> None:
    names = ("Fate", "Excretion", "Binding", "Stability")
    parts = [f"## {name}\n\n" + f"The {name.lower()} of ZK-909 was measured again. " * 14 for name in names]
    memo = "# Memo\n\n" + "\n\n".join(parts)
    tools = await archive(tmp_path / "docs", {**DOCUMENTS, "MEMO": memo})

    shown = await first_excerpts(tools, "Excretion, binding and stability of ZK-909", ())

    own = [one.passage for one in shown if one.passage.doc_id == "MEMO"]
    assert own
    for passage in own:
        label = passage.section[-1] if passage.section else "Memo"
        begins = passage.text.lstrip("# ")
        assert begins.startswith(names) or label.lower() in begins.split(".")[0].lower(), passage
        assert not begins.startswith(names) or label not in names or begins.startswith(label)


def test_passages_stand_below_their_document_which_is_told_once() -> None:
    record = DocumentRecord(
        "D-1",
        path="",
        sha256="1",
        format="md",
        title="Rat study",
        main_molecules=("QX-1",),
        phase="Phase II",
        study_type="Phase 2",
        document_type="Report",
    )
    passages = [Passage("D-1", 50, 60, "0123456789"), Passage("D-1", 0, 10, "9876543210")]
    memory = EvidenceMemory()

    told = by_document([Excerpt(p, record) for p in passages], memory, READER, [Molecule("QX-1", ("AB-9",))])

    assert told.count("D-1") == 1
    assert "D-1: Rat study (Report; Phase II; about QX-1)" in told
    assert told.index("9876543210") < told.index("0123456789")
    assert "QX-1 is also called AB-9." in told


def test_what_was_cut_can_be_shown_whole() -> None:
    record = DocumentRecord("D-1", path="", sha256="1", format="md", title="Rat study")
    memory = EvidenceMemory()

    by_document([Excerpt(Passage("D-1", 0, 10, "9876543210"), record, f"98 {CUT}")], memory, READER, ())

    assert memory.get("E1").shown_to == ""


def test_a_correction_says_which_of_the_documents_shown_it_corrects() -> None:
    def record(doc_id: str, title: str) -> DocumentRecord:
        return DocumentRecord(doc_id, path="", sha256=doc_id, format="md", title=title)

    report, other = record("GT-TOX-31", "Rabbit study"), record("GT-TOX-3", "Mouse study")
    erratum = record("GT-E1", "Erratum no. 2 to report GT/TOX/31")

    assert corrected_by(erratum, [report, other, erratum]) == ("GT-TOX-31",)
    assert corrected_by(record("S", "Summary of GT-TOX-31"), [report]) == ()
