"""The design by rules: families, contrast, precedents, tasks, checks."""

from pathlib import Path

import pytest

from agents.protocol.checks import checked, hazards, sample_sizes
from agents.protocol.contrast import contrast_of
from agents.protocol.design import design
from agents.protocol.judge import Wanted, analysed, judged
from agents.protocol.power import counts_per_group, events_needed, fold_found, means_per_group
from agents.protocol.reports import experiment_report
from agents.protocol.templates import families_of, templates
from agents.protocol.values import DataFile, Dataset, ExperimentReport, Objective, ProtocolPart
from agents.reports.origins import origin_faults
from agents.reports.values import PROPOSED, Origin
from agents.trust.support import Support
from tests.agents.protocol.kit import OBJECTIVE, literature


async def material(
    folder: Path, objective: Objective
) -> tuple[tuple[ExperimentReport, ...], tuple[Dataset, ...]]:
    place, wanted = literature(folder), Wanted(objective)
    found = next(one for one in await place.articles("dexamethasone", 10) if one.doi == "10.9/airway")
    paper = await place.paper(found)
    assert paper is not None
    report = experiment_report(paper, 1)
    parts = tuple(analysed(one, wanted) for one in report.parts)
    return (ExperimentReport(found, parts),), tuple(judged(one, wanted) for one in await place.at_hand())


@pytest.mark.parametrize(
    ("text", "families"),
    [
        ("Differential expression by RNA-seq", ("bulk_rnaseq",)),
        ("Cell types in single-cell RNA-seq of the lung", ("single_cell",)),
        ("Prognosis in breast cancer by microarray", ("microarray", "survival")),
        ("Which genes change in asthma?", ("bulk_rnaseq",)),
        ("Immune infiltration of liposarcoma by LASSO", ("infiltration", "signature")),
        ("Pathways of RNA-seq data of frozen tissue", ("samples", "bulk_rnaseq", "pathway")),
        ("RNA-seq of HepG2 cells after siRNA", ("culture", "samples", "bulk_rnaseq")),
        ("Does it rain?", ()),
    ],
)
def test_families_are_known_by_their_words(text: str, families: tuple[str, ...]) -> None:
    assert families_of(Objective(text), ()) == families


def test_every_template_can_be_read_and_its_task_stands_in_one_of_its_parts() -> None:
    for one in templates().values():
        assert one.task is None or one.task.section in {part.id for part in one.parts}
    ids = [part.id for one in templates().values() for part in (*one.parts, *one.after)]
    assert len(set(ids)) == len(ids)


def test_no_step_of_a_template_states_a_finding() -> None:
    steps = [step for one in templates().values() for part in (*one.parts, *one.after) for step in part.steps]
    proposal, support = Origin(PROPOSED, "the rules"), Support(())
    assert [(step, one) for step in steps for one in origin_faults(step, proposal, (), support)] == []


def test_sample_sizes_of_cell_lines_are_not_those_of_people() -> None:
    lines = next(sample_sizes(Objective("RNA-seq of HepG2 cells"), ("bulk_rnaseq",), ())).text
    people = next(sample_sizes(Objective("RNA-seq of blood of patients"), ("bulk_rnaseq",), ())).text
    assert "at least 5 independent samples a group" in lines
    assert "variation of 0.1 " in lines
    assert "at least 15 independent samples a group" in people


async def test_steps_are_proposed_or_rest_on_steps_of_articles(tmp_path: Path) -> None:
    reports, datasets = await material(tmp_path, OBJECTIVE)
    made = design(OBJECTIVE, reports, datasets)
    known = {step.id: step.text for one in reports for step in one.steps}
    rest = [step for part in made.parts for step in part.steps if not step.proposed]
    assert rest
    assert all(known[key] == step.text for step in rest for key in step.rests_on)
    assert len({key for step in rest for key in step.rests_on}) == len(rest), "no step is told twice"
    first = made.parts[0]
    assert isinstance(first, ProtocolPart)
    assert "treated against control" in first.steps[0].text


async def test_tasks_name_their_data_groups_and_order(tmp_path: Path) -> None:
    reports, datasets = await material(tmp_path, OBJECTIVE)
    counts, pathways = design(OBJECTIVE, reports, datasets).tasks
    assert [one.name for one in counts.inputs] == ["airway_counts.csv.gz", "airway_samples.csv"]
    assert dict(counts.parameters) == {"group": "dex", "reference": "control", "other": "treated"}
    assert (pathways.depends_on, pathways.why_not) == (("task-bulk_rnaseq",), "")


def test_a_task_without_data_says_what_is_missing() -> None:
    (task,) = design(Objective("Prognosis of myeloma"), (), ()).tasks
    assert "No table at hand holds survival" in task.why_not


def test_a_contrast_is_read_from_words_too() -> None:
    found = contrast_of(Objective("Genes that differ between normal kidney and renal carcinoma"), ())
    assert found is not None
    assert found.text == "renal carcinoma against normal kidney"


async def test_conditions_that_no_step_meets_are_told(tmp_path: Path) -> None:
    objective = Objective(OBJECTIVE.text, ("Budget: 5,000 €", "12 frozen samples"), ("electron microscopy",))
    checks = checked(objective, design(objective, (), ()), ())
    told = {one.text: one.level for one in checks if one.kind == "condition"}
    assert told["No step speaks of the requirement “electron microscopy”."] == "missing"
    assert any("no prices" in text for text in told)
    assert any("The team has 12 samples: with 6 a group" in one.text for one in checks)


def test_sample_sizes_are_those_of_the_formulas() -> None:
    assert counts_per_group(2.0, 0.4, 20.0, 0.05) == 7  # 2 (1.96 + 0.84)² (1/20 + 0.16) / ln(2)² = 6.86
    assert events_needed(2.0, 0.5, 0.05) == 66  # Schoenfeld: (1.96 + 0.84)² · 4 / ln(2)² = 65.3
    assert means_per_group(0.5, 0.05) == 64  # as tables of the t-test have it
    assert counts_per_group(fold_found(7, 0.4, 20.0, 0.05), 0.4, 20.0, 0.05) == 7


def test_hazards_are_told_with_the_word_that_tells() -> None:
    found = hazards("RNA was extracted with TRIzol from human blood; lentivirus was used in mice")
    assert {one.text.partition(" (")[0] for one in found} >= {
        "Phenol and chloroform",
        "Human material",
        "Animals",
        "Biosafety level 2 agents",
        "Genetically modified organisms",
    }
    assert hazards("Counts are compared") == ()


def test_of_survival_the_column_that_the_objective_names_makes_the_groups() -> None:
    levels = (("treatment", ("a", "b")), ("molecular_group", ("x", "y", "z")))
    table = DataFile(
        "times.csv", "survival", ("id", "time", "event", "treatment", "molecular_group"), 90, levels
    )
    data = Dataset("times", files=(table,), usable=True)
    (task,) = design(Objective("Survival by molecular group in times.csv"), (), (data,)).tasks
    assert task.parameters == (("group", "molecular_group"),)
