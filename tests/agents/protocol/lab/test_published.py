"""The programs find published answers again: some in every run of the suite, all of them as a drill."""

from functools import partial

import pytest

from agents.ports import Sandbox
from agents.protocol.folder import FolderLiterature
from agents.protocol.lab.evaluate import HGNC, CaseOutcome, answered, evaluate, figures
from agents.protocol.lab.machine import NEEDED
from agents.protocol.lab.tables import Table
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
    named = "Of 7 published genes, 7 were tested and 7 differ here as well"
    lists = [one for one in found if any(named in each.text("summary.txt") for each in one.results)]
    assert len(lists) == (0 if only else 3), "the genes of an abstract, by each method"


def test_an_answer_holds_for_all_rows_that_it_names() -> None:
    table = Table("results.csv", ("gene", "log2fc"), (("A", "2"), ("B", "-1"), ("C", "NA")))
    higher = partial(answered, table, "they rise", ["log2fc > 0", "place <= 1"])
    assert higher("gene", ["A"]).right
    assert not higher("gene", ["A", "B"]).right
    assert higher("gene", ["A", "B"]).found == "1; 1, A, 2"
    assert higher().right
    assert not answered(table, "none", ["log2fc > 2"]).right
