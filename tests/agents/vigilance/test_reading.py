"""How a sentence of an invented label counts: section, assertion, cause, benefit, figures; drugs, classes."""

from dataclasses import replace

import pytest

from agents.databases.labels import LabelPassage
from agents.vigilance.outcomes import outcome_of
from agents.vigilance.reading.calibration import calibration, read_calibration
from agents.vigilance.reading.category import judge_category
from agents.vigilance.reading.drug import judge_drug
from agents.vigilance.reading.extracts import extracts_of
from agents.vigilance.reading.mentions import mentions
from agents.vigilance.values import DrugVerdict, Effect, Extract, Frequency, Outcome, Strength

ADVERSE, WARNINGS, INDICATIONS = "adverse_reactions", "warnings", "indications_and_usage"


def passage(text: str, section: str = ADVERSE) -> LabelPassage:
    return LabelPassage(f"{section}/{len(text)}", "INVENTOL", section, text, ingredients=("inventol",))


def read(text: str, outcome: str, section: str = ADVERSE) -> Extract:
    return extracts_of([passage(text, section)], outcome_of(outcome))[0]


def judged(outcome: str, *passages: LabelPassage) -> DrugVerdict:
    return judge_drug("inventol", outcome_of(outcome), passages)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Cases of kidney failure were seen.", "renal failure"),
        ("Hepatic and renal failure occurred.", "renal failure"),
        ("Angio-oedema of the face occurred.", "angioedema"),
        ("It may cause purple glimmering.", "purple glimmering"),
        ("It may cause glimmering of purple colour.", "purple glimmerings"),
    ],
)
def test_a_mention_is_found_by_synonym_word_form_and_order(text: str, outcome: str) -> None:
    assert list(mentions(text, outcome_of(outcome)))


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Bone marrow depression and respiratory depression occurred.", "depression"),
        ("This depends on age.", "dependence"),
        ("In a double-blind study it was safe.", "vision loss"),
        (
            "It is metabolized by hepatic enzymes; fibrosis of the liver of rats was not looked for.",
            "acute liver injury",
        ),
        ("Malignant hypertension.", "cancer"),
        ("Atypical femoral shaft fractures were reported.", "hip fracture"),
        ("A fall in blood pressure may occur after the first dose.", "fall"),
        ("A sudden fall in hemoglobin was seen.", "fall"),
        ("Halve the dose where creatinine clearance falls below 35.", "fall"),
    ],
)
def test_another_outcome_or_another_word_is_no_mention(text: str, outcome: str) -> None:
    assert not list(mentions(text, outcome_of(outcome)))


def test_every_quote_is_verbatim_also_of_a_long_list() -> None:
    text = "Reported: " + ", ".join(f"event {number}" for number in range(80)) + ", stroke, " + "x, " * 200
    one = read(text, "stroke")
    assert one.quote in text
    assert "stroke" in one.quote
    assert len(one.quote) < 500


def test_sections_and_wording_order_what_counts() -> None:
    boxed = read("Inventol can cause stroke.", "stroke", "boxed_warning")
    warned = read("Inventol can cause stroke.", "stroke", WARNINGS)
    listed = read("Cardiac: palpitations, stroke.", "stroke")
    reported = read("Stroke was reported.", "stroke", WARNINGS)
    interacting = read("With otherdrug the risk of stroke is increased.", "stroke", "drug_interactions")
    assert boxed.weight > warned.weight > reported.weight
    assert warned.weight > listed.weight > interacting.weight
    assert boxed.boxed


def test_what_is_denied_is_no_effect() -> None:
    for text in ("No cases of stroke were reported.", "Stroke was not observed."):
        assert read(text, "stroke").effect is Effect.NO_EFFECT
    assert read("Stroke cannot be ruled out.", "stroke").effect is Effect.INCREASE


@pytest.mark.parametrize(
    "text",
    [
        "Use with care in patients with a history of stroke.",
        "In patients with renal disease or stroke the dose is halved.",
        "Stroke patients should be watched.",
        "Lower doses of inventol should be used after an acute stroke.",
        "Decreases in clearance have been reported in patients after a recent stroke or with cirrhosis.",
        "For patients at risk for bleeding (for example, age above 60 years or stroke), test first.",
        "Stroke/Dementia: As with all thinners, inventol should be given with caution to frail patients.",
    ],
)
def test_the_illness_of_patients_is_not_what_the_drug_does(text: str) -> None:
    assert read(text, "stroke", "precautions").weight < 0.15


def test_findings_in_animals_hardly_count() -> None:
    assert read("Cataracts were reported in rats.", "cataract", WARNINGS).weight < 0.15


def test_what_the_drug_treats_or_prevents_is_a_benefit() -> None:
    treated = read("Inventol is indicated for the treatment of stroke.", "stroke", INDICATIONS)
    prevented = read("Inventol is indicated to reduce the risk of stroke.", "stroke", INDICATIONS)
    assert treated.effect is prevented.effect is Effect.DECREASE
    assert prevented.weight > treated.weight
    advice = read("To reduce the risk of stroke, the dose should be raised slowly.", "stroke", WARNINGS)
    assert advice.effect is Effect.INCREASE


def test_what_comes_by_another_drug_or_another_harm_counts_less() -> None:
    own = read("Inventol may cause death.", "death", WARNINGS)
    for text in (
        "Concomitant use of inventol and other drugs may cause death.",
        "Jaundice progresses to hepatic necrosis and may cause death.",
    ):
        assert read(text, "death", WARNINGS).weight < own.weight


def test_a_quote_that_names_the_drug_comes_first_and_one_of_two_labels_is_told_once() -> None:
    named = passage("Gout was reported in patients on inventol.", WARNINGS)
    other = passage("With otherdrug too gout may be caused.", WARNINGS)
    verdict = judged("gout", other, named)
    assert verdict.extracts[0].quote == named.text
    twice = [replace(verdict, ingredient=name) for name in ("inventol", "newtol")]
    (first, second) = (
        replace(
            one,
            reasons=tuple(
                replace(each, text=each.text.replace("inventol (", f"{one.ingredient} ("))
                for each in one.reasons
            ),
        )
        for one in twice
    )
    (reason,) = judge_category("tols", "gout", [first, second]).reasons
    assert "The label of inventol, newtol (warnings) speaks of gout" in reason.text


def test_figures_are_read_with_the_control() -> None:
    more = read("Stroke occurred in 4.2% of patients and in 1.1% on placebo.", "stroke")
    assert more.incidence is not None
    assert (more.incidence.percent, more.incidence.control) == (4.2, 1.1)
    counted = read("Stroke was seen in 3 of 1,500 patients.", "stroke").incidence
    assert counted is not None
    assert (counted.n, counted.of, counted.percent) == (3, 1500, 0.2)


@pytest.mark.parametrize(
    ("text", "often"),
    [
        ("Stroke occurred in 4.2% of patients.", Frequency.COMMON),
        ("Stroke occurred in <1% of patients.", Frequency.RARE),
        ("Stroke (<1%) was seen.", Frequency.RARE),
        ("In at least 2% of patients: nausea, stroke.", Frequency.COMMON),
        ("In less than 1% of patients: nausea, stroke.", Frequency.RARE),
        ("The most common adverse reactions are nausea and stroke.", Frequency.COMMON),
        ("Rarely, stroke has been reported.", Frequency.RARE),
        ("Frequent: nausea. Infrequent: gout, stroke.", Frequency.RARE),
        ("Infrequent: nausea. Frequent: gout, stroke.", Frequency.COMMON),
        ("Stroke, bowel movements frequent, rash.", Frequency.NONE),
        ("Stroke was reported.", Frequency.NONE),
    ],
)
def test_how_often_is_read_from_figures_words_and_headings(text: str, often: Frequency) -> None:
    assert read(text, "stroke").often is often


@pytest.mark.parametrize(
    ("text", "section", "strength"),
    [
        ("Inventol can cause stroke.", WARNINGS, Strength.STRONG),
        ("Stroke occurred in 4% of patients and in 2% on placebo.", ADVERSE, Strength.STRONG),
        ("Stroke occurred in 2% of patients and in 2% on placebo. Gout and stroke.", ADVERSE, Strength.WEAK),
        ("Other: gout, stroke, rash.", ADVERSE, Strength.WEAK),
    ],
)
def test_evidence_is_strong_by_a_warning_or_a_trial_and_weak_by_mere_reports(
    text: str, section: str, strength: Strength
) -> None:
    assert judged("stroke", passage(text, section)).strength is strength


def test_a_form_of_the_outcome_counts_less_than_the_outcome() -> None:
    own = read("Angioedema was reported.", "angioedema")
    form = read("Swelling of the lips was reported.", "angioedema")
    assert form.weight == pytest.approx(own.weight / 2)


def test_a_warned_drug_raises_the_risk_and_its_reasons_quote_the_label() -> None:
    text = "Strokes have been caused by inventol in 2% of patients."
    verdict = judged("stroke", passage(text, WARNINGS), passage("Stroke was reported."))
    assert (verdict.effect, verdict.strength, verdict.frequency) == (
        Effect.INCREASE,
        Strength.STRONG,
        Frequency.COMMON,
    )
    assert verdict.confidence == verdict.p_harm
    for reason in verdict.reasons:
        assert reason.passages
        assert all(any(quote in one for one in (text, "Stroke was reported.")) for quote in reason.quotes)


def test_a_reason_is_a_sentence_whatever_the_section_is_called() -> None:
    told = [
        judged("stroke", passage("It can cause stroke.", one)).reasons[0].text for one in (WARNINGS, ADVERSE)
    ]
    assert told == [
        f"The label of inventol ({one}) speaks of stroke: “It can cause stroke.”"
        for one in ("warnings", "adverse reactions")
    ]


def test_a_label_that_is_silent_is_an_answer_and_a_missing_label_is_none() -> None:
    silent = judged("stroke", passage("Nausea was reported."))
    assert (silent.effect, silent.labels, silent.extracts) == (Effect.NO_EFFECT, 1, ())
    assert "does not mention stroke" in silent.notes[0]
    missing = judged("stroke")
    assert (missing.labels, missing.confidence) == (0, 0.5)


def test_a_treated_outcome_is_a_decrease_although_it_is_named_in_warnings() -> None:
    verdict = judged(
        "hypertension",
        passage("Inventol is indicated for the treatment of hypertension.", INDICATIONS),
        passage("The hypertensive patient needs care.", WARNINGS),
    )
    assert verdict.effect is Effect.DECREASE


def test_a_long_sentence_is_quoted_in_whole_words() -> None:
    words = " ".join(f"wordnumber{place}" for place in range(60))
    text = f"{words} gout {words}"
    (one,) = judged("gout", passage(text)).extracts
    assert len(one.quote) < len(text)
    assert set(one.quote.split()) <= set(text.split())


def test_a_class_has_the_evidence_of_its_drugs_and_tells_who_differs() -> None:
    strong = judged("stroke", passage("Inventol can cause stroke.", "boxed_warning"))
    silent = judged("stroke", passage("Nausea was reported."))
    missing = judged("stroke")
    verdict = judge_category("inventols", "stroke", (strong, silent, missing))
    assert silent.p_harm < verdict.p_harm < strong.p_harm
    assert verdict.covered
    assert any("differ from the class" in note for note in verdict.notes)
    assert not judge_category("inventols", "stroke", (missing,)).covered
    assert verdict == judge_category("inventols", "stroke", (strong, silent, missing))


def test_the_scale_is_monotone_and_kept_as_text() -> None:
    scales = calibration()
    values = [scales.harm.probability(evidence / 10) for evidence in range(11)]
    assert values == sorted(values)
    assert read_calibration(scales.as_toml()) == scales


def test_an_outcome_that_no_table_knows_is_read_by_its_own_words() -> None:
    verdict = judge_drug(
        "inventol", Outcome("purple glimmering"), [passage("It can cause purple glimmering.", WARNINGS)]
    )
    assert verdict.effect is Effect.INCREASE


@pytest.mark.parametrize(
    ("text", "section", "effect"),
    [
        ("Kidney failure was significantly lower than with conventional drug.", ADVERSE, Effect.INCREASE),
        ("There was less kidney failure compared with placebo.", "clinical_studies", Effect.DECREASE),
        ("It reduces kidney failure compared with oldol.", INDICATIONS, Effect.DECREASE),
        (
            "It significantly reduced kidney failure, with no significant bleeding.",
            "clinical_studies",
            Effect.DECREASE,
        ),
    ],
)
def test_a_decrease_is_a_benefit_outside_of_sections_on_harm(text: str, section: str, effect: Effect) -> None:
    assert read(text, "renal failure", section).effect is effect


def test_death_of_any_cause_is_not_that_after_infarction() -> None:
    asked = outcome_of("mortality after myocardial infarction")
    assert not list(mentions("All-cause mortality was increased.", asked))
    assert list(mentions("It improves survival in patients with acute myocardial infarction.", asked))


@pytest.mark.parametrize(
    ("section", "text"),
    [
        ("spl_medguide", "Inventol is a medicine used to treat: certain kinds of seizures and gout."),
        ("clinical_pharmacology", "Inventol has been shown to be effective in the treatment of gout."),
    ],
)
def test_what_a_drug_is_used_for_is_no_harm_wherever_it_stands(section: str, text: str) -> None:
    treats, causes = passage(text, section), passage("Inventol can cause gout.", section)
    assert judged("gout", treats).effect is not Effect.INCREASE
    assert judged("gout", treats).p_harm < 0.5 * judged("gout", causes).p_harm


@pytest.mark.parametrize(
    "text",
    [
        "Sudden deaths have occurred in studies of conditions other than gout.",
        "Electrocardiographic changes have been observed in clinical trials of inventol in gout.",
    ],
)
def test_the_illness_in_which_a_drug_was_tried_is_no_harm(text: str) -> None:
    assert judged("gout", passage(text, "warnings")).effect is not Effect.INCREASE


@pytest.mark.parametrize(
    ("text", "outcome", "section"),
    [
        ("In clinical trials of inventol in adults, gout occurred in 2% of patients.", "gout", ADVERSE),
        ("In a trial of inventol in older adults gout occurred in 2%.", "gout", ADVERSE),
        ("In studies of inventol in pediatric patients, gout was observed.", "gout", WARNINGS),
        ("In trials of inventol in migraine, gout was observed.", "gout", WARNINGS),
        ("Medicines used to treat migraine may increase gout attacks.", "gout", "spl_medguide"),
        ("Inventol is used to treat migraine and may make you limp, with gout.", "gout", "spl_medguide"),
        ("Inventol is used to treat migraine, but has side effects such as gout.", "gout", "spl_medguide"),
    ],
)
def test_where_a_drug_was_tried_and_what_it_treats_hide_no_harm_named_after(
    text: str, outcome: str, section: str
) -> None:
    one = read(text, outcome, section)
    assert one.effect is Effect.INCREASE
    illness = read("Use with care in patients with gout.", outcome, section)
    assert one.weight > 5 * illness.weight


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("Stroke occurred in 22 (2.2%) of 1005 patients on placebo and 11 (1.1%) on inventol.", (1.1, 2.2)),
        ("Stroke was 1.8% in the placebo group and 2.8% in the inventol group.", (2.8, 1.8)),
        ("Stroke was seen with placebo (5%) and inventol (12%).", (12.0, 5.0)),
        ("Stroke occurred in 5% of placebo-treated and 12% of inventol-treated patients.", (12.0, 5.0)),
        ("Stroke occurred in 12% on inventol and 5% on placebo.", (12.0, 5.0)),
        ("Stroke (12% vs. placebo 5%).", (12.0, 5.0)),
        ("Stroke 12%, placebo group 5%.", (12.0, 5.0)),
        ("Stroke occurred in 3.2% of patients versus control patients 0.5%.", (3.2, 0.5)),
        ("Stroke occurred in 5% of inventol patients and in placebo patients in 2%.", (5.0, 2.0)),
        ("Stroke was seen in 4% of patients compared to placebo recipients, 1%.", (4.0, 1.0)),
        ("Stroke (inventol 11%, placebo-treated patients 2%)", (11.0, 2.0)),
        ("Stroke was seen in 1.5% on 5 mg, 3.0% on 10 mg and 0.5% on placebo.", (1.5, 0.5)),
    ],
)
def test_each_figure_is_that_of_its_own_arm(text: str, figures: tuple[float, float]) -> None:
    seen = read(text, "stroke").incidence
    assert seen is not None
    assert (seen.percent, seen.control) == figures


@pytest.mark.parametrize(
    "text",
    [
        "Risk factors for bleeding include high doses, age over 65, hypertension, anemia and stroke.",
        "The following factors may be responsible for a higher response: fever, poor diet, stroke.",
    ],
)
def test_what_makes_a_patients_risk_higher_is_the_patients(text: str) -> None:
    assert read(text, "stroke", WARNINGS).weight < 0.1


def test_a_risk_that_is_not_taken_away_is_not_denied() -> None:
    one = read("Control of the dose does not eliminate the risk of bleeding.", "bleeding", WARNINGS)
    assert one.effect is Effect.INCREASE
    listed = read("Bruises (that develop without known cause), bleeding gums.", "bleeding", WARNINGS)
    assert listed.effect is Effect.INCREASE


@pytest.mark.parametrize(
    ("section", "text"),
    [
        ("medguide", "You have a higher risk of stroke if you take this medicine for a long time."),
        ("boxed_warning", "There is an increased risk of stroke if you are elderly and take this drug."),
        (WARNINGS, "Severe stroke can occur in the following settings: surgery."),
        (WARNINGS, "The following factors may increase the risk of stroke with inventol."),
    ],
)
def test_an_outcome_named_before_what_raises_its_risk_is_harm(section: str, text: str) -> None:
    assert judged("stroke", passage(text, section)).effect is Effect.INCREASE


@pytest.mark.parametrize(
    "text",
    [
        "No cases (0 of 200) of stroke were seen.",
        "There was no evidence (in clinical trials) of stroke.",
        "Inventol is not associated (in humans) with stroke.",
    ],
)
def test_a_denial_goes_on_behind_brackets(text: str) -> None:
    assert read(text, "stroke", WARNINGS).effect is Effect.NO_EFFECT


def test_a_fracture_of_the_femoral_shaft_is_a_fracture() -> None:
    text = "Femoral shaft fractures can be caused by inventol."
    assert judged("fracture", passage(text, WARNINGS)).effect is Effect.INCREASE
    assert judged("hip fracture", passage(text, WARNINGS)).effect is Effect.NO_EFFECT
    assert not list(mentions("It can cause upper GI discomfort.", outcome_of("gastrointestinal ulcer")))


def test_what_a_reduction_comes_from_says_nothing_of_an_effect() -> None:
    text = "Relative risk reduction from blood pressure reduction is similar across populations."
    assert read(text, "hypotension", INDICATIONS).effect is not Effect.DECREASE


def test_an_outcome_in_a_list_behind_death_is_read() -> None:
    text = "Reduction in the risk of death, recurrent myocardial infarction, and stroke."
    assert judged("myocardial infarction", passage(text, INDICATIONS)).effect is Effect.DECREASE


def test_what_does_not_decide_is_only_mentioned() -> None:
    verdict = judged("stroke", passage("Use with care in patients with a history of stroke.", WARNINGS))
    assert verdict.effect is Effect.NO_EFFECT
    assert all("mentions" in one.text for one in verdict.reasons)


def test_a_lower_threshold_is_a_harm_and_what_is_unknown_says_next_to_nothing() -> None:
    assert (
        read("It has been shown to lower the seizure threshold.", "seizure", WARNINGS).effect
        is Effect.INCREASE
    )
    open_ = read("It is unknown whether patients are at increased risk of gout.", "gout", WARNINGS)
    assert open_.weight < read("Patients are at increased risk of gout.", "gout", WARNINGS).weight / 4


def test_the_control_named_first_of_several_arms_has_the_first_figure() -> None:
    arms = "placebo, INVENTOL 10 mg, and INVENTOL 25 mg"
    text = f"The incidence of gout in patients on {arms} was 16.6%, 18.4%, and 17.0%."
    seen = read(text, "gout").incidence
    assert seen is not None
    assert (seen.percent, seen.control) == (18.4, 16.6)
