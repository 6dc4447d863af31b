"""True values that the check once struck pass it, and the false ones beside them do not."""

import pytest

from agents.evidence.values import Citation
from agents.trust.carrier import carrier_of
from agents.trust.support import Support, check_numbers, faults
from agents.trust.values import Claim, Verdict
from tests.agents.trust.builders import read_plainly, remember, table_row

EFFECT = "Pelk disease had the strongest effect on the EQ VAS, b = −12.29 (SE: 2.18)."
ADDED = "Fexuscan contains benzyl alcohol at a concentration of 10.3 mg/mL."
FOLLOWED = "Cough 17%. Adverse reactions in Studies 1 and 2 Through Three Years*,"
TARGET = "Ub 44-1103: KCR75 antagonist, oral, for gout."
DOGS = "Study T-1103-D04: convulsions in two dogs at 40 mg/kg/day."


def stands(text: str, *lines: str, asked: str = "") -> bool:
    """Whether a text over lines of one document passes the gate."""
    carriers = tuple(carrier_of(Citation.of(1, one, one.start, one.end)) for one in remember(*lines).all())
    return not list(faults(text, Support(carriers, asked=asked)))


def counted(text: str, line: str) -> bool:
    """Whether a claim over a line passes the check of its numbers."""
    return check_numbers(Claim(text, ("E1",)), remember(line).all())[0] is Verdict.SUPPORTED


@pytest.mark.parametrize(
    "text",
    [
        "Count ≥ 75 x 10   9   /L; then go on. See 4 below.",
        "count ≥ 75 x  10 9 /L; Then go on.",
        "It rose 3-5-fold; 7.",
    ],
)
def test_what_stands_word_for_word_is_carried_as_a_whole(text: str) -> None:
    assert stands(text, f"Before: {text} After.")
    assert stands(text, text)
    assert not stands(text.replace("7", "8").replace("5", "6"), f"Before: {text} After.")


@pytest.mark.parametrize(
    ("text", "asked", "true"),
    [
        ("By 12.29 points on the EQ VAS (b = −12.29, SE 2.18).", "", True),
        ("It rose by 12.29 points (b = −12.29).", "", False),
        ("By 11.29 points on the EQ VAS (b = −12.29, SE 2.18).", "", False),
        ("By 12.29 points.", "What was the change in the EQ VAS at the lower dose?", False),
        ("By 12.29 points.", "", False),
        ("12.29 points were the rise.", "How much did the EQ VAS fall?", False),
    ],
)
def test_a_fall_may_be_told_without_its_sign_where_the_text_says_fall(
    text: str, asked: str, true: bool
) -> None:
    assert stands(text, EFFECT, asked=asked) is true


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("17% (Studies 1 and 2 through three years)", True),
        ("17% (studies 1 and 2, three years)", True),
        ("17% (Studies 1 and 2 through four years)", False),
        ("17% (Studies 1 and 3 through three years)", False),
        ("17% in 2 to 3 years", False),
    ],
)
def test_the_last_of_several_labels_is_no_bound_of_a_time(text: str, true: bool) -> None:
    assert stands(text, FOLLOWED) is true


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("Oral KCR75 antagonist, ended after convulsions in two dogs at 40 mg/kg/day", True),
        ("Inhibitor of KCR75; convulsions at 40 mg/kg/day", True),
        ("Oral KCR75 antagonist, ended after convulsions in two dogs at 30 mg/kg/day", False),
        ("Oral KCR76 antagonist, ended after convulsions in two dogs at 40 mg/kg/day", False),
        ("KCR75 caused convulsions in two dogs at 40 mg/kg/day", False),
        ("Ub 44-1108, a KCR75 antagonist, caused convulsions at 40 mg/kg/day", False),
    ],
)
def test_a_target_owns_no_value_and_must_be_named(text: str, true: bool) -> None:
    assert stands(text, TARGET, DOGS) is true


def test_a_molecule_whose_receptor_is_occupied_still_owns_its_values() -> None:
    assert not stands("AB-123 receptor occupancy was 80%.", "AB-123 was given.", "CD-567 had 80%.")


def test_a_number_below_a_head_with_a_power_of_ten_has_that_unit() -> None:
    lines = ("Platelets (10^9/L), mean of both sexes", "a lowest single value 54, male no. 4023")
    assert stands("54 x 10^9/L (male no. 4023)", *lines)
    assert not stands("55 x 10^9/L (male no. 4023)", *lines)
    assert not stands("54 x 10^6/L (male no. 4023)", *lines)
    assert not stands("54 x 10^9/L (male no. 4023)", lines[1])


def test_sizes_of_arms_need_no_brackets() -> None:
    head = ("Adverse Reaction", "Brovatin Regimen N=401 %", "Cyclol N=405 %")
    lines = ("\t".join(head), "Tremor\t8\t17", "Rash\t3\t4")
    told = "Tremor: 8% of patients on the Brovatin regimen (N=401)."
    read = read_plainly("\n".join(lines)).all()
    carriers = tuple(carrier_of(Citation.of(1, one, one.start, one.end)) for one in read)
    assert not list(faults(told, Support(carriers)))
    assert list(faults(told.replace("8%", "9%"), Support(carriers)))
    assert not stands("Tremor was reported in 8% on Cyclol.", *lines)


def test_an_adjective_is_no_part_of_a_code() -> None:
    assert stands("No CYP3A4-inhibitor study was done.", "No study with inhibitors of CYP3A4 was done.")
    assert not stands("No CYP2D6-inhibitor study was done.", "No study with inhibitors of CYP3A4 was done.")


def test_a_head_of_times_gives_its_unit_to_no_cell() -> None:
    header = ("Treatment", "Animal", "Time after dosing (hours) / pre", "Time after dosing (hours) / 1")
    memory = table_row("", header, ("Drug 1000 mg/kg", "02M03", "1.820", "0.835"))
    carriers = tuple(carrier_of(Citation.of(1, one, one.start, one.end)) for one in memory.all())
    assert not list(faults("1.820 mL/breath (animal 02M03)", Support(carriers)))
    assert list(faults("1.821 mL/breath (animal 02M03)", Support(carriers)))


@pytest.mark.parametrize("written", ["14.III.2023", "14/III/2023", "14 III 2023", "14. III. 2023"])
def test_a_date_with_a_roman_month_carries_that_day_alone(written: str) -> None:
    line = f"The last dog was dosed on {written}."

    assert stands("The last dog was dosed on 14 March 2023.", line)
    assert not stands("The last dog was dosed on 14 April 2023.", line)


COHORT = (
    "With the factor of the agency the first cohort in Sweden will get 10 µg and not 25 µg (Dr. Ada Lund)."
)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Die erste Kohorte in Schweden soll 10 µg und nicht 25 µg erhalten.", True),
        ("Die erste Kohorte in Schweden soll 12 µg und nicht 25 µg erhalten.", False),
        ("Die erste Kohorte soll 10 µg erhalten, so Dr. Ada Lund.", True),
        ("Die erste Kohorte soll 10 µg erhalten, so Dr. Karl Meier.", False),
        ("Die erste Kohorte soll laut Ada Lund 10 µg erhalten.", True),
        ("Die erste Kohorte soll laut Karl Meier 10 µg erhalten.", False),
        ("La première cohorte en Suède va recevoir 10 µg et pas 25 µg.", True),
        ("The first cohort in Norway will get 10 µg and not 25 µg.", False),
    ],
)
def test_nouns_and_places_of_another_language_are_no_names_but_persons_are(text: str, right: bool) -> None:
    assert stands(text, COHORT) is right
