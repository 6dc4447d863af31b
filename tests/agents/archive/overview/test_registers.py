"""Studies that only a register lists are counted too, and a register is no study."""

from pathlib import Path

from tests.agents.archive.world import archive, ask

REPORT = """@document_type: Clinical study report
@study_id: KV-CL-01
# KV-417 single ascending dose study in healthy volunteers
KV-417 was given to 24 healthy volunteers in study KV-CL-01, a Phase 1 study.
"""
REGISTER = """# Register of studies, March 2019

| Study | Compound | Phase | Population | Status |
|---|---|---|---|---|
| KV-CL-01 | KV-417 | 1 | healthy volunteers | completed |
| KV-CL-02 | KV-417 | 1 | healthy volunteers | completed |
| KV-CL-03 | KV-417 | 2 | patients with gout | completed |
| RB-CL-01 | RB-200 | 1 | healthy volunteers | completed |
"""


async def test_a_count_holds_the_studies_that_a_register_lists(tmp_path: Path) -> None:
    tools = await archive(tmp_path, {"KV-CL-01": REPORT, "register": REGISTER})

    answer = await ask(tools, "How many clinical studies were done with KV-417?")

    assert all(number in answer.text for number in ("KV-CL-01", "KV-CL-02", "KV-CL-03"))
    assert "RB-CL-01" not in answer.text
    assert "1 study" not in answer.short


async def test_where_only_records_tell_the_register_is_named(tmp_path: Path) -> None:
    tools = await archive(tmp_path, {"KV-CL-01": REPORT, "register": REGISTER})

    answer = await ask(tools, "How many studies of KV-417 are in Phase 1?")

    assert any("KV-CL-02" in note and "KV-CL-03" in note for note in answer.notes)
