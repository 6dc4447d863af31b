"""Molecules that a question compares, and names nothing to compare them in, stand side by side."""

from pathlib import Path

import pytest

from agents.archive.kind import KIND
from agents.archive.overview.side_by_side import compares_all
from agents.reports.gate import STRUCK
from agents.reports.values import Table
from retrieval.values import Molecule
from tests.agents.archive.world import DOCUMENTS, archive, ask

REGISTRY = (Molecule("ZK-701", (), 4), Molecule("ZK-702", (), 2))


async def test_each_property_is_a_row_and_each_molecule_a_column(tmp_path: Path) -> None:
    tools = await archive(tmp_path, DOCUMENTS)

    report = KIND.report(await ask(tools, "Compare ZK-701 and ZK-702"))

    (table,) = (block for part in report.sections for block in part.blocks if isinstance(block, Table))
    assert table.columns == ("", "ZK-701", "ZK-702")
    rows = {row[0].text: row[1:] for row in table.rows}
    oral, inhaled = rows["Route of administration in humans"]
    assert (oral.text, inhaled.text) == ("Oral", "Inhaled")
    assert oral.citations
    assert inhaled.citations
    assert oral.citations != inhaled.citations
    assert rows["Organ toxicity"][1].text == "not stated"
    assert not any(note.startswith(STRUCK) for note in report.notes)


@pytest.mark.parametrize(
    "text",
    [
        "Compare ZK-701 and ZK-702",
        "ZK-701 vs ZK-702",
        "What is the difference between ZK-701 and ZK-702?",
        "How does ZK-701 differ from ZK-702?",
        "Put ZK-701 and ZK-702 side by side, please",
    ],
)
def test_a_comparison_in_no_named_respect(text: str) -> None:
    assert compares_all(text, REGISTRY)


@pytest.mark.parametrize(
    "text",
    [
        "Compare the price of ZK-701 and ZK-702",
        "Was ZK-701 compared with ZK-702 in patients with asthma?",
        "How do ZK-701 and ZK-702 differ in half-life?",
    ],
)
def test_a_comparison_in_a_named_respect_is_another_question(text: str) -> None:
    assert not compares_all(text, REGISTRY)
