"""The programs find published answers again: some in every run of the suite, all of them as a drill."""

import pytest

from agents.ports import Sandbox
from agents.protocol.folder import FolderLiterature
from agents.protocol.lab.evaluate import HGNC, CaseOutcome, evaluate, figures
from agents.protocol.lab.machine import NEEDED
from tests.support import services

QUICK = ("lung", "veteran")


async def outcomes(only: str) -> list[CaseOutcome]:
    sandbox: Sandbox = await services.sandbox()
    services.r(*NEEDED)
    data = services.shared("data/literature")
    hgnc = services.shared(f"data/tsa/gene_basics/{HGNC}")
    sets = services.shared("data/tsa/reactome/ReactomePathways.gmt")
    return await evaluate(
        sandbox, FolderLiterature(data), {HGNC: hgnc.read_bytes(), "sets.gmt": sets.read_bytes()}, only
    )


@pytest.mark.parametrize(
    "only", [*QUICK, pytest.param("", marks=[pytest.mark.drill, pytest.mark.timeout(900)])]
)
async def test_published_answers_are_found_again(only: str) -> None:
    found = await outcomes(only)
    told = figures(found)
    assert told["execution_success_rate"] == 1.0
    assert [one for outcome in found for one in outcome.checks if not one.right] == []
    assert told["checks"] == (23 if not only else 3)
