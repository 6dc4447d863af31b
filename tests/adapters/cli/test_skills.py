"""`pestle skills show`: the prompt of a section in layers, and whether a run used these."""

import asyncio
from pathlib import Path

import pytest

from adapters.cli.kinds.safety.skills import lines, of_run
from adapters.settings import Settings
from adapters.wiring import runtime
from agents.errors import UnknownRun
from agents.safety.outline import BY_ID
from bot.values import Incoming, ThreadRef
from tests.adapters.cli.conftest import Pestle
from tests.agents.safety.kit import kind, tools
from tests.agents.safety.test_minds import model

SKILL = "---\nname: phenotypes\ndescription: Ours.\n---\nName the {}.\n"
OWN = Path("skills", "safety", "channels", "tox", "phenotypes", "SKILL.md")


def test_layers_are_shown_with_their_hashes_and_a_channels_guidance(
    pestle: Pestle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path))
    lay(tmp_path, "strain")
    ours = pestle("skills", "show", "phenotypes", "--channel", "tox", "--target", "ADRB2").out
    house = pestle("skills", "show", "phenotypes").out
    assert "### prompt: research" in ours
    assert "ADRB2" in ours
    assert "Name the strain." in ours
    assert "Read knockouts" in house
    first, second = (text.splitlines()[:2] for text in (ours, house))
    assert first[0] == second[0]  # the hash is that of the file, not of what was filled in
    assert first[1] != second[1]
    refused = pestle("skills", "show", "phenotype")
    assert refused.code == 2
    assert "phenotypes" in refused.err


def test_a_runs_prompt_is_compared_with_what_it_left_in_the_ledger(tmp_path: Path) -> None:
    async def work() -> tuple[list[str], list[str]]:
        over = kind(tools(model=model()))
        async with runtime(Settings(home=tmp_path), [over]) as built:
            thread = ThreadRef("wall", "tox", "1")
            run_id = (await built.intake.receive(Incoming("e1", thread, "ada", "safety ZORB1"))).run_id
            await built.finished(run_id)
            before = [*lines(await of_run(built, BY_ID["genetics"], run_id))]
            lay(tmp_path, "sex")
            channel = [*lines(await of_run(built, BY_ID["phenotypes"], run_id))]
            with pytest.raises(UnknownRun):
                await of_run(built, BY_ID["phenotypes"], "no-such-run")
        return before, channel

    genetics, phenotypes = asyncio.run(work())
    assert [line.split("  ")[1] for line in genetics[:2]] == ["as in the run"] * 2
    assert any("ZORB1 (zorbin receptor 1)" in line for line in genetics)
    assert phenotypes[0].endswith("as in the run")
    assert "changed since" in phenotypes[1] or "not in the run" in phenotypes[1]


def lay(home: Path, what: str) -> None:
    (home / OWN).parent.mkdir(parents=True, exist_ok=True)
    (home / OWN).write_text(SKILL.format(what), encoding="utf-8")
