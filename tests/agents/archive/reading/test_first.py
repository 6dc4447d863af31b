"""What a model is shown first: no part twice, short chunks with what follows, tables with heads."""

from dataclasses import replace
from pathlib import Path

from agents.archive.corrections import corrected_by
from agents.archive.reading.first import first_excerpts, joined, not_shown, with_surroundings
from agents.archive.reading.render import CUT
from agents.archive.reading.shown import Excerpt, by_document
from agents.archive.tools import ArchiveTools
from agents.evidence.memory import EvidenceMemory
from retrieval.values import DocumentRecord, Molecule, Passage, SearchRequest
from tests.agents.archive.world import DOCUMENTS, archive

READER = "reader"


def test_what_was_shown_is_not_shown_again() -> None:
    text = "".join(f"Sentence {number}. " for number in range(9))
    whole = Passage("D", 0, len(text), text)
    middle = replace(whole, start=12, end=36, text=text[12:36])

    [first, [before, after]] = not_shown([middle, whole])

    assert first == [middle]
    assert before.text + middle.text + after.text == text
    assert not_shown([middle], [whole]) == [[]]
    assert not_shown([middle], [replace(whole, doc_id="E")]) == [[middle]]


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


def test_parts_without_a_gap_are_one() -> None:
    record = DocumentRecord("D", path="", sha256="1", format="md", title="T")
    text = "First part. Second part. Third part."
    cut = [Passage("D", a, b, text[a:b]) for a, b in ((12, 24), (24, 36), (0, 12))]

    [(whole, _, _)] = joined([(passage, "", record) for passage in cut])

    assert whole == Passage("D", 0, 36, text)


async def test_what_is_shown_before_a_chunk_names_its_own_section(tmp_path: Path) -> None:
    memo = "# Memo\n\n## Fate\n\nIt was bound to 98%.\n\n## Excretion\n\nIn urine 9% was found.\n"
    tools = await archive(tmp_path / "docs", {**DOCUMENTS, "MEMO": memo})
    [chunk] = [one for one, _ in await tools.index.found(await ids_with(tools, "In urine 9% was found."))]

    grown = await with_surroundings(tools, chunk)

    assert "It was bound to 98%." in grown.text
    assert "Excretion" not in grown.section


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
        assert not (begins.startswith(names) and label in names)


async def ids_with(tools: ArchiveTools, text: str) -> list[str]:
    """The chunks that say something."""
    hits = await tools.retriever.search(SearchRequest(text, limit=20))
    return [hit.chunk.chunk_id for hit in hits if text in hit.chunk.text]


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
