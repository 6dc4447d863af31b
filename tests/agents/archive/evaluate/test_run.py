"""An evaluation of a small question set, and of the development set where it is at hand."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from agents.archive.evaluate.run import evaluate
from agents.archive.evaluate.verbatim import check_citations
from agents.archive.tools import ArchiveTools
from retrieval.errors import ArchiveNotFound
from tests.agents.archive.world import DOCUMENTS, archive, ask, write


@asynccontextmanager
async def factory(folder: Path) -> AsyncIterator[ArchiveTools]:
    yield await archive(folder, {})


def cell(question_id: str, present: bool, **more: object) -> str:
    return json.dumps(
        {"molecule": "ZK-701", "question_id": question_id, "present": present, "archive": "toy", **more}
    )


@pytest.fixture
def question_set(tmp_path: Path) -> Path:
    write(tmp_path / "docs", DOCUMENTS)
    (tmp_path / "gold").mkdir()
    (tmp_path / "molecules.json").write_text('[{"molecule": "ZK-701", "folder": "docs", "archive": "toy"}]')
    (tmp_path / "questions.json").write_text(
        '{"Q1": "What was the first-in-human dose of {M}?", "Q7": "What is the margin of safety of {M}?",'
        ' "Q8": "Why was {M} discontinued?"}'
    )
    trap = {"pattern": "liver", "trap": "AE vs SAE", "why": "made up", "fatal": True}
    quote = {"doc_id": "ZK-CL-01", "quote": "single oral doses of 2, 6, 20 and 60 mg"}
    lines = [
        cell("Q1", True, answer="2 mg", accept=[r"\b2 mg"], evidence=[quote]),
        cell("Q7", False),
        cell("Q8", True, answer="price", accept=["price"], must_not=[trap]),
    ]
    (tmp_path / "gold" / "gold.jsonl").write_text("\n".join(lines))
    return tmp_path


async def test_cells_are_judged_and_a_miss_is_explained(question_set: Path) -> None:
    evaluation = await evaluate(question_set, factory)

    together = evaluation.groups["Q1-Q7"]
    assert (together.tp, together.tn, together.fp, together.fn) == (1, 1, 0, 0)
    assert evaluation.groups["Q7"].recall is None
    assert evaluation.groups["toy"].fp == 1
    [miss] = [cell for cell in evaluation.cells if cell.explanation]
    assert "AE vs SAE" in miss.explanation
    assert "ZK-MIN-01" in miss.explanation


async def test_every_citation_is_checked_letter_by_letter(question_set: Path) -> None:
    evaluation = await evaluate(question_set, factory)

    assert evaluation.verbatim.citations > 0
    assert evaluation.verbatim.wrong == ()


async def test_a_false_citation_is_found(question_set: Path) -> None:
    async with factory(question_set / "docs") as tools:
        answer = await ask(tools, "Why was ZK-701 discontinued?")
        first = answer.citations[0]
        false = [
            replace(first, quote=first.quote.replace("liver", "kidney")),
            replace(first, doc_id="none"),
            replace(first, start=first.start + 1),
        ]
        for citation in false:
            changed = replace(answer, citations=(citation,))
            report = await check_citations(changed, tools.index, question_set / "docs")
            assert len(report.wrong) == 1


async def test_the_machine_form_holds_every_figure(question_set: Path) -> None:
    evaluation = await evaluate(question_set, factory)

    machine = json.loads(evaluation.as_json())
    assert machine["groups"]["Q1-Q7"]["tp"] == 1
    assert machine["groups"]["Q7"]["precision"] is None
    assert machine["cells"][0]["answer"].startswith("2 mg")


@pytest.mark.parametrize("missing", ["molecules.json", "questions.json", "gold/gold.jsonl"])
async def test_a_folder_that_is_no_question_set_is_refused(question_set: Path, missing: str) -> None:
    (question_set / missing).unlink()

    with pytest.raises(ArchiveNotFound, match="gold"):
        await evaluate(question_set, factory)
