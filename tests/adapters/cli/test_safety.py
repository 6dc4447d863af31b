"""`pestle safety`: its options reach the run as they were given, and what there is not is refused."""

import asyncio
import re
from pathlib import Path

import pytest

from adapters.export.outline import APPENDIX, TABLES
from adapters.settings import Settings
from adapters.storage import open_storage
from agents.runs.encoding import decode
from agents.safety.order import Direction, Modality, SafetyOrder
from agents.safety.outline import SECTIONS
from agents.safety.synthesis.risk_table import LESS
from tests.adapters.cli.conftest import Pestle


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path))
    return tmp_path


def test_options_reach_the_run_as_they_were_given(pestle: Pestle, own: Path) -> None:
    ended = pestle(
        *("safety", "ZORB1", "--modality", "antibody", "--direction", "activation"),
        *("--area", "Crohn's disease; and more", "--instructions", "Dog first: always.\nShort."),
        *("--without", "pathways", "--without", "literature"),
    )
    assert "No human gene is called 'ZORB1'" in ended.out
    assert "the small sample" in ended.out
    orders = asyncio.run(ordered(own))
    assert orders == [
        SafetyOrder(
            "ZORB1",
            Modality.ANTIBODY,
            Direction.ACTIVATION,
            "Crohn's disease; and more",
            "Dog first: always.\nShort.",
            ("pathways", "literature"),
        )
    ]


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--without", "pathway", "Did you mean pathways?"),
        ("--modality", "peptide", "'small molecule', 'antibody', 'oligonucleotide', 'gene therapy'"),
    ],
)
def test_what_there_is_not_is_refused_with_the_choices(
    pestle: Pestle, option: str, value: str, said: str
) -> None:
    ended = pestle("safety", "ZORB1", option, value)
    assert ended.code == 2
    assert said in " ".join(ended.err.split())


async def ordered(home: Path) -> list[SafetyOrder]:
    storage = await open_storage(Settings(home=home).database_url)
    runs = await storage.ledger.runs()
    await storage.close()
    return [decode(SafetyOrder, run.inputs, "input of the run") for run in runs]


def test_the_first_page_is_printed_and_the_rest_is_one_command_away(pestle: Pestle, own: Path) -> None:
    export = own / "report.md"
    first = pestle("safety", "ADRB1", "--export", str(export))
    assert first.out.count("\n") <= 60
    for told in ("Conclusion by rules", "Studies first", "13 more sections", "pestle run show"):
        assert told in " ".join(first.out.split())
    assert "Genetic evidence ─" not in first.out
    (run_id,) = set(re.findall(r"Trace id: (\w+)", first.out))
    whole = pestle("run", "show", run_id, "--full").out
    titles = [one.title for one in SECTIONS]
    assert [title for title in titles if f"╭─ {title} ─" not in whole] == []
    text = export.read_text(encoding="utf-8")
    proper, behind = text.split(f"## {APPENDIX}")
    assert len(re.findall(r"\w[^\s|]*", proper)) <= 1200
    assert [
        one.title for one in SECTIONS if f"## {one.title}\n" not in (behind if one.appendix else proper)
    ] == []
    assert f"**{LESS}**" not in proper
    assert f"**{LESS}**" in behind.split(f"## {TABLES}")[1]
