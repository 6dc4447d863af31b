"""Lines that are cited one by one and carry a value together; a changed value they do not carry."""

from time import process_time

import pytest

from agents.evidence.memory import EvidenceMemory
from agents.evidence.values import Citation
from agents.trust.carrier import carrier_of
from agents.trust.support import Support, check_numbers, faults
from agents.trust.values import Claim, Verdict
from tests.agents.trust.builders import read_plainly, remember

Lines = tuple[str, ...]
GRADES = "Adverse event All Grades(%) Grade 3/4(%) All Grades(%) Grade 3/4(%)"
ARMS = "Table 8. Adverse events. Brovatin (N=118) Placebo (N=121)"
EVENTS = "Vomiting 47 8 33 2\nRash 21 1 19 0"
KINETICS = "Dose (mg) Cmax (ng/mL) tmax (h) AUC (ng·h/mL) t1/2 (h)"
WEEKLY = ("Arm Dose per week Patients", "High 2.8 mg 64", "Low 1.4 mg 66")
HEAD = "run 1 (K-02) run 2 (K-03)"
RUNS = ("titre (g/L) 2.1 3.4", "yield of capture (%) 81 78", "aggregates by SEC (%) 2.2 4.8")
YIELDS = (
    "\trun 1 (K-02)\trun 2 (K-03)\ntitre (g/L)\t2.1\t3.4\nyield of capture (%)\t81\t78\n"
    "aggregates by SEC (%)\t2.2\t4.8"
)
PLASMA = "Dose (mg)\tCmax (ng/mL)\ttmax (h)\tt1/2 (h)\n40\t512\t3\t11.6\n80\t967\t3\t12.2"
SHARES = "Event\tPlacebo (%)\tDrug (%)\nRash\t12\t31\nPain\t7\t9"
CHANGE = "change (95 % CI) 17.9 -8.4 to 44.2"
LEVEL = "40 512 3 6120 11.6"


def stands(text: str, *lines: str) -> bool:
    """Whether a claim over lines of one document passes the check of its numbers and the gate."""
    return _passes(text, remember(*lines))


def _passes(text: str, memory: EvidenceMemory) -> bool:
    items = memory.all()
    carriers = tuple(carrier_of(Citation.of(1, one, one.start, one.end)) for one in items)
    checked, _ = check_numbers(Claim(text, tuple(one.key for one in items)), items)
    return checked is Verdict.SUPPORTED and not list(faults(text, Support(carriers)))


@pytest.mark.parametrize(
    ("table", "right", "wrong"),
    [
        (PLASMA, "Cmax was 512 ng/mL at 40 mg.", "Cmax was 11.6 ng/mL at 40 mg."),
        (PLASMA, "Tmax was 3 h at 40 mg.", "The half-life was 40 h."),
        (SHARES, "Rash was seen in 31% on drug.", "Rash was seen in 123%."),
        (YIELDS, "The titre of run 1 was 2.1 g/L and that of run 2 3.4 g/L.", "It was 81 g/L."),
        (YIELDS, "Aggregates by SEC: run 1 2.2 %, run 2 4.8 %.", "Aggregates: run 1 4.9 %."),
    ],
)
def test_a_plain_table_is_read_with_its_heads(table: str, right: str, wrong: str) -> None:
    memory = read_plainly(table)
    assert _passes(right, memory)
    assert not _passes(wrong, memory)


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        ((GRADES, EVENTS), "Vomiting occurred in 47 mg."),
        ((GRADES, EVENTS), "Vomiting occurred in 21%."),
        ((GRADES, EVENTS), "Headache occurred in 47%."),
        ((GRADES, EVENTS), "Grade 3–4 vomiting: 47%."),
        ((GRADES, EVENTS), "Vomiting of any grade in 8%."),
        ((GRADES, EVENTS), "On placebo vomiting occurred in 47%."),
        ((f"{ARMS} {GRADES}", EVENTS), "Vomiting: 33% on Brovatin."),
        ((KINETICS, LEVEL), "Cmax was 6120 ng/mL at 40 mg."),
        ((KINETICS, LEVEL), "The half-life was 3 h."),
        (("Drug (%) Placebo (%)", "Raised ALT 12 3"), "AST was raised in 12%."),
        ((KINETICS, LEVEL, "80 967 3 9480 12.2"), "Cmax was 512 ng/mL at 80 mg."),
        (("Placebo (%) Drug (%)", "Rash 12 31", "Pain 7 9"), "A rash was seen in 12%."),
        (WEEKLY, "The high arm took 2.8 mg per day."),
        (WEEKLY, "The low arm took 2.8 mg per week."),
    ],
)
def test_a_line_has_no_unit_from_a_line_above_it(lines: Lines, wrong: str) -> None:
    assert not stands(wrong, *lines)


@pytest.mark.parametrize(
    ("table", "wrong"),
    [
        (PLASMA, "Cmax was 11.6 ng/mL at 40 mg."),
        (PLASMA, "Cmax was 512 ng/mL at 80 mg."),
        (SHARES, "Pain was seen in 31%."),
        (SHARES, "On placebo a rash was seen in 31%."),
        (YIELDS, "Aggregates by SEC were 81 %."),
        (YIELDS, "The titre of run 1 was 3.4 g/L."),
    ],
)
def test_a_value_of_another_row_or_column_of_a_table_is_struck(table: str, wrong: str) -> None:
    assert not _passes(wrong, read_plainly(table))


SINGLE = ("Adverse event LQ-014 (%) Placebo (%)", "Headache 26 11\nSerious infection 4 1\nNo relapse 61 40")
SPECIES = ("Species Dose per day", "Ferrets 30 mg", "Hamsters 8 mg")


@pytest.mark.parametrize(
    "text",
    [
        "Fatal vomiting occurred in 47%.",
        "Serious vomiting occurred in 47%.",
        "Severe vomiting of any grade: 47%.",
        "High-grade vomiting: 47%.",
        "Grade 3 vomiting: 47%.",
        "Grade 5 vomiting: 47%.",
        "Grade III vomiting: 47%.",
        "Grade 3 vomiting: 8%.",
        "No vomiting was seen in 47%.",
        "Vomiting led to discontinuation in 47%.",
        "Vomiting was seen in 47% of untreated patients.",
    ],
)
def test_a_column_of_all_says_nothing_of_a_part_or_the_opposite(text: str) -> None:
    assert not stands(text, GRADES, EVENTS)


def test_an_arm_or_a_limit_that_head_and_row_do_not_have_falls() -> None:
    assert not stands("A relapse was seen in 61%.", *SINGLE)
    assert not stands("A fatal infection was seen in 4%.", *SINGLE)
    for wrong in ("of the vehicle group had a headache", "of untreated patients had a headache"):
        assert not stands(f"26% {wrong}.", *SINGLE)
    assert not stands("On LQ-014 severe headache was seen in 26%.", *SINGLE)
    assert not stands("Headache led to death in 26%.", *SINGLE)
    assert not stands("On vehicle vomiting occurred in 47%.", f"{ARMS} {GRADES}", EVENTS)


def test_a_dose_is_not_that_of_another_label() -> None:
    assert not stands("The dose in rabbits was 30 mg per day.", *SPECIES)
    assert not stands("The human dose was 30 mg per day.", *SPECIES)
    assert not stands("Placebo was given at 30 mg per day.", *SPECIES)


def test_a_long_table_is_read_in_little_time() -> None:
    rows = "\n".join(f"Event {place} {place % 7} 3 2 1" for place in range(190))
    began = process_time()
    assert not stands("Event 12 was seen in 98%.", GRADES, rows)
    assert not stands("Headache was seen in 3%.", GRADES, rows)
    assert process_time() - began < 3


ROW = "VX.31: reference-based 43, p = 0.061 44, p = 0.083"


@pytest.mark.parametrize(
    ("lines", "right", "wrong"),
    [
        (
            ("Trial: HOLM/Birke-7 (VX.31 in asthma)", ROW),
            "In HOLM/Birke-7 it was 43 (p = 0.061).",
            "In HOLM/Birke-8 it was 43 (p = 0.061).",
        ),
        (
            ("**Study number:** HOLM/Birke-7", ROW),
            "HOLM/Birke-7: p = 0.061.",
            "HOLM/Birke-7: p = 0.16.",
        ),
        (
            ("## Report LAB/elk/231 — 26-week study", "VX.31: Cmax 7 ng/mL"),
            "In report LAB/elk/231 — 26-week study — Cmax was 7 ng/mL.",
            "In report LAB/elk/231 Cmax was 231 ng/mL.",
        ),
    ],
)
def test_a_line_says_what_its_document_is_of(lines: Lines, right: str, wrong: str) -> None:
    assert stands(right, *lines)
    assert not stands(wrong, *lines)


def test_a_sentence_on_another_study_does_not_say_what_its_document_is_of() -> None:
    told = "In HOLM/Birke-7 it was 43."
    assert not stands(told, "Study HOLM/Birke-7 showed less.", ROW)
    assert not stands(told, "It was compared with HOLM/Birke-7 (asthma)", ROW)
    assert not stands(told, "Trial: HOLM/Birke-7 (asthma)", "In HOLM/Birke-6 it was 43.")
    assert not stands(told, "Trial: HOLM/Birke-7 (asthma)", "Trial: HOLM/Birke-8 (COPD)", ROW)
    assert not stands(told, ROW, "Trial: HOLM/Birke-7 (asthma)")


def test_a_sentence_that_names_another_study_is_not_of_that_of_its_document() -> None:
    head, told = "Study: LQ-014", "In LQ-014, 4 of 9 ferrets died."
    assert stands(told, head, "4 of 9 ferrets died.")
    assert not stands(told, head, "In study BRT-55, 4 of 9 ferrets died.")
    assert not stands(told, head, "With BRT-55, 4 of 9 ferrets died.")
    assert not stands(told, head, "Table 2\nIn study BRT-55, 4 of 9 ferrets died.")


def test_the_number_of_a_report_is_no_time() -> None:
    assert not stands("It lasted 231 weeks.", "## Report LAB/elk/231 — 26-week study")
    assert stands("It lasted 26 weeks.", "## Report LAB/elk/231 — 26-week study")


def struck_from(text: str, *lines: str) -> set[str]:
    """The values of a claim that the gate strikes."""
    carriers = tuple(carrier_of(Citation.of(1, one, one.start, one.end)) for one in remember(*lines).all())
    return {fault.value for fault in faults(text, Support(carriers))}


@pytest.mark.parametrize(
    ("text", "struck"),
    [
        ("The change was 17.9 (95 % CI -8.4 to 44.2).", set()),
        ("The titre of run 1 was 81 g/L.", {"81 g/L"}),
        ("The titre of run 1 was 2.2 g/L.", {"2.2 g/L"}),
        ("Aggregates by SEC were 81 %.", {"81 %"}),
        ("The change was 17.9 (95 % CI 8.4 to 44.2).", {"8.4"}),
    ],
)
def test_a_plain_row_has_the_signs_of_its_numbers(text: str, struck: set[str]) -> None:
    assert struck_from(text, HEAD, *RUNS, CHANGE) == struck


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("At 60 mg/kg/day 6 animals had hypertrophy.", "60 mg/kg/day: hypertrophy in 6 animals"),
        ("60 days of treatment cured 8 of 8, 14 days 1 of 8.", "14 days cured 1 of 8, 60 days 8 of 8"),
        ("Not stated: the half-life of 20Qz1 in rabbits.", "The half-life of 20Qz1 in monkeys is 5.2 h"),
        ("Intravenous: t1/2 2.6 ± 0.3 h.", "| t1/2 (h) | 2.6 ± 0.3 |"),
        ("It costs USD 21,500 against 9,800.", "it costs USD 21,500 against 9,800, and 3 are needed"),
    ],
)
def test_what_is_written_close_together_is_read_apart(text: str, quote: str) -> None:
    assert not struck_from(text, quote)
