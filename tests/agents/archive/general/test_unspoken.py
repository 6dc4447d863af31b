"""When an answer says that nothing speaks of what is asked, and when it must not."""

from pathlib import Path

import pytest

from agents.archive.answer import AnswerOutcome
from agents.archive.work import as_shown
from tests.agents.archive.test_pipeline import ask
from tests.agents.archive.world import archive

TEXTS = {
    "QB-CL-1": "# QB-710: Phase 2 trial\n\nOne SAE, a serious adverse event, was a fall.\n\n"
    "Adverse events of taste were seen in 9 patients.\n",
    "QB-MIN-2": "# Minutes of the board of QB-710\n\nThe bioanalysis of study QB-CL-1 cost 40,000 euro.\n",
}


@pytest.mark.parametrize(
    "question",
    [
        "Which SAEs of QB-710 were there?",
        "How many patients had taste AEs?",
        "How much went into the bioanalysis and pharmacy of study QB-CL-1?",
        "What was the price of the bioanalysis of QB-710?",
        "Was a parrot given QB-710?",
    ],
)
async def test_what_documents_speak_of_in_another_form_or_place_is_not_denied(
    tmp_path: Path, question: str
) -> None:
    answer = await ask(await archive(tmp_path, TEXTS), question)

    assert answer.outcome is not AnswerOutcome.NOTHING


async def test_a_short_form_of_the_field_that_nothing_writes_or_spells_out_is_said_to_be_missing(
    tmp_path: Path,
) -> None:
    answer = await ask(await archive(tmp_path, TEXTS), "How long was the QT interval under QB-710?")

    assert answer.outcome is AnswerOutcome.NOTHING
    assert "speaks of QT" in answer.short


async def test_capitals_that_are_no_notion_of_the_field_are_not_said_to_be_missing(tmp_path: Path) -> None:
    answer = await ask(await archive(tmp_path, TEXTS), "Who had a fall under QB-710, men AND women? ERG?")

    assert answer.outcome is AnswerOutcome.CLOSEST


async def test_a_measure_with_its_time_is_the_measure(tmp_path: Path) -> None:
    heads = "| Dose (mg/kg) | AUC0-24 (ng/mL) | Cmax |\n|---|---|---|\n"
    rows = f"{heads}| 30 | 9,870 | 812 |\n| 90 | 31,200 | 2,410 |\n"
    told = {**TEXTS, "QB-TX-3": f"# QB-710 in rats\n\n{rows}"}
    answer = await ask(await archive(tmp_path, told), "What was the AUC of QB-710 in rats at 30 mg/kg?")

    assert "9,870" in answer.short or "9,870" in str(answer.blocks)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Were rabbits given QB-710?", "Nothing in 2 documents speaks of rabbits. Searched for: rabbit"),
        ("Was there any antibiotic?", "Nothing in 2 documents speaks of antibiotic. Searched for: anti"),
        ("In how many rats did QB-710 do so?", "Nothing in 2 documents speaks of rats. Searched for: "),
        ("What was the Cmax of metabolite M5?", "Nothing in 2 documents speaks of M5. Searched for: M5"),
    ],
)
async def test_a_species_a_drug_or_a_metabolite_of_which_nothing_speaks_is_said_to_be_missing(
    tmp_path: Path, question: str, said: str
) -> None:
    answer = await ask(await archive(tmp_path, TEXTS), question)

    assert answer.outcome is AnswerOutcome.NOTHING
    assert answer.short.startswith(said)


async def test_whether_there_was_a_thing_is_never_met_with_silence(tmp_path: Path) -> None:
    """Even where the encoder finds something near the word."""
    near = {**TEXTS, "QB-TX-3": "# QB-710 in mice\n\nInfections were treated by the veterinarian.\n"}
    answer = await ask(await archive(tmp_path, near), "Was any antiseptic used under QB-710?")

    assert "No document that was searched writes “antiseptic”." in answer.short


async def test_a_notion_of_which_no_word_stands_anywhere_is_said_to_be_missing(tmp_path: Path) -> None:
    answer = await ask(await archive(tmp_path, TEXTS), "Was QB-710 examined for phototoxicity?")

    assert answer.outcome is AnswerOutcome.NOTHING
    assert answer.short.startswith("Nothing in 2 documents speaks of phototoxicity. Searched for: photo")


async def test_a_notion_that_another_document_tells_in_its_own_words_is_not_denied(tmp_path: Path) -> None:
    told = {**TEXTS, "QB-TX-3": "# QB-710 in mice\n\nNo photoirritation by QB-710 was seen.\n"}
    answer = await ask(await archive(tmp_path, told), "Was QB-710 examined for phototoxicity?")

    assert answer.outcome is AnswerOutcome.CLOSEST


async def test_words_that_no_document_writes_are_told_before_what_comes_closest(tmp_path: Path) -> None:
    tools = await archive(tmp_path, TEXTS)
    answer = await ask(tools, "Which adverse events of QB-710 did parrots have?")
    foreign = await ask(tools, "Wie viele Nebenwirkungen hatten die Patienten unter QB-710?")

    assert answer.outcome is AnswerOutcome.CLOSEST
    assert answer.short.startswith(
        "No document that was searched writes “parrots”. These passages come closest"
    )
    assert "writes" not in foreign.short


ANIMALS = {
    "QB-PK-1": "# Pharmacokinetics of QB-710 in rats\n\nThe half-life of QB-710 in rats was 4.2 hours.\n\n"
    "## Staff\n\nOne man was pricked by a needle.\n",
    "QB-TX-2": "# Toxicity of QB-710 in dogs\n\nThe NOAEL was told to the board. Dogs were fed at noon.\n",
}


@pytest.mark.parametrize("question", ["What is the half-life in man?", "t1/2 of it in volunteers?"])
async def test_a_measure_that_is_told_of_other_species_alone_is_said_to_be_missing_first(
    tmp_path: Path, question: str
) -> None:
    answer = await ask(await archive(tmp_path, ANIMALS), question)

    assert answer.outcome is AnswerOutcome.NOTHING
    assert answer.short.startswith("Nothing in 2 documents speaks of half-life (human). Searched for: half-")


@pytest.mark.parametrize(
    "told",
    ["The half-life in patients was 9 hours.", "A half-life of 9 hours allows one tablet a day."],
    ids=["of the species", "of a species that is not known"],
)
async def test_a_measure_that_may_be_told_of_the_species_is_not_denied(tmp_path: Path, told: str) -> None:
    texts = {**ANIMALS, "QB-MIN-3": f"# Minutes on QB-710\n\n{told}\n"}
    answer = await ask(await archive(tmp_path, texts), "What is the half-life in man?")

    assert answer.outcome is AnswerOutcome.CLOSEST


async def test_a_unit_or_a_part_of_a_word_is_not_said_to_be_missing(tmp_path: Path) -> None:
    answer = await ask(
        await archive(tmp_path, TEXTS), "What had parrots 4 h post-dose of QB-710, half-asleep?"
    )

    assert answer.short.startswith("No document that was searched writes “parrots”.")


@pytest.mark.parametrize(
    "question",
    [
        "Did the fall under QB-710 go away?",
        "Was the seriousness of QB-710 downgraded?",
        "pls tell the pts with taste, yo, of QB-710",
    ],
    ids=["words of the question", "near the texts", "short forms"],
)
async def test_only_names_of_things_that_are_near_nothing_are_said_to_be_missing(
    tmp_path: Path, question: str
) -> None:
    assert "writes" not in (await ask(await archive(tmp_path, TEXTS), question)).short


async def test_an_absence_with_names_of_genes_among_its_words_passes_the_gate(tmp_path: Path) -> None:
    shown = as_shown(await ask(await archive(tmp_path, TEXTS), "What is the hERG IC50 of QB-710?"))

    assert "speaks of hERG. Searched for: hERG" in " ".join((shown.short, shown.text, *shown.not_found))
    assert not any("Not shown" in note for note in shown.notes)
