"""Reports of articles: every step tied to its paragraph, accessions, judgements."""

from dataclasses import replace
from pathlib import Path

import pytest

from agents.protocol.accessions import accessions_in
from agents.protocol.design import design
from agents.protocol.groups import study_of
from agents.protocol.judge import Wanted, analysed, judged, rated
from agents.protocol.literature import Paper
from agents.protocol.paragraphs import Paragraph
from agents.protocol.reports import experiment_report, is_methods, untied
from agents.protocol.understand import ordered
from agents.protocol.values import Article, Dataset, Objective
from retrieval.parse.jats import read_fronts
from retrieval.values import Passage
from tests.agents.protocol.kit import ABSTRACT, OBJECTIVE, article, literature

WANTED = Wanted(OBJECTIVE)


@pytest.fixture
async def paper(tmp_path: Path) -> Paper:
    place = literature(tmp_path)
    found = {one.doi: one for one in await place.articles("dexamethasone", 10)}
    paper = await place.paper(found["10.9/airway"])
    assert paper is not None
    return paper


async def test_an_article_becomes_headings_steps_details_and_results(paper: Paper) -> None:
    report = experiment_report(paper, 1)
    assert [one.heading for one in report.parts] == [
        "Cell culture and treatment",
        "RNA sequencing and differential expression",
    ]
    treated = next(step for step in report.steps if "1 µM" in step.text)
    assert (treated.id, treated.text) == (
        "A1.1.3",
        "Cells were treated with 1 µM dexamethasone or vehicle for 18 h.",
    )
    assert next(step for step in report.steps if "GEO" in str(step.details)).details
    tested = next(step for step in report.steps if step.text.startswith("Differential"))
    assert "316 genes" in tested.results[0]
    assert untied(report, paper) == ()


def test_a_heading_within_the_methods_that_tells_nothing_to_do_is_none_of_them() -> None:
    one = Paragraph("p1", ("Methods", "Cell culture"), Passage("d", 0, 1, "x"), ("x",))
    assert is_methods(one)
    assert not is_methods(replace(one, section=("Methods", "Ethics statement")))


async def test_a_step_that_the_article_does_not_say_is_untied(paper: Paper) -> None:
    report = experiment_report(paper, 1)
    part = report.parts[0]
    wrong = (
        replace(part.steps[0], text="Cells were treated with 9 µM dexamethasone."),
        replace(part.steps[0], paragraph_id="p1"),
        replace(part.steps[0], details=("Nobody said so.",)),
        replace(
            part.steps[0], results=("316 mice died.",), result_keys=part.steps[0].result_keys or ("E1001",)
        ),
    )
    for step in wrong:
        lied = replace(report, parts=(replace(part, steps=(step,)),))
        assert untied(lied, paper) == (step.id,), step


async def test_accessions_are_those_of_the_whole_article(paper: Paper) -> None:
    assert paper.accessions == ("GSE99999", "SRP012345", "PRJNA123456")


def test_forms_of_accessions() -> None:
    text = (
        "GSE1234, (GSM12345) GPL570 GDS507; SRR1039508/ERP000123 PRJEB68191 E-MTAB-1234 phs000178.v1.p1 "
        "TCGA-CN-4741-01 TCGA-HNSC acc=GSE238008. EGAS00001000123 PXD012345 but MGSE1234 GSEA GPLv3 and "
        "E-MTAB are none"
    )
    assert list(accessions_in(text)) == [
        *("GSE1234", "GSM12345", "GPL570", "GDS507", "SRR1039508", "ERP000123", "PRJEB68191", "E-MTAB-1234"),
        *("phs000178.v1.p1", "TCGA", "TCGA-HNSC", "GSE238008", "EGAS00001000123", "PXD012345"),
    ]


def test_articles_are_rated_by_subject_method_and_kind() -> None:
    good = Article("1", "Dexamethasone in airway smooth muscle cells", "A pathway analysis.", full_text=True)
    assert rated(good, WANTED).score == 5
    assert rated(replace(good, full_text=False), WANTED).score == 4
    assert rated(replace(good, kind="review-article"), WANTED).score == 3
    assert rated(replace(good, retracted=True, notice="It was retracted."), WANTED).score == 1
    assert "retracted" in rated(replace(good, retracted=True, notice="It was retracted."), WANTED).reasons[0]
    assert rated(Article("2", "Sharks hunt with their tails"), WANTED).score == 1
    many = Wanted(
        Objective(
            "Does kokusaginine lower fibrosis of obstructed kidneys through Akt?",
            ("mice", "sham operation", "losartan", "Masson staining"),
        )
    )
    title = "Kokusaginine attenuates renal fibrosis"
    assert rated(Article("3", f"{title} through Akt"), many).score == 4, "two of its subjects in the title"
    assert rated(Article("4", "Akt in flies"), many).score == 3


def test_datasets_are_judged_by_their_descriptions() -> None:
    about = Dataset("GSE5", title="Airway smooth muscle cells with dexamethasone", samples=8)
    assert judged(about, WANTED).usable
    assert "fetched first" in judged(about, WANTED).reason
    assert not judged(replace(about, samples=2), WANTED).usable
    assert not judged(replace(about, accession="GPL5"), WANTED).usable
    assert not judged(Dataset("GSE6", title="Leaves of maize"), WANTED).usable
    assert judged(Dataset("GSE6"), Wanted(Objective("Use GSE6 for something"))).usable


async def test_a_dataset_that_is_not_named_is_offered_and_nothing_rests_on_it(tmp_path: Path) -> None:
    def judged_for(objective: Objective, name: str) -> Dataset:
        return judged(replace(at_hand, accession=name, title="Airway smooth muscle cells"), Wanted(objective))

    every = await literature(tmp_path).at_hand()
    at_hand = next(one for one in every if "airway_samples.csv" in [file.name for file in one.files])
    told = "Test whether dexamethasone relaxes airway smooth muscle cells"
    for name in ("airway", "GDS5"):
        objective = Objective(told, ("24 strips treated and 24 control strips",))
        offered = judged_for(objective, name)
        assert offered.usable
        assert "may not serve" in offered.reason
        study = study_of(objective, (offered,))
        assert not study.column
        made = design(objective, (), (offered,), study)
        assert not any(one.dataset for one in made.tasks)
        assert "bulk_rnaseq" not in made.families
        assert not any("Take the data from " + name in step.text for one in made.parts for step in one.steps)
    for condition in ("the counts of GDS5", "airway_counts of 8 samples", "airway_samples.csv"):
        objective = Objective(told, (condition,))
        assert study_of(objective, (judged_for(objective, "GDS5"),)).column


async def test_a_part_is_analysed_by_rules_with_a_reason_and_without_suggestions(paper: Paper) -> None:
    report = experiment_report(paper, 1)
    first = analysed(report.parts[0], WANTED)
    assert first.referable >= 3
    assert "3 of its 4 steps give values" in first.reason
    assert not first.suggestions, "they take a model"


def test_a_teaser_before_the_abstract_is_not_taken_for_it() -> None:
    teaser = '<abstract abstract-type="toc"><p>Cells sing.</p></abstract><abstract>'
    (front,) = read_fronts(article().replace("<abstract>", teaser).encode(), "airway.xml")
    assert front.abstract == ABSTRACT


def test_a_semicolon_in_brackets_parts_no_condition() -> None:
    order = ordered("protocol for asthma; conditions: t.csv (9 rows; age, sex); a week; requirements: a; b")
    assert order.objective.conditions == ("t.csv (9 rows; age, sex)", "a week")
    assert order.objective.requirements == ("a", "b")
