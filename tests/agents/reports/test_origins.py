"""What is proposed or computed says so, and a value that its program did not write is struck."""

import hashlib
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agents.evidence.values import Citation
from agents.programs.kept import Program, Ran
from agents.programs.values import Used
from agents.reports.brief import brief
from agents.reports.computed import as_figures, computation, only_kept
from agents.reports.gate import STRUCK, audit, gated
from agents.reports.origins import with_origin
from agents.reports.values import (
    COMPUTED,
    PROPOSED,
    Block,
    Cell,
    Code,
    Figure,
    Heading,
    Origin,
    Paragraph,
    Points,
    Prose,
    Report,
    Section,
    Statement,
    Table,
)
from agents.runs.artefacts import Artefact
from agents.runs.encoding import encode
from agents.runs.hashing import digest
from agents.runs.records import StepRecord

CODE = "fit <- lmFit(counts)\nwrite.csv(fit, 'out/fold.csv')\n"
FOLDS = "gene,logFC,padj\nTP53,2.3104,0.00012\nMYC,-1.2,0.04\nEGFR,0.5,0.51\n"
OUT = "12 genes tested\nIC50 of P-3: 5.2 nM\nAccuracy 0.873\nhazard ratio 1.70 (0.95 CI 1.23 to 2.35)\n"
PLOT = "b" * 64


def ran(out: str = OUT, folds: str = FOLDS) -> Ran:
    """An R program that ran, as its step keeps it."""
    code = hashlib.sha256(CODE.encode()).hexdigest()
    program = Program("fold.R", ("Rscript", "in/fold.R"), (("fold.R", code), ("counts.csv", "c" * 64)))
    table = Artefact(hashlib.sha256(folds.encode()).hexdigest(), "text/csv", "fold.csv", len(folds))
    plot = Artefact(PLOT, "image/png", "plot.png", 10)
    key = digest((program.sha256, (table.sha256, PLOT), (out, folds)))
    return Ran(program, 0, out, "", (table, plot), (("fold.csv", folds),), (), "", Used(), key)


BY = computation(ran())
IDEA = Origin(PROPOSED, "Scientist A")


def report(*blocks: Block, short: str = "", citations: tuple[Citation, ...] = ()) -> Report:
    section = Section("r", "Results", blocks, citations, computations=(BY,))
    return Report("What changes?", "Answer", short, True, (section,))


def says(text: str, origin: Origin | None, *numbers: int) -> Points:
    return Points((Statement("It was done.", (), None), Statement(text, numbers, None, origin)))


def stands(text: str, origin: Origin | None) -> bool:
    told = gated(report(says(text, origin)))
    return text in [one.text for one in told.sections[0].statements]


@pytest.mark.parametrize(
    "text",
    [
        "TP53 has a log2 fold change of 2.31 (adjusted p 0.00012).",
        "TP53 rises by 2.3104 and MYC by -1.2.",
        "The IC50 of P-3 is 5.2 nM.",
        "Accuracy is 87.3%.",
        "The hazard ratio was 1.70 (95% CI 1.23-2.35).",
        "In all 12 genes were tested.",
    ],
)
def test_a_value_that_the_program_wrote_stands_as_it_is_or_rounded(text: str) -> None:
    assert stands(text, BY.origin)
    assert not stands(text, None)


@pytest.mark.parametrize(
    "text",
    [
        "TP53 has a log2 fold change of 2.41.",
        "TP53 has a log2 fold change of 0.51.",
        "MYC has an adjusted p of 0.00012.",
        "MYC changes by 1.2.",
        "The IC50 of P-3 is 5.2 µM.",
        "The IC50 of P-3 is 5 nM.",
        "The IC50 of P-4 is 5.2 nM.",
        "Accuracy is 97.3%.",
        "It was tested on 5 December 2024.",
        "In all 13 genes were tested.",
    ],
)
def test_a_value_of_another_line_unit_or_sign_is_struck(text: str) -> None:
    assert not stands(text, BY.origin)


@given(st.decimals(0, 100, places=3), st.sampled_from(["TP53", "MYC", "EGFR"]))
def test_a_made_up_value_is_struck_under_every_origin(value: object, gene: str) -> None:
    written = f"{value}"
    assume(written.rstrip("0").rstrip(".") not in FOLDS and float(written) not in {2.3104, 0.5, 0.51, 0.04})
    assume(abs(float(written) - 2.3104) > 0.0005 and float(written) > 0.001)
    text = f"{gene} has a fold change of {written}."
    assert not stands(text, BY.origin)
    assert not stands(text, IDEA)
    assert not stands(text, None)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Centrifuge at 300 g for 5 min at 4 °C.", True),
        ("Give 10 mg/kg once a day to 12 mice per group.", True),
        ("Seed 2 x 10^5 cells per well in a 96-well plate.", True),
        ("Assume a hazard ratio of 0.6 for the sample size of 120.", True),
        ("Measure the IC50 at 8 concentrations from 1 nM to 10 µM.", True),
        ("Keep viability above 90%.", True),
        ("Replace the ester by an amide.", True),
        ("A cluster of fewer than 10 cells is reported, not ranked.", True),
        ("Leave out a tube with clots or 200 dendritic cells.", True),
        ("Ask from how many cells the 700 were taken.", True),
        ("Exclude clusters with a score below 3.", True),
        ("Test the first five components against the blocks by Kruskal-Wallis at 0.01.", True),
        ("Draw components 1 and 2 by patient number in ten blocks of about 20.", True),
        ("Camera takes no blocks, so use its second form at 0.01 instead.", True),
        ("With subjects as blocks fit the model at 0.05.", True),
        ("P-3 blocks hERG by 45 %.", False),
        ("In ten blocks the drug gave p = 0.003.", False),
        ("Show what each probe carries: rerun the fit with 20 repeats.", True),
        ("Show that the drug is clear: read wells with 40 µM at 0 and 72 h.", True),
        ("Show 80 % inhibition of CYP3A4 by P-3.", False),
        ("Show inhibition of CYP3A4 by 80 % with P-3.", False),
        ("Show that P-3 killed 40 % of the bacteria.", False),
        ("Take the compound that lowers growth by 65 % at 10 µM.", False),
        ("Dose at 30 mg/kg, which lowered the tumour by 60 %.", False),
        ("A probe that passes with a sign that differs between the two groups is marked.", True),
        ("Wells with less than half of the monolayer (score 0 or 1) stay in the analysis.", True),
        ("Controls with vehicle reach a score of 12 and are kept.", False),
        ("Wells with isoniazid had 10 colonies and are kept.", False),
        ("All must hold; (b) 12 of 20 animals were cured.", False),
        ("Prepare P-3, bound to albumin by 97 % in serum.", False),
        ("At 3 µM, P-3 bound to albumin.", False),
        ("Count p as (1 + shuffles at or above the observed) / 201.", True),
        ("Report the observed 12 of 20 cures.", False),
        ("Report the observed reduction of 60 %.", False),
        ("Take the two doses as 4 multiples of the measured MIC and not the dose of the assay.", True),
        ("Take the measured response: 12 of 20 animals were cured.", False),
        ("Take P-3, which was measured at 3 nM.", False),
        ("A response of 40 % is reached again at 5 mg.", False),
        ("Test them in the direction found before, with Holm correction, at 0.05.", True),
        ("Use 3 µM, the IC50 found before in THP-1 cells.", False),
        ("A tank above 2 % is left out and the reason found.", True),
        ("Below 0.6 ng/ml half of it is taken, and the share of such values reported.", True),
        ("Water: measured thyroxine 4 to 6 µg/l in T and PT.", True),
        ("Fish are killed with 500 mg/l MS-222 for 10 min.", True),
        ("Each plate has four whole blocks (16 tanks, 32 fish), and water in 2 wells.", True),
        ("At score 2 call the veterinarian within 4 h.", True),
        ("All three met: PBDE-47 lowers plasma thyroxine.", True),
        ("Change the tubing of a tank that differs by more than 30 % from the mean.", True),
        ("A hazard ratio of 1.5 is worth finding.", True),
        ("Earlier work had 9 to 11 pairs a group.", False),
        ("PBDE-47 lowers plasma thyroxine by 40 %.", False),
        ("Keep in mind that P-3 blocks 45 % of hERG.", False),
        ("State that 12 of 20 animals were cured.", False),
        ("Only 12 of 40 patients had a response.", False),
        ("In only 3% of rats the tumour was reduced.", False),
        ("A 30% increase is found in the liver.", False),
        ("80% inhibition is observed at 10 µM.", False),
        ("Bioavailability over 60% in dogs.", False),
        ("NOAEL above 30 mg/kg in rats.", False),
        ("State the IC50 of 4 nM that was measured.", False),
        ("Name P-3, which inhibited CYP3A4 by 80%.", False),
        ("Do not use it: it killed 40% of cells.", False),
        ("P-3 measured 3.2 nM and showed 45% inhibition.", False),
        ("P-3 has an IC50 of 3.2 nM.", False),
        ("P-3 binds 45% better.", False),
        ("The IC50 is 3.2 nM.", False),
        ("Survival: 80%", False),
        ("In mice 30 mg/kg reduced tumours by 60%.", False),
        ("12 of 20 animals were cured.", False),
        ("Three of five animals were cured.", False),
        ("Check that viability ≥ 90 % in each of 3 wells.", True),
        ("The viability was ≥ 90 %.", False),
        ("Matrigel: growth-factor-reduced, 10 × 10 mL.", True),
        ("Binding is assumed here; step 8 shows it.", True),
        ("9.3 Preventive treatment lowers the risk, so a well child proves nothing.", True),
        ("9.3 Preventive treatment lowers the risk by 60 %.", False),
        ("30 mg/kg of it lowers the risk.", False),
        ("MK2 loss reduces p38 protein, 50 % in macrophages.", False),
        ("Metformin lowers HbA1c (by 10 %).", False),
        ("The power of the earlier trial was 40 %, and 12 of 20 mice were cured.", False),
        ("In the 53% scenario survival was 20 days.", False),
        ("3. Preventive treatment lowers it by more: 0 of 3.", True),
        ("MK2 loss also lowers p38 protein in some cells: bring TTP to equality as in 5.5.", True),
        ("Eligible: ≥ 20.0 mmol/L on two days; the stricter limit lowers the risk (score 0 to 1).", True),
        ("Take the dose at which the blot shows the phosphate down by >= 80%.", True),
        ("The blot shows the phosphate down by > 80%.", False),
        ("P-3 reduces growth by 45.5 %.", False),
        ("P-3 blocks hERG by 45.5 %.", False),
        ("Over all blocks (90% CI): the ratio within 0.32.", True),
        ("Sized for a true AUC of 0.80 in the first question (88%).", True),
        ("The AUC was 0.80 in the first question.", False),
        ("Smallest effect of interest: 0.35 /h (half-life 40 to 30 min).", True),
        ("Viability < 90%; no-RT.", True),
        ("P-3 has a viability < 90%.", False),
        ("Clear response (symptoms ≥50% less).", True),
        ("Symptoms were ≥50% less.", False),
        ("Failure: > 11.1 mmol/L on two days in a mouse that had been ≤ 11.1.", True),
        ("As 488 shows the arm, no person measures.", True),
        ("Because 13.4 shows that a verdict will mostly not be reached.", True),
        ("20 mg of it shows an effect.", False),
        ("Before set 1 show that the 488 channel is <5 % of the signal.", True),
        ("H1: the high dose lowers the area at day 14.", True),
        ("The high dose lowers the area by 14 %.", False),
        ("Two-sided 0.05, degrees of freedom reduced for sex and cohort.", True),
        ("Viability at 5 nM reduced for 3 days.", False),
        ("Batches of 24, blocked by hospital.", True),
        ("In our planning simulation 22 % of the tests were positive.", True),
        ("22 % of the tests were positive.", False),
        ("- 13.1 **Assumptions:** 225 analysed; HR 1.3 per SD of age.", True),
        ("225 analysed; HR 1.3 per SD of age.", False),
        ("Null: hazard ratio = 1.", True),
        ("The calculated IC50 was 5 nM.", False),
        ("Dishes that had lysophospholipids for 24 h (6 each) are prepared.", True),
        ("The 6 dishes had 20 % less.", False),
        ("The 100 µM arm shows how large the off-target part is.", True),
        ("It is an upper bound, since plots may have adjusted by weeks 4 and 6.", True),
        ("The rules were run on 40 000 simulated experiments.", True),
        ("The change from week 4 to week 6 tells whether acclimation was still going on.", True),
        ("Nitrogen was given at random, so line 5 is causal.", True),
        ("Mix it with untouched cells so that a test staining shows 0.8 to 1.2 %.", True),
        ("It was mixed so that 20 % were left.", False),
        ("Eighty vials are frozen and halved between the laboratories.", True),
        ("The drug halved growth at 5 nM.", False),
        ("A rise of creatinine by 25 % or more over baseline.", True),
        ("Growth is 25 % more.", False),
        ("The IC50 of kokusaginine is 10 µM.", False),
        ("Of 20 mice 14 survived to day 28.", False),
        ("SC79 doubles it within 2 h.", False),
    ],
)
def test_a_proposal_says_what_to_do_and_states_no_finding(text: str, kept: bool) -> None:
    assert stands(text, IDEA) is kept


def test_a_finding_in_a_proposal_stands_where_it_is_cited() -> None:
    quote = "The IC50 of QX-311 was 3.2 nM."
    cited = Citation(1, "E1", "QX-1", "Potency of QX-311", quote, 0, len(quote))
    told = gated(report(says("Start from QX-311: its IC50 was 3.2 nM.", IDEA, 1), citations=(cited,)))
    assert "3.2 nM" in repr(told.sections[0].blocks)
    wrong = gated(report(says("Start from QX-311: its IC50 was 3.3 nM.", IDEA, 1), citations=(cited,)))
    assert "3.3 nM" not in repr(wrong.sections[0].blocks)


def test_a_claimed_computation_that_the_report_does_not_hold_is_none() -> None:
    text = "The IC50 of P-3 is 5.2 nM."
    other = computation(ran(out="nothing"))
    assert not stands(text, Origin(COMPUTED, "fold.R", "counts.csv", BY.key))
    assert not stands(text, Origin(COMPUTED, "fold.R"))
    assert not stands(text, other.origin)
    forged = replace(BY, texts=("IC50 of P-9: 1.0 nM",))
    told = report(says("The IC50 of P-9 is 1.0 nM.", forged.origin))
    section = replace(told.sections[0], computations=(forged,))
    assert "1.0 nM" not in repr(gated(replace(told, sections=(section,))).sections[0].blocks)


def test_a_computation_counts_only_if_a_step_of_the_run_keeps_it() -> None:
    told = report(says("The IC50 of P-3 is 5.2 nM.", BY.origin))
    output, _ = encode(Ran, ran())
    step = StepRecord("r1", "fold", "i" * 64, output, "2026-01-01T00:00:00+00:00", 1.0)
    assert gated(only_kept(told, [step])) == told
    assert "5.2 nM" not in repr(gated(only_kept(told, [])).sections[0].blocks)


def test_cells_of_a_computed_table_are_read_in_their_rows() -> None:
    rows = (("TP53", "2.31"), ("MYC", "2.31"), ("EGFR", "0.5"))
    cells = tuple(tuple(Cell(text) for text in row) for row in rows)
    told = gated(report(Table("Fold changes", ("gene", "logFC"), cells, BY.origin)))
    (table,) = told.sections[0].tables
    assert [row[1].text for row in table.rows] == ["2.31", "–", "0.5"]
    assert table.origin == BY.origin


def test_code_stands_with_the_run_that_executed_it_or_as_a_proposal() -> None:
    def left(code: Code) -> tuple[Block, ...]:
        return gated(report(says("Done.", None), code)).sections[0].blocks[1:]

    run = Code("r", CODE, OUT, BY.origin)
    assert left(run) == (run,)
    assert left(replace(run, text=CODE + "#")) == ()
    assert left(replace(run, output=OUT + "13 genes")) == ()
    assert left(replace(run, origin=None)) == ()
    planned = Code("r", CODE, "", IDEA)
    assert left(planned) == (planned,)
    assert left(replace(planned, output=OUT)) == ()


def test_a_computed_figure_is_a_file_of_its_program() -> None:
    plot = Figure("Fold changes", PLOT, "image/png", "Genes by their fold change.", origin=BY.origin)
    assert gated(report(plot)).sections[0].blocks == (plot,)
    assert gated(report(says("Done.", None), replace(plot, sha256="d" * 64))).sections[0].blocks[1:] == ()


def test_files_of_a_program_are_shown_as_pictures_and_files() -> None:
    figures = as_figures(ran().files, BY.origin)
    assert [(one.noun, one.title) for one in figures] == [("File", "fold.csv"), ("Figure", "plot.png")]
    assert gated(report(*figures)).sections[0].blocks == figures


def test_lines_that_retell_a_computed_value_say_that_it_is_computed() -> None:
    headline = Paragraph("P-3 reaches an IC50 of 5.2 nM", strong=True)
    told = gated(report(headline, says("The IC50 of P-3 is 5.2 nM.", BY.origin), short="P-3: 5.2 nM"))
    assert told.short == "P-3: 5.2 nM (computed)"
    assert told.sections[0].opening == "P-3 reaches an IC50 of 5.2 nM (computed)"
    assert gated(told) == told
    made_up = gated(report(says("The IC50 of P-3 is 5.2 nM.", BY.origin), short="P-3: 5.3 nM"))
    assert "5.3" not in made_up.short
    assert made_up.notes[0].startswith(STRUCK)


def test_who_proposes_cannot_smuggle_a_value() -> None:
    loud = Origin(PROPOSED, "Scientist A, IC50 3 nM")
    told = gated(report(says("Replace the ester.", loud)))
    assert "3 nM" not in repr(told.sections[0].blocks)


def test_every_skin_sees_mark_and_line() -> None:
    blocks = brief(gated(report(says("The IC50 of P-3 is 5.2 nM.", BY.origin))).sections[0]).blocks
    points, line = blocks
    assert isinstance(points, Points)
    assert points.statements[1].rendered == "The IC50 of P-3 is 5.2 nM. (computed)"
    program = f"program {BY.program[:8]}"
    assert line == Paragraph(f"Computed by fold.R ({program}) from fold.R, counts.csv.", remark=True)
    idea = brief(gated(report(says("Replace the ester.", IDEA))).sections[0]).blocks[-1]
    assert idea == Paragraph("Proposed by Scientist A.", remark=True)


def test_values_are_counted_by_what_they_rest_on() -> None:
    found = audit(
        gated(report(says("The IC50 of P-3 is 5.2 nM.", BY.origin), says("Give 10 mg/kg to 12 mice.", IDEA)))
    )
    assert (found.wrong, found.proposed) == ((), 2)
    assert found.computed >= 1


def test_a_list_of_proposals_tells_its_origin_once() -> None:
    proposals = Points((Statement("Weigh the animals.", origin=IDEA), Statement("Count them.", origin=IDEA)))
    mixed = Points((Statement("Weigh the animals.", origin=IDEA), Statement("They were counted.")))
    alone, half = (brief(Section("s", "S", (block,))).blocks for block in (proposals, mixed))
    assert isinstance(alone[0], Points)
    assert isinstance(half[0], Points)
    assert [one.rendered for one in alone[0].statements] == ["Weigh the animals.", "Count them."]
    assert alone[1:] == half[1:]
    assert half[0].statements[0].rendered == "Weigh the animals. (proposed)"
    beside = Prose((Statement("It was read.", citations=(1,)), Statement("Count them.", origin=IDEA)))
    told, line, _, last = brief(Section("s", "S", (beside, proposals))).blocks
    assert isinstance(told, Prose)
    assert [one.rendered for one in told.statements] == ["It was read.", "Count them."]
    assert [line, last] == [
        Paragraph("Without a citation: proposed by Scientist A.", remark=True),
        Paragraph("Proposed by Scientist A.", remark=True),
    ]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Of 22074 probes that were tested, 2101 differ.", True),
        ("Of 22074 probes that were tested, 2201 differ.", False),
        ("Of 22704 probes that were tested, 2101 differ.", False),
        ("2101 differ.", True),
    ],
)
def test_large_counts_stand_as_the_program_printed_them(text: str, kept: bool) -> None:
    by = computation(ran("Of 22074 probes that were tested, 2101 differ.\n"))
    told = gated(
        replace(
            report(says(text, by.origin)),
            sections=(Section("r", "R", (says(text, by.origin),), computations=(by,)),),
        )
    )
    assert (text in [one.text for one in told.sections[0].statements]) is kept


def test_a_proposal_without_citations_is_whole_and_says_that_its_finding_has_no_source() -> None:
    text = "Keep cells at 37 °C; the viability was 95 % after a day."
    section = Section("s", "S", (Points((Statement(text, origin=IDEA),)),))
    (points,) = gated(Report("q", "Answer", "", True, (section,))).sections[0].blocks
    assert isinstance(points, Points)
    assert points.statements[0].text == f"{text} (no source found)"


@pytest.mark.parametrize("smaller", ["10.1 Cells", "Set 2 (days 11–16): Skp2, half-life"])
def test_a_smaller_heading_over_a_proposal_is_proposed_with_it(smaller: str) -> None:
    later = "The half-life was 3 h"
    step = Points((Statement("Split the cells.", origin=IDEA),))
    section = Section("s", "S", (Heading(smaller, 3), step, Heading(later, 3), step))
    first, _, second, _ = gated(Report("q", "Answer", "", True, (section,))).sections[0].blocks
    assert (first, second) == (Heading(smaller, 3), Heading(f"{later} (no source found)", 3))


def test_a_cell_of_a_proposed_table_is_whole_and_the_table_says_whose_it_is() -> None:
    table = Table("Rules", ("if", "then"), ((Cell("the viability was 95 %"), Cell("go on")),), IDEA)
    told = gated(Report("q", "Answer", "", True, (Section("s", "S", (table,)),)))
    assert told.sections[0].blocks == (table,)
    assert with_origin(table)[1].text == "Proposed by Scientist A."


def test_neighbours_that_one_proposes_tell_their_origin_once() -> None:
    first, second = (Points((Statement(one, origin=IDEA),)) for one in ("Weigh them.", "Count them."))
    heads = Table("Doses", ("dose", "10 nM of AB-12"), ((Cell("low"), Cell("5 nM")),), IDEA)
    blocks = (first, Heading("Later", 3), heads, second, Points((Statement("Stop."),)), first)
    lines = [isinstance(one, Paragraph) for one in brief(Section("s", "S", blocks)).blocks]
    assert lines == [False, False, False, False, True, False, False, True]
    assert gated(report(says("Done.", None), heads)).sections[0].blocks[-1] == heads, "its heads are proposed"
