"""How verdicts read: what differs, what was not read, what is only applied locally, what comes first."""

from dataclasses import replace

import pytest

from agents.databases.labels import LabelPassage
from agents.vigilance.local import doubted_where_local
from agents.vigilance.merging import merged
from agents.vigilance.reading.drug import is_scrap
from agents.vigilance.sentences import figures, headline, scores, section_of, short
from agents.vigilance.values import (
    Candidate,
    CategoryVerdict,
    DrugClass,
    DrugVerdict,
    Effect,
    Extract,
    FoundClass,
    Frequency,
    Incidence,
    Ingredient,
    Strength,
)
from tests.agents.vigilance.kit import assessed

PASSAGE = LabelPassage("p", "INVENTOL", "warnings", "Gout.")


def verdict(
    drug: str, effect: Effect, confidence: float, *, outcome: str = "gout", labels: int = 1
) -> CategoryVerdict:
    """A class of one drug."""
    harm = confidence if effect is Effect.INCREASE else 0.01
    benefit = confidence if effect is Effect.DECREASE else 0.01
    own = DrugVerdict(
        ingredient=drug,
        outcome=outcome,
        effect=effect,
        confidence=confidence,
        p_harm=harm,
        p_benefit=benefit,
        labels=labels,
    )
    return CategoryVerdict(
        category=f"{drug}s",
        outcome=outcome,
        effect=effect,
        confidence=confidence,
        p_harm=harm,
        p_benefit=benefit,
        drugs=(own,),
    )


def test_drugs_that_point_in_opposite_directions_are_told_with_both_probabilities() -> None:
    parts = [verdict("upol", Effect.INCREASE, 0.9), verdict("downol", Effect.DECREASE, 0.8)]
    whole = merged("inventols", parts)
    assert (whole.p_harm, whole.p_benefit) == (0.9, 0.8)
    assert "opposite effects on the risk of gout: it is raised by upol and lowered by downol" in headline(
        whole
    )
    assert "raise the risk 0.90, that others lower it 0.80" in scores(whole)
    assert "no known effect" not in headline(whole)
    assert "opposite effects on gout" in short([whole, verdict("x", Effect.NO_EFFECT, 0.9)])


def test_what_was_not_read_has_no_numbers() -> None:
    assert scores(verdict("inventol", Effect.NO_EFFECT, 0.5, labels=0)) == ""


async def test_a_missing_label_is_told_once() -> None:
    from agents.vigilance.kind import KIND

    shown = KIND.report(await assessed("ramipril: gout"))
    assert repr(shown.sections).count("No label of ramipril is loaded") == 1
    assert "Confidence" not in repr(shown.sections)


def test_the_line_of_a_table_names_strong_boxed_and_common_effects_before_sure_ones() -> None:
    listed = Extract(PASSAGE, "Gout.", "gout", Effect.INCREASE, 0.9)
    weak = replace(verdict("a", Effect.INCREASE, 0.99, outcome="rash"), strength=Strength.WEAK)
    strong = replace(verdict("a", Effect.INCREASE, 0.9, outcome="cough"), strength=Strength.STRONG)
    common = replace(strong, outcome="nausea", confidence=0.8, frequency=Frequency.COMMON)
    (drug,) = strong.drugs
    boxed = replace(drug, extracts=(replace(listed, boxed=True),))
    warned = replace(strong, outcome="stroke", confidence=0.7, drugs=(boxed,))
    line = short([weak, strong, common, warned])
    places = [line.index(name) for name in ("stroke", "nausea", "cough", "rash")]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("others", "local"),
    [((Ingredient("bodol"),), True), ((Ingredient("dropol", local=True),), False), ((), False)],
)
def test_a_label_of_a_drop_is_silent_on_a_class_that_acts_in_the_body(
    others: tuple[Ingredient, ...], local: bool
) -> None:
    eye = Candidate(Ingredient("eyeol", local=True), True, "")
    found = FoundClass(DrugClass("eyeols"), (eye, *(Candidate(one, False, "") for one in others)))
    cell = doubted_where_local(verdict("eyeol", Effect.NO_EFFECT, 0.99), found)
    assert cell.local is local
    assert cell.confidence == (0.5 if local else 0.99)
    assert ("applied locally (eyeol)" in headline(cell)) is local
    assert ("0.01" in scores(cell)) is not local


@pytest.mark.parametrize(
    ("one", "told"),
    [
        (Incidence("gout in 3 of 100 patients", 3.0, 3, 100), "3 of 100"),
        (Incidence("gout (4%, 8/200; placebo 1%", 4.0, 8, 200, 1.0), "4% (8 of 200), control 1%"),
        (Incidence("gout in less than 2 percent", 2.0, below=True), "<2%"),
        (Incidence("Gout  12 3", 12.0), "Gout 12 3"),
    ],
)
def test_figures_are_told_as_the_label_states_them(one: Incidence, told: str) -> None:
    assert figures(one) == told


def test_a_section_says_what_its_name_does_not() -> None:
    plain = Extract(PASSAGE, "Gout.", "gout", Effect.INCREASE, 0.9)
    named = replace(PASSAGE, section="contraindications")
    assert section_of(plain) == "Warnings"
    assert section_of(replace(plain, contraindication=True)) == "Warnings (contraindication)"
    assert section_of(replace(plain, passage=named, contraindication=True)) == "Contraindications"


def test_one_drug_that_was_read_for_a_class_says_nothing_of_the_others() -> None:
    own = verdict("inventol", Effect.INCREASE, 0.9)
    assert "Of the class this label alone was read" in headline(replace(own, category="inventols"))
    assert "alone" not in headline(replace(own, category="inventol"))


def test_words_that_no_reader_can_use_are_scraps() -> None:
    rows = "(%) INVENTOL 25 mg N=5902 N=2926 Gout 257 (4.4) 89 (3.0)"
    for quote in ("seizures;", rows, "Gout [see Warnings (5.1)] Fits [see Warnings (5.2)] Because trials"):
        assert is_scrap(quote)
    for torn in (
        ") Patients on it may have gout.",
        "others) therapy may raise gout.",
        "Gout (of 5 in both arms;",
    ):
        assert is_scrap(torn)
    assert not is_scrap("5.1 Gout was reported in patients on INVENTOL (and others).")
    assert not is_scrap("Gout was reported in 11 of 5902 (0.2%) patients on INVENTOL.")
