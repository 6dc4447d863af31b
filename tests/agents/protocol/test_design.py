"""The design by rules: families, contrast, precedents, tasks, checks."""

from dataclasses import replace
from pathlib import Path

import pytest

from agents.protocol.checks import (
    checked,
    counts_per_group,
    events_needed,
    fold_found,
    hazards,
    means_per_group,
    sample_sizes,
)
from agents.protocol.design import design as written
from agents.protocol.groups import study_of
from agents.protocol.judge import Wanted, analysed, judged
from agents.protocol.reports import experiment_report
from agents.protocol.study import Group, Study, altered, differences, study_in, study_section
from agents.protocol.templates import families_of, templates
from agents.protocol.values import (
    DataFile,
    Dataset,
    ExperimentReport,
    Objective,
    Protocol,
    ProtocolPart,
    ProtocolStep,
)
from agents.protocol.writer import described
from agents.reports.origins import origin_faults
from agents.reports.values import PROPOSED, Origin
from agents.trust.support import Support
from tests.agents.protocol.kit import OBJECTIVE, literature


def design(
    objective: Objective, reports: tuple[ExperimentReport, ...], datasets: tuple[Dataset, ...]
) -> Protocol:
    return written(objective, reports, datasets, study_of(objective, datasets))


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
        ("Genes of lipases by qRT-PCR, but no sequencing", ()),
        ("RNA-seq of cells with and without insulin, not by microarrays", ("bulk_rnaseq",)),
        ("No RNA-seq is at hand: do RNA-seq", ("bulk_rnaseq",)),
        ("RNA-seq of cells; microarrays are not available", ("bulk_rnaseq",)),
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
    bulk = Protocol(("bulk_rnaseq",))
    lines = next(sample_sizes(Objective("RNA-seq of HepG2 cells"), bulk, ())).text
    people = next(sample_sizes(Objective("RNA-seq of blood of patients"), bulk, ())).text
    by_model = replace(bulk, by="model")
    assert list(sample_sizes(Objective("RNA-seq of blood of patients"), by_model, ())) == []
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
    asked = {"group": "dex", "reference": "control", "other": "treated", "block": "donor"}
    assert dict(counts.parameters) == asked
    assert (pathways.depends_on, pathways.why_not) == (("task-bulk_rnaseq",), "")
    assert {one.name: one.type for one in counts.outputs}.items() >= {
        ("results.csv", "csv"),
        ("summary.txt", "txt"),
        ("volcano.png", "png"),
    }
    more = replace(OBJECTIVE, conditions=(*OBJECTIVE.conditions, "Published genes of Himes: DUSP1, and C7."))
    counts, pathways = design(more, reports, datasets).tasks
    assert dict(counts.parameters) == {**asked, "published": "DUSP1, and C7."}
    assert "published" not in dict(pathways.parameters), "no family that ranks genes"


def test_a_task_without_data_says_what_is_missing() -> None:
    (task,) = design(Objective("Prognosis of myeloma"), (), ()).tasks
    assert "No table at hand holds survival" in task.why_not


@pytest.mark.parametrize(
    ("text", "study"),
    [
        (
            "Genes that differ between normal kidney and renal carcinoma",
            Study((Group("normal kidney"), Group("renal carcinoma"))),
        ),
        (
            "Genes of 12 treated and 10 vehicle rats, littermates, after 24 h at 5 mg/kg",
            Study((Group("vehicle", 10), Group("treated", 12)), "litter", True, ("24 h",), ("5 mg/kg",)),
        ),
        ("Genes that matter", Study()),
    ],
)
def test_the_design_is_read_from_words_too(text: str, study: Study) -> None:
    assert study_of(Objective(text), ()) == study


async def test_text_sizes_and_tasks_have_the_design_of_the_sample_table(tmp_path: Path) -> None:
    reports, datasets = await material(tmp_path, OBJECTIVE)
    made = design(OBJECTIVE, reports, datasets)
    study = made.study
    assert study.groups == (Group("control", 4), Group("treated", 4))
    assert (study.within, study.paired, study.column) == ("donor", True, "dex")
    steps = " ".join(step.text for part in made.parts for step in part.steps)
    assert "design `~ donor + group` with control as the reference level" in steps
    told = " ".join(one.text for one in checked(OBJECTIVE, made, datasets) if one.kind == "power")
    assert "pairs (within donor), assuming a correlation of 0.5 within pairs" in told
    assert "The design has 8 samples: with 4 pairs (within donor)" in told
    assert study_in(study_section(study)) == study


def test_what_a_step_says_otherwise_than_the_design_is_found() -> None:
    study = Study((Group("vehicle", 8), Group("drug", 8)), "litter", paired=True)
    assert list(differences(study, "Take 8 animals per group; test by a paired t-test.")) == []
    assert "“12 animals per group”" in next(differences(study, "Dose 12 animals per group."))
    assert "pairs (within litter)" in next(differences(study, "Compare by an unpaired t-test."))
    assert list(differences(study, "Wells: 2 blanks, then 3 a group; 4 wells per group.")) == []
    assert "“12 per group”" in next(differences(study, "Dose 12 per group."))
    for other in ("200 µL a group", "3 days a group", "3 cover slips a group", "0.5 mL per group"):
        assert list(differences(study, f"Take {other}.")) == []
    assert "“12 mice a group”" in next(differences(study, "Take 12 mice a group."))
    visits = replace(study, times=("before", "6 months"))
    assert list(differences(visits, "Thaw 16 samples per group, of 8 subjects per group.")) == []
    assert list(differences(visits, "Thaw 24 samples per group."))
    alone = altered(study, {"paired": "no", "drug": "12"})
    assert (alone.groups[1].samples, alone.within, alone.paired) == (12, "", False)
    assert "independent samples" in next(differences(alone, "Compare by a paired t-test."))
    part = ProtocolPart("test", "Test", steps=(ProtocolStep("Say why."), ProtocolStep("Use matched pairs.")))
    checks = checked(Objective("x"), Protocol(study=alone, parts=(part,)), ())
    assert any(one.text.startswith("Test, step 2: “matched pairs”") for one in checks)


async def test_conditions_that_no_step_meets_are_told(tmp_path: Path) -> None:
    objective = Objective(
        OBJECTIVE.text, ("Budget: 5,000 €", "12 frozen samples"), ("electron microscopy", "pathway analysis")
    )
    checks = checked(objective, design(objective, (), ()), ())
    told = {one.text: one.level for one in checks if one.kind == "condition"}
    assert told["No step speaks of the requirement “electron microscopy”."] == "missing"
    assert "No step speaks of the requirement “pathway analysis”." not in told
    read = checked(objective, replace(design(objective, (), ()), by="a model"), ())
    assert not any("electron microscopy" in one.text for one in read), "its review knows better than words"
    assert told["Nobody compared the steps or their costs with “Budget: 5,000 €”."] == "open"
    assert any("The team has 12 samples: with 6 independent samples a group" in one.text for one in checks)


def test_what_the_conditions_deny_and_a_step_needs_is_told() -> None:
    denied = (
        "no sequencer, only a qPCR machine",
        "No blood samples",
        "without animals",
        "no more than 20 patients",
    )
    objective = Objective("Genes that metformin changes in blood of patients by RNA-seq", denied)
    steps = (ProtocolStep("Sequence without animals; draw blood"),)
    made = replace(design(objective, (), ()), parts=(ProtocolPart("a", "Sampling", steps=steps),))
    told = [one.text for one in checked(objective, made, ()) if "denies" in one.text]
    assert told == [
        "Bulk RNA-seq, differential expression needs what “no sequencer, only a qPCR machine” denies.",
        "Sampling needs what “No blood samples” denies.",
    ]


MICE = "Genes that metformin changes in livers of mice by RNA-seq"
SEQUENCING, ARRAYS = "Bulk RNA-seq, differential expression", "Expression microarray"


@pytest.mark.parametrize(
    ("text", "condition", "told"),
    [
        ("Prognosis in breast cancer by microarray", "no microarrays", [ARRAYS]),
        ("Prognosis in breast cancer by microarray", "no microarray scanner", [ARRAYS]),
        ("Prognosis in breast cancer by microarray", "microarrays are not available", [ARRAYS]),
        (MICE, "sequencing is not possible", [SEQUENCING]),
        (MICE, "microarrays are not available", []),
        (MICE, "no animals", ["Animal study"]),
        ("Genes that metformin changes in blood of patients by RNA-seq", "no animals", []),
        ("Genes that metformin changes in cells rather than mice", "no animals", []),
    ],
)
def test_what_is_denied_or_not_available_is_held_against_families(
    text: str, condition: str, told: list[str]
) -> None:
    objective = Objective(text, (condition,))
    found = [one.text for one in checked(objective, design(objective, (), ()), ()) if "denies" in one.text]
    assert found == [f"{one} needs what “{condition}” denies." for one in told]


def test_no_animals_are_needed_where_a_table_is_at_hand() -> None:
    objective = Objective(MICE, ("no animals",))
    made = design(objective, (), ())
    held = replace(made, tasks=tuple(replace(one, why_not="") for one in made.tasks))
    assert held.tasks
    assert not [one for one in checked(objective, held, ()) if "denies" in one.text]


@pytest.mark.parametrize("condition", ["only a qPCR machine", "Only cell lines"])
def test_what_alone_there_is_is_told_as_not_compared(condition: str) -> None:
    objective = Objective(MICE, (condition,))
    found = [one.text for one in checked(objective, design(objective, (), ()), ())]
    assert f"Nobody compared the steps or their costs with “{condition}”." in found


def test_columns_of_the_model_meet_a_requirement() -> None:
    objective = Objective("Survival by sex", (), ("adjust for age and wt.loss",))
    study = Study(column="sex", time="time", event="status", adjusted=("age", "wt.loss"))
    told = [one.text for one in checked(objective, Protocol(study=study), ())]
    assert not [one for one in told if "wt.loss" in one]
    assert [
        one.text
        for one in checked(objective, Protocol(study=replace(study, adjusted=())), ())
        if "wt" in one.text
    ]


def test_sample_sizes_are_those_of_the_formulas() -> None:
    assert counts_per_group(2.0, 0.4, 20.0, 0.05) == 7  # 2 (1.96 + 0.84)² (1/20 + 0.16) / ln(2)² = 6.86
    assert events_needed(2.0, 0.5, 0.05) == 66  # Schoenfeld: (1.96 + 0.84)² · 4 / ln(2)² = 65.3
    assert means_per_group(0.5, 0.05) == 64  # as tables of the t-test have it
    assert counts_per_group(fold_found(7, 0.4, 20.0, 0.05), 0.4, 20.0, 0.05) == 7
    assert means_per_group(0.5, 0.05, r=0.5) == 34  # pairs, as R's power.t.test(type = "paired") has it


def test_a_protocol_that_reckons_its_sizes_is_given_no_other_number() -> None:
    step = ProtocolStep("With 8 pairs a paired t test has 80 % power for 1.16 standard deviations.")
    study = Study((Group("monocytes", 8), Group("dendritic cells", 8)), "donor", True)
    protocol = Protocol(("single_cell",), study, (ProtocolPart("question", "Question", "", (step,)),))
    assert list(sample_sizes(OBJECTIVE, protocol, ())) == []
    for text in ("The power should be 0.85.", "Run power.t.test(n = 5, delta = 3, sd = 1.4)."):
        part = ProtocolPart("question", "Question", "", (ProtocolStep(text),))
        assert list(sample_sizes(OBJECTIVE, replace(protocol, parts=(part,)), ())) == []
    convention, told = sample_sizes(OBJECTIVE, replace(protocol, parts=()), ())
    assert told.text.startswith("The design has 8 pairs (within donor): a difference should be at least 1.1 ")
    assert "at least 5 subjects a group" in convention.text


def test_a_table_of_survival_at_hand_is_not_told_how_many_events_to_plan() -> None:
    data = Dataset("t", files=(DataFile("t.csv", "survival", ("time", "event"), 198),), usable=True)
    protocol = Protocol(("survival",))
    assert any("events" in one.text for one in sample_sizes(Objective("Survival"), protocol, ()))
    assert list(sample_sizes(Objective("Survival in t.csv"), protocol, (data,))) == []


async def test_a_file_of_cells_that_no_program_reads_is_named_with_what_to_do(tmp_path: Path) -> None:
    place = literature(tmp_path)
    (tmp_path / "blood.h5ad").write_bytes(b"HDF")
    objective = Objective("Markers of monocytes in blood.h5ad")
    datasets = tuple(judged(one, Wanted(objective)) for one in await place.at_hand())
    (task,) = design(objective, (), datasets).tasks
    assert "read_h5ad('blood.h5ad')" in task.why_not
    assert "blood.h5ad, AnnData, what it holds is not read here" in "".join(map(described, datasets))


def test_columns_that_are_not_listed_are_counted() -> None:
    table = DataFile("p.csv", "table", tuple(f"probe{n}" for n in range(76)), 9)
    assert "probe29, … 76 in all" in described(Dataset("p", files=(table,)))
    rows = (("a", "sick", "P1"), ("b", "well", "P1"))
    sheet = DataFile("s.csv", "samples", ("id", "state", "who"), 2, (("state", ("sick", "well")),), rows)
    told = described(Dataset("s", files=(sheet,)))
    assert "a, sick, P1; b, well, P1" in told, "who was sampled twice can be seen"
    assert "state: sick, well" in described(Dataset("s", files=(replace(sheet, cells=rows * 20),)))


def test_hazards_are_told_with_the_word_that_tells() -> None:
    told = [one.text for one in hazards("Grow CD34+ cells with 0.1 % DMSO; fix in glutaraldehyde.")]
    assert [one.partition(" (")[0] for one in told] == ["Human material", "Toxic reagents"]
    found = hazards("RNA was extracted with TRIzol from human blood; lentivirus was used in mice")
    assert {one.text.partition(" (")[0] for one in found} >= {
        "Phenol and chloroform",
        "Human material",
        "Animals",
        "Biosafety level 2 agents",
        "Genetically modified organisms",
    }
    assert hazards("Counts are compared") == ()
    assert hazards("Offer hepatitis B vaccination, methanol-free fixative; impute (mice, m = 20)") == ()
    assert hazards("Stain with goat anti-rabbit Alexa 488 in 10 % goat serum.") == ()
    assert hazards("A plate reader, but no animals; work without mice") == ()
    assert hazards("Not only cells, no mice but rats")[0].text.startswith("Animals (“rats”)")
    assert hazards("Load the R packages survival, rms, mice and ggplot2.") == ()
    assert hazards("library(mice)") == hazards("Software: R ≥ 4.2 with survival, mice; `mice`, 20 sets") == ()
    spots = "Spots to antigens of Mycobacterium tuberculosis and *M. tuberculosis*-specific T cells"
    assert hazards(f"{spots}. Exclusion. Congenital or acquired, incl. HIV; HIV-positive children.") == ()
    assert hazards("Infect them with Mycobacterium tuberculosis.") != ()
    (one,) = hazards("Transduce with adenovirus.")
    assert "HIV" not in one.text, "what is told of one agent is told of no other"


def test_a_dataset_that_no_step_names_brings_no_hazard() -> None:
    objective = Objective("Find markers in cell lines")
    human = Dataset("GSE1", organism="Homo sapiens", usable=True)
    assert not [one for one in checked(objective, Protocol(), (human,)) if one.kind == "hazard"]


def test_samples_of_animals_are_none_of_persons() -> None:
    goats = hazards("Take liver biopsies and whole blood of 12 goats at slaughter.")
    assert [one.text.partition(" (")[0] for one in goats] == ["Animals"]
    both = hazards("Compare biopsies of goats with those of patients.")
    assert [one.text.partition(" (")[0] for one in both] == ["Human samples and data", "Animals"]
    alone = hazards("Take biopsies, no animals.")
    assert [one.text.partition(" (")[0] for one in alone] == ["Human samples and data", "Human material"]


def test_of_survival_the_column_that_the_objective_names_makes_the_groups() -> None:
    levels = (("treatment", ("a", "b")), ("molecular_group", ("x", "y", "z")))
    table = DataFile(
        "times.csv", "survival", ("id", "time", "event", "treatment", "molecular_group"), 90, levels
    )
    data = Dataset("times", files=(table,), usable=True)
    (task,) = design(Objective("Survival by molecular group in times.csv"), (), (data,)).tasks
    assert task.parameters == (("group", "molecular_group"), ("reference", "x"))


def test_of_survival_words_within_others_name_no_column_and_times_go_with_their_event() -> None:
    """“recur” stands in “recurrence-free”; `rfs_time` goes with `rfs_event`, also where deaths count."""
    columns = ("id", "recur", "death", "rfs_time", "rfs_event", "hormon", "age", "nodes")
    levels = (("recur", ("0", "1")), ("death", ("0", "1")), ("hormon", ("none", "tamoxifen")))
    data = Dataset("r", files=(DataFile("r.csv", "survival", columns, 90, levels),), usable=True)
    objective = Objective(
        "Does tamoxifen lengthen recurrence-free survival?",
        ("r.csv has rfs_time, rfs_event (relapse or death), hormon, age, nodes",),
        ("adjustment for age and nodes",),
    )
    (task,) = design(objective, (), (data,)).tasks
    assert task.parameters == (
        ("time", "rfs_time"),
        ("event", "rfs_event"),
        ("group", "hormon"),
        ("reference", "none"),
        ("covariates", "age, nodes"),
    )


def test_a_design_on_a_table_of_survival_reads_back_from_its_section() -> None:
    study = Study(column="hormon", time="t", event="e", adjusted=("age", "nodes"), only="nodes > 0")
    assert study_in(study_section(study)) == study
    assert study.model == "Surv(t, e) ~ hormon + age + nodes"
    assert altered(study, {"only": "age < 50", "adjusted": "age"}).adjusted == ("age",)
