"""The evaluation of reports and accessions: figures, and that it can fail."""

from pathlib import Path

import pytest

from agents.errors import WrongFile
from agents.protocol.evaluate import ArticleFigures, counted, evaluate, figures, filtered
from tests.agents.protocol.kit import OBJECTIVE, literature, write_literature
from tests.agents.protocol.test_minds import model
from tests.support.scripted import Answer, Call


def test_every_step_is_tied_and_accessions_are_those_of_the_file(tmp_path: Path) -> None:
    assert figures(evaluate(write_literature(tmp_path), 10)) == {
        "articles with a report": 3,
        "steps": 21,
        "tied": 1.0,
        "accessions precision": 1.0,
        "accessions recall": 1.0,
    }
    assert figures(evaluate(tmp_path, 1))["articles with a report"] == 1


def test_the_second_count_is_by_another_way() -> None:
    words = (
        "(GSE12) x/GSM123456; E-MTAB-5 phs000178.v1.p1 TCGA-CN-4741-01 SRR12345 GSEA TCGA-HNSC <a b='GSE9'>"
    )
    assert counted(words) == {
        "GSE12",
        "GSM123456",
        "E-MTAB-5",
        "phs000178.v1.p1",
        "TCGA",
        "SRR12345",
        "TCGA-HNSC",
    }


def test_what_was_missed_or_is_too_many_lowers_the_figures() -> None:
    one = ArticleFigures("a.xml", 2, ("A1.1.1",), ("GSE11", "GSE99"), ("GSE11", "GSE22"))
    assert list(figures([one]).values()) == [1, 2, 0.5, 0.5, 0.5]


def test_an_empty_folder_has_no_figures(tmp_path: Path) -> None:
    assert list(figures(evaluate(tmp_path, 1)).values()) == [0, 0, None, None, None]


async def test_the_filter_is_held_against_verdicts_by_rules_and_by_a_model(tmp_path: Path) -> None:
    place = literature(tmp_path)
    await place.look()
    told = {name: name == "10.9/airway" for name in place.held}
    by_rules = await filtered(place, None, {OBJECTIVE.whole: told})
    assert (by_rules["articles"], by_rules["helpful"]) == (len(told), 1)
    assert by_rules["recall"] == 1.0

    def keeps_none(call: Call) -> Answer:
        return {"ratings": [{"number": one, "score": 1} for one in range(1, len(told) + 1)]}

    by_model = await filtered(place, model(research=keeps_none, judge=keeps_none), {OBJECTIVE.whole: told})
    right = round((len(told) - 1) / len(told), 4)
    assert list(by_model.values()) == [len(told), 1, 0, right, None, 0.0]


async def test_an_article_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(WrongFile, match="no article PMID 0"):
        await filtered(literature(tmp_path), None, {OBJECTIVE.whole: {"PMID 0": True}})
