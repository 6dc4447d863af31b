"""The evaluation of reports and accessions: figures, and that it can fail."""

from pathlib import Path

from agents.protocol.evaluate import ArticleFigures, counted, evaluate, figures
from tests.agents.protocol.kit import write_literature


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
