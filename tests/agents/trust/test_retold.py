"""A value told in another form than its passage stands; a changed value in that form does not."""

from dataclasses import dataclass

import pytest

from agents.evidence.values import Citation, Evidence
from agents.text.clauses import carried_part
from agents.trust.carrier import carrier_of
from agents.trust.support import Support, check_numbers, faults
from agents.trust.values import Claim, Derivation, Verdict
from tests.agents.trust.builders import evidence, table_row


@dataclass(frozen=True, slots=True)
class Source:
    """A sentence, or a row of a table with its heads."""

    text: str
    header: tuple[str, ...] = ()
    caption: str = ""

    def evidence(self) -> Evidence:
        """The source as evidence."""
        if not self.header:
            return evidence(self.text)
        cells = tuple(cell.strip() for cell in self.text.strip("| ").split("|"))
        return table_row(self.caption, self.header, cells).get("E1")


def stands(text: str, source: Source, derived: tuple[Derivation, ...] = ()) -> bool:
    """Whether a claim passes the check of its numbers and the gate."""
    item = source.evidence()
    citation = Citation.of(1, item, item.start, item.end)
    checked, _ = check_numbers(Claim(text, ("E1",), derived=derived), [item])
    passes = not list(faults(text, Support((carrier_of(citation),), derived)))
    return passes and checked is Verdict.SUPPORTED


def derived(value: str, formula: str, *inputs: str) -> tuple[Derivation, ...]:
    return (Derivation(value, formula, inputs, ("E1",)),)


PLATELETS = Source("| Platelets (10^9/L) | 231 | 47 |", ("", "Baseline", "Nadir"))
LEUKOCYTES = Source("| 6 | 2.9 |", ("Animal", "WBC, ×10³/µL"))
PULSE = Source("The pulse changed by −6.4 bpm at 90 mg.")
MARGIN = Source("The AUC at the NOAEL (71 µg·h/mL) leaves a 12-fold margin over 45 mg daily.")
FACTOR = Source("With food the exposure rose by a factor of 1.7 in men.")
WEEKS = Source("After 6 weeks the trough concentration was 31 ng/mL.")
DAY = Source("On Day 17 the trough concentration was 31 ng/mL.")
RECOMMENDED = Source("The recommended phase 2 dose is 350 mg twice a day.")
CYCLE = Source("It was given as 21-day cycles with 40 mg/m².")
PER_SEX = Source("Hamsters (12/sex/group) received 4 mg/kg.")
WEIGHT = Source("The free acid has 388.4 g/mol.")
SURVIVAL = Source("The median survival was 19.4 months against 13.1 months.")
ABSORBED = Source("The bioavailability was 37% in hamsters (8 mg/kg).")
MARGINS = Source("| Margin to 15 mg QD | 2.6 | 7.4 |", ("", "Hamster", "Ferret"))
BOUND = Source("Protein binding was 98.6%.")
PHASES = Source("| QW-CL-03 | II | 118 |", ("Study", "Phase", "Patients"))
VISITS = Source("In Part B 12 men took 15 mg on Day 1 and Day 8.")
NONE = Source("At 60 mg/kg, 3 of 5 ferrets aborted; at 20 mg/kg none did.")
ACID = Source("Solubility at pH 6.8 is 0.014 mg/mL and at pH 1.2 3.2 mg/mL.")
SURFACE = Source("They took 35 mg/m 2 on day 1; body mass index was 29.3 kg/m 2.")
TUMOUR = Source("On day 21 the tumour had 710 mm 3, and 48 × 10 9 /L platelets; 12 mM 3 wells each.")
LESION = Source("The lesion measured 6 mm 3 days later.")
WHEAL = Source("| Wheal 5 mm 3/12 hamsters, oedema 7 cm 3 (25), swelling 9 mm 3 4 2 |", ("Finding",))
COUNTS = Source("| 4 | 0.7 |", ("Animal", "Neutrophils (10 9 /L)"))
VERSION = Source("Protocol version 6.0 and version 2.1 of the brochure apply.")
VERSION_OF = Source("Version 6.0 of the study protocol applies.")
REPORT = Source("Report version 6 applies.")
WEEKLY_DOSE = Source("| High | 2.8 mg |", ("Arm", "Dose per week"))
DAILY_DOSE = Source("| Low | 35 |", ("Arm", "Daily dose (mg)"))
RESPONSE = Source("Eleven of 37 patients (29.7%) improved.")


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        (PLATELETS, "Platelets fell to 47 x 10^9/L.", "Platelets fell to 74 x 10^9/L."),
        (PLATELETS, "Platelets were 231 × 10⁹/L before.", "Platelets were 231 × 10⁶/L before."),
        (LEUKOCYTES, "WBC was 2.9 x 10^3/µL.", "WBC was 2.9 x 10^9/µL."),
        (PULSE, "At 90 mg the pulse fell by 6.4 bpm.", "At 90 mg the pulse fell by 4.6 bpm."),
        (PULSE, "At 90 mg the drop in pulse was 6.4 bpm.", "At 90 mg the rise in pulse was 6.4 bpm."),
        (PULSE, "At 90 mg the pulse was 6.4 bpm lower.", "At 90 mg the pulse rose by 6.4 bpm."),
        (MARGIN, "The safety margin of 12 rests on the NOAEL.", "The safety margin of 21 rests on it."),
        (FACTOR, "Food raised the exposure 1.7-fold.", "Food raised the exposure 7.1-fold."),
        (WEEKS, "It was 31 ng/mL (week 6).", "It was 31 ng/mL (week 9)."),
        (DAY, "It was 31 ng/mL after 17 days.", "It was 31 ng/mL after 71 days."),
        (DAY, "It was 31 ng/mL after 17 days.", "The half-life was 17 days."),
        (CYCLE, "It was given every 3 weeks with 40 mg/m².", "It was given every 4 weeks with 40 mg/m²."),
        (CYCLE, "It was given in cycles of 21 days.", "It was given as 21 mg."),
        (PER_SEX, "Each group had 12 hamsters per sex.", "Each group had 14 hamsters per sex."),
        (WEIGHT, "The molecular weight is 388.4 Da.", "The molecular weight is 388.4 kDa."),
        (ABSORBED, "Bioavailability in hamsters at 8 mg/kg was 37%.", "Bioavailability was 8 mg/kg."),
        (MARGINS, "The safety margin to 15 mg once daily is 7.4.", "The safety margin is 15 mg."),
        (MARGIN, "The AUC at the NOAEL was 71 µg·h/mL.", "The AUC at the NOAEL was 45 mg."),
        (PHASES, "Study QW-CL-03 was a phase 2 trial.", "Study QW-CL-03 was a phase 3 trial."),
        (VISITS, "12 men took 15 mg on days 1 and 8.", "12 men took 15 mg on days 1 and 9."),
        (NONE, "At 20 mg/kg none aborted.", "At 20 mg/kg 0 of 5 aborted."),
        (ACID, "It is 14 µg/mL at pH 6.8 and 3.2 mg/mL at pH 1.2.", "It is 14 µg/mL and 6.8 mg/mL."),
        (RESPONSE, "About 30% improved.", "About 29% improved."),
        (RESPONSE, "Eleven of 37 improved.", "30% improved."),
        (SURFACE, "They took 35 mg/m2.", "They took 35 mg."),
        (SURFACE, "They took 35 mg/m² on day 1.", "They took 2 mg/m²."),
        (SURFACE, "Body mass index was 29.3 kg/m2.", "Body mass index was 35 kg/m2."),
        (TUMOUR, "The tumour had 710 mm3.", "The tumour had 710 mm2."),
        (TUMOUR, "The tumour had 710 mm³.", "The tumour had 710 cm³."),
        (TUMOUR, "Platelets were 48 x 10^9/L.", "Platelets were 48 x 10^6/L."),
        (TUMOUR, "It was 12 mM.", "It was 12 mm3."),
        (LESION, "The lesion measured 6 mm.", "The lesion measured 6 mm3."),
        (WHEAL, "The wheal was 5 mm in 3 of 12 hamsters.", "The wheal was 5 mm3."),
        (WHEAL, "The oedema was 7 cm.", "The oedema was 7 cm3."),
        (WHEAL, "The swelling was 9 mm.", "The swelling was 9 mm3."),
        (COUNTS, "Neutrophils were 0.7 × 10⁹/L.", "Neutrophils were 0.7 × 10⁶/L."),
        (VERSION, "Protocol 6.0 applies.", "Protocol 2.1 applies."),
        (VERSION_OF, "Protocol 6.0 applies.", "6 protocols apply."),
        (REPORT, "Report version 6 applies.", "Report 6 applies."),
        (WEEKLY_DOSE, "They took 2.8 mg per week.", "They took 2.8 mg per day."),
        (DAILY_DOSE, "They took 35 mg a day.", "They took 35 mg per week."),
    ],
)
def test_a_value_in_another_form_stands_and_a_changed_one_falls(
    source: Source, right: str, wrong: str
) -> None:

    assert stands(right, source)
    assert not stands(wrong, source)


def test_a_short_form_of_the_field_is_no_name() -> None:
    assert stands("In dogs, Cmax was 310 nM.", Source("The peak concentration in dogs was 310 nM."))


def test_two_numbers_set_against_each_other_take_the_unit_of_their_clause() -> None:
    gain = derived("6.3 months", "19.4 - 13.1", "19.4 months", "13.1 months")
    assert stands("Survival was 6.3 months longer (19.4 vs 13.1).", SURVIVAL, gain)
    assert not stands("Survival was 6.3 months longer (19.4 vs 11.3).", SURVIVAL, gain)


def test_what_is_derived_may_be_the_rest_to_the_whole_or_the_amount_of_a_day() -> None:
    assert stands("The free part is 1.4%.", BOUND, derived("1.4%", "100 - 98.6", "98.6%"))
    assert not stands("The free part is 2.4%.", BOUND, derived("2.4%", "100 - 98.6", "98.6%"))
    daily = derived("700 mg", "350 * 2", "350 mg twice a day")
    assert stands("That is 700 mg a day.", RECOMMENDED, daily)
    assert not stands("That is 750 mg a day.", RECOMMENDED, daily)


def test_what_is_derived_may_be_the_change_that_a_ratio_tells() -> None:
    source = Source("With phenytoin the AUC ratio of KD-77 was 0.35, with ketoconazole 4.2, in 12 subjects.")
    for formula in ("(1 - 0.35) * 100", "1 - 0.35", "(1 - 0.35) * 100%", "100 - 100 * 0.35"):
        assert stands("Phenytoin lowered it by 65%.", source, derived("65%", formula, "0.35")), formula
        assert not stands("Phenytoin lowered it by 75%.", source, derived("75%", formula, "0.35")), formula
    raised = Source("Ketoconazole raised the AUC 4.2-fold.")
    assert stands("It raised it by 320%.", raised, derived("320%", "(4.2 - 1) * 100", "4.2-fold"))
    assert stands("The change was -65%.", source, derived("-65%", "(0.35 - 1) * 100", "0.35"))
    pressure = Source("Pressure was 80 mmHg before and 100 mmHg after.")
    gain = derived("20 mmHg", "100 - 80", "100 mmHg", "80 mmHg")
    assert stands("Pressure rose by 20 mmHg.", pressure, gain)
    assert stands("It fell 2.9-fold.", source, derived("2.9-fold", "1 / 0.35", "0.35"))
    assert not stands("The group had 11 subjects.", source, derived("11", "12 - 1", "12"))
    assert not stands("The group had 13 subjects.", source, derived("13", "12 + 1", "12"))


def test_what_tells_a_clause_again_falls_alone() -> None:
    said = "With phenytoin the AUC ratio was 0.35, that is 75% lower."
    kept = carried_part(said, lambda text: "75%" not in text)
    assert kept == "With phenytoin the AUC ratio was 0.35."
    assert carried_part(said, lambda text: "0.35" not in text) == ""


def test_an_input_takes_the_unit_that_it_shares() -> None:
    source = Source("Urea fell from 13.1 to 11.4 mmol/L.")
    inputs = ("13.1", "11.4 mmol/L")
    assert stands("It fell by 1.7 mmol/L.", source, derived("1.7 mmol/L", "13.1 - 11.4", *inputs))
    assert not stands("It fell by 2.7 mmol/L.", source, derived("2.7 mmol/L", "13.1 - 11.4", *inputs))


def test_a_dose_behind_a_property_is_what_was_given_and_never_its_value() -> None:
    source = Source("The AUC of the 5 mg tablet was 61 ng·h/mL.")
    assert stands("The AUC of the 5 mg tablet was 61 ng·h/mL in all.", source)
    assert not stands("The AUC was 5 mg.", source)


def test_a_dose_is_no_exposure_of_a_named_molecule() -> None:
    source = Source("The AUC of QW-77 at 240 mg q.d. was 6310 ng·h/mL.")
    assert stands("The AUC of QW-77 240 mg q.d. was 6.31 µg·h/mL.", source)
    assert not stands("The AUC of QW-77 was 240 mg.", source)


def test_an_interval_of_confidence_is_no_code() -> None:
    source = Source("The EC50 was 18 nM (95% CI 12–27 nM).")
    assert stands("EC50 18 nM (95% CI 12 to 27 nM).", source)
    assert not stands("EC50 18 nM (95% CI 12 to 72 nM).", source)


DECIMAL = Source(
    "Of 341 patients 3 had a rash; the ratio was 0.995, the pH 6.8, of 200 in all, 35% were women."
)
TAPER = Source("The dose was 350 mg twice a day.")
ROUTE = Source("| QW-CL-03 | IV | II | 118 |", ("Study", "Route", "Phase", "Patients"))
FELL_TO = Source("QTc fell to 400 ms.")
STUDY = Source("In study 1 patients improved; by 2 months all had recovered.")
WEEKLY = Source("40 mg was given on days 1, 8 and 15 of 28-day cycles.")
REPLACED = Source("2 of 5 died; none was replaced.")
EXPOSURE = Source("After a dose of 2.5 mg the exposure was low in 10 men.")
FOLLOWED = Source("They were followed for 14 days.")


@pytest.mark.parametrize(
    ("source", "false", "computed"),
    [
        (DECIMAL, "88% had a rash.", derived("88%", "100 * 3 / 341", "3", "341")),
        (DECIMAL, "88% had a rash.", derived("88%", "3 / (341 / 100)", "3", "341")),
        (DECIMAL, "It was 0.01%.", derived("0.01%", "3 / 341", "3", "341")),
        (DECIMAL, "It fell by 50%.", derived("50%", "(1 - 0.995) * 100", "0.995")),
        (DECIMAL, "It was 0.5-fold.", derived("0.5-fold", "(1 - 0.995) * 100", "0.995")),
        (DECIMAL, "It raised it by 0.5%.", derived("0.5%", "(0.995 - 1) * 100", "0.995")),
        (DECIMAL, "It raised it by 0.5%.", derived("0.5%", "(1 - 0.995) * 100", "0.995")),
        (DECIMAL, "It was 0.5% higher.", derived("0.5%", "100 - 100 * 0.995", "0.995")),
        (DECIMAL, "It was 7000%.", derived("7000%", "35% * 200", "35%", "200")),
        (DECIMAL, "It was 7000%.", derived("7000%", "200 * 35", "35%", "200")),
        (DECIMAL, "It was 5.8.", derived("5.8", "6.8 - 1", "6.8")),
        (DECIMAL, "It was 580% higher.", derived("580%", "6.8 - 1", "6.8")),
        (TAPER, "They took 175 mg a day.", derived("175 mg", "350 / 2", "350 mg twice a day")),
        (TAPER, "They took 175 mg a day.", derived("175 mg/day", "350 / 2", "350 mg twice a day")),
        (TAPER, "They took 350 mg a day.", derived("350 mg", "350", "350 mg twice a day")),
        (TAPER, "They took 350 mg a day.", derived("350 mg", "350 * 2 / 2", "350 mg twice a day")),
        (TAPER, "They took 700 mg once daily.", derived("700 mg", "350 * 2", "350 mg twice a day")),
        (TAPER, "They took 700 mg once daily.", derived("700 mg/day", "350 * 2", "350 mg twice a day")),
        (TAPER, "They took 700 mg twice a day.", derived("700 mg", "350 * 2", "350 mg twice a day")),
        (TAPER, "They took it once daily.", derived("700 mg", "350 * 2", "350 mg twice a day")),
        (ROUTE, "Study QW-CL-03 was a phase 4 trial.", ()),
        (ROUTE, "Study QW-CL-03 had events of grade 4.", ()),
        (PULSE, "At the lower dose the pulse rose by 6.4 bpm.", ()),
        (PULSE, "At the reduced dose of 90 mg the pulse was prolonged by 6.4 bpm.", ()),
        (PULSE, "At 90 mg the pulse fell to 6.4 bpm.", ()),
        (FELL_TO, "QTc changed by -400 ms.", ()),
        (STUDY, "It names S1P.", ()),
        (STUDY, "It names B2M.", ()),
        (WEEKLY, "40 mg was given every 4 weeks.", ()),
        (REPLACED, "0 of 5 died.", ()),
        (EXPOSURE, "The exposure was 2.5 in 10 men.", ()),
        (EXPOSURE, "The exposure was 2.5 vs 10 after 2.5 mg in men.", ()),
        (FOLLOWED, "It recovered on day 14.", ()),
        (FOLLOWED, "It recovered (day 14).", ()),
        (DAY, "They were treated for 17 days.", ()),
    ],
)
def test_a_value_that_the_source_gives_to_something_else_is_not_carried(
    source: Source, false: str, computed: tuple[Derivation, ...]
) -> None:
    assert not stands(false, source, computed)


def test_a_cell_numbers_in_roman_what_its_own_head_names() -> None:
    assert stands("Study QW-CL-03 was a phase 2 trial.", ROUTE)


def test_a_sum_and_a_quotient_of_plain_numbers_stand() -> None:
    source = Source("The arms had 251, 254 and 249 patients; the AUC was 32 against 4.8.")
    assert stands("754 patients.", source, derived("754 patients", "251 + 254 + 249", "251", "254", "249"))
    assert stands("The ratio is 6.7.", source, derived("6.7", "32 / 4.8", "32", "4.8"))
    assert stands("Of all 33% were old.", source, derived("33%", "249 / 754", "249", "754")) is False


def test_what_limits_a_clause_is_no_retelling_of_it() -> None:
    for said in (
        "No toxicity was seen at an exposure that is 12-fold lower.",
        "The AUC was not equivalent to 45 mg.",
    ):
        assert carried_part(said, lambda text: not {"12-fold", "45"} & set(text.strip(".").split())) == ""


def test_a_retelling_falls_before_another_sentence_and_before_a_semicolon() -> None:
    for end, rest in ((". ", "It was safe."), ("; ", "it was safe.")):
        kept = carried_part(
            f"The ratio was 0.35, that is 75% lower{end}{rest}", lambda text: "75%" not in text
        )
        assert kept == f"The ratio was 0.35{end}{rest}"


def test_a_clause_that_refers_to_one_that_fell_falls_with_it():
    said = "Two agonists were withdrawn; their reviews should be read; the label names oedema."
    assert carried_part(said, lambda text: "Two" not in text) == "the label names oedema."
    assert carried_part(said, lambda text: "label" not in text) == (
        "Two agonists were withdrawn; their reviews should be read"
    )
