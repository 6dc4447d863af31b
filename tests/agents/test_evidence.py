"""The evidence memory: keys, snapshots."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from agents.errors import UnknownEvidence
from agents.evidence.memory import EvidenceMemory, MemoryDump
from agents.evidence.sources import tool_source
from agents.evidence.values import Citation
from agents.tools.reply import ToolRecord
from retrieval.passages import passages_of
from retrieval.values import Document, TableRow
from tests.agents.trust.builders import passage, record


def test_keys_count_up_and_the_same_passage_keeps_its_key() -> None:
    memory = EvidenceMemory()
    first = memory.add(passage("A."), record())
    second = memory.add(passage("B.", 3), record())
    again = memory.add(passage("A."), record())
    assert (first.key, second.key, again.key) == ("E1", "E2", "E1")


def test_a_uid_depends_on_content_and_place_alone() -> None:
    one, other = EvidenceMemory(), EvidenceMemory()
    other.add(passage("Z."), record("D9"))
    a = one.add(passage("A.", 4), record())
    b = other.add(passage("A.", 4), record())
    moved = other.add(passage("A.", 5), record())
    assert a.uid == b.uid
    assert a.key != b.key
    assert moved.uid != b.uid


def test_an_unknown_key_is_refused() -> None:
    with pytest.raises(UnknownEvidence, match="E9"):
        EvidenceMemory().get("E9")


def test_a_row_is_kept_with_what_is_needed_to_read_it() -> None:
    row = TableRow("Table 1", ("Dose (mg)", "n"), ("10", "6"))
    kept = EvidenceMemory().add(passage("| 10 | 6 |", row=row), record())
    assert (kept.caption, kept.header, kept.cells) == ("Table 1", row.header, row.cells)
    assert "Dose (mg) | n" in kept.context


def test_a_citation_tells_what_its_passage_is_about() -> None:
    row = TableRow("Table 1 (ng/mL)", ("Dose (mg)", "n"), ("10", "6"), ("Males", "Week 4"), "* P<0.05")
    about = replace(
        record(), title="Rats", study_id="TX-9", species=("rat",), date="2019-03", main_molecules=("QX-77",)
    )
    kept = EvidenceMemory().add(passage("| 10 | 6 |", row=row), about)
    found = Citation.of(3, kept, kept.start, kept.end)
    assert (found.number, found.quote, found.key) == (3, "| 10 | 6 |", "E1")
    assert (found.title, found.study, found.species, found.date) == ("Rats", "TX-9", ("rat",), "2019-03")
    assert found.subjects == ("QX-77",)
    assert (found.caption, found.header, found.group) == (row.caption, row.header, row.group)
    assert found.notes == "* P<0.05"


def test_an_item_is_kept_with_the_line_that_leads_to_it() -> None:
    text = "Doses were chosen. The doses were:\n\n- 10 mg\n- 20 mg\n\nAll were well."
    item = next(p for p in passages_of(Document(record(), text)) if p.text == "20 mg")
    kept = EvidenceMemory().add(item, record())
    assert kept.lead == "The doses were:"
    assert "The doses were:" in kept.context


@given(st.lists(st.integers(0, 5)))
def test_a_snapshot_restores_the_memory_exactly(numbers: list[int]) -> None:
    memory = EvidenceMemory()
    for number in numbers:
        memory.add(passage(f"Text {number}.", 10 * number), record())
    adapter = TypeAdapter(MemoryDump)
    restored = EvidenceMemory.load(adapter.validate_json(adapter.dump_json(memory.dump())))
    assert restored.dump() == memory.dump()
    assert restored.add(passage("New.", 999), record()) == memory.add(passage("New.", 999), record())


def test_a_record_of_a_tool_is_evidence_with_its_source() -> None:
    source = tool_source("openFDA", "Label of alpha", "Angioedema occurred.", date="2026-06-01")
    place = ToolRecord(source).place

    kept = EvidenceMemory().add(place, source)

    assert (kept.doc_id, kept.title, kept.text) == (source.id, "Label of alpha", "Angioedema occurred.")
    assert (kept.document_type, kept.date) == ("openFDA", "2026-06-01")


def test_a_call_is_recalled_also_after_a_restart_and_without_what_is_not_held() -> None:
    memory = EvidenceMemory()
    one, two = (memory.add(passage(text, start), record()) for start, text in ((0, "One."), (9, "Two.")))
    memory.remember_call("search alpha", [one.key, two.key])

    restored = EvidenceMemory.load(memory.dump())

    assert restored.recall("search alpha") == (one, two)
    assert restored.recall("search beta") is None
    without = EvidenceMemory.load(replace(memory.dump(), evidence=(two,)))
    assert without.recall("search alpha") == (two,)


def test_memories_with_blocks_of_their_own_are_joined_as_they_are() -> None:
    first = EvidenceMemory(1001)
    first.add(passage("One."), record())
    second = EvidenceMemory.joined([first.dump()], 2001)
    second.add(passage("One."), record())
    second.add(passage("Two.", 9), record())

    whole = EvidenceMemory.joined([first.dump(), second.dump()])

    assert [item.key for item in whole.all()] == ["E1001", "E2001"]
    stranger = EvidenceMemory(1001)
    stranger.add(passage("Three.", 20), record())
    with pytest.raises(ValueError, match="E1001 stands for two things"):
        EvidenceMemory.joined([first.dump(), stranger.dump()])
