"""Yes and no are said only where a sentence or record decides exactly what was asked."""

from pathlib import Path

import pytest

from tests.agents.archive.world import archive, ask

BROCHURE = """# KV-401: Investigator's Brochure

Investigator's brochure. {0}

KV-402 is another molecule.
"""
OTHER = (
    "# KV-402: study in volunteers\n\nClinical study report. 12 healthy volunteers received 5 mg KV-402.\n"
)
IN_MAN = """# KV-401: study in healthy volunteers

Clinical study report. Phase I study. {0}
"""


async def first_line(folder: Path, question: str, *texts: str) -> str:
    documents = {f"KV-DOC-{number}": text for number, text in enumerate((*texts, OTHER))}
    return (await ask(await archive(folder / "docs", documents), question)).short


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Was KV-401 ever given to humans?", "KV-401 has been given to 36 volunteers as single doses."),
        ("Has KV-401 been tested in volunteers?", "Twenty-four volunteers received 5 mg KV-401."),
    ],
)
async def test_who_received_a_molecule_is_a_yes(tmp_path: Path, question: str, sentence: str) -> None:
    assert await first_line(tmp_path, question, IN_MAN.format(sentence)) == f"Yes: {sentence}"


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Was KV-401 ever given to humans?", "Volunteers will be given 5 mg KV-401."),
        ("Was KV-401 ever given to humans?", "Patients who have received KV-401 are excluded."),
        ("Was KV-401 ever given to patients?", "36 volunteers received 5 mg KV-401."),
        ("Was KV-401 ever given to humans with asthma?", "36 volunteers received 5 mg KV-401."),
        ("Was KV-401 ever given to humans?", "Human hepatocytes were treated with KV-401."),
    ],
)
async def test_a_plan_or_other_people_are_no_yes(tmp_path: Path, question: str, sentence: str) -> None:
    assert not (await first_line(tmp_path, question, IN_MAN.format(sentence))).startswith(("Yes", "No:"))


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Did KV-401 show genotoxicity?", "KV-401 was not genotoxic in the Ames test."),
        ("Is KV-401 mutagenic?", "There was no evidence of a mutagenic potential of KV-401."),
        ("Was genotoxicity observed with KV-401?", "KV-401 showed no signs of genotoxicity."),
        ("Is KV-401 teratogenic?", "Teratogenicity of KV-401 was not observed."),
        ("Did KV-401 cause liver toxicity in dogs?", "In dogs KV-401 caused no liver toxicity."),
        ("Is KV-401 phototoxic in guinea pigs?", "KV-401 was not phototoxic in guinea pigs."),
    ],
)
async def test_a_denied_finding_is_a_no(tmp_path: Path, question: str, sentence: str) -> None:
    assert await first_line(tmp_path, question, BROCHURE.format(sentence)) == f"No: {sentence}"


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Did KV-401 show genotoxicity?", "No genotoxicity studies were performed with KV-401."),
        ("Did KV-401 show genotoxicity?", "The genotoxicity of KV-401 was not examined."),
        (
            "Did KV-401 show genotoxicity?",
            "KV-401 was not genotoxic in the Ames test. KV-401 was clastogenic in lymphocytes.",
        ),
        ("Did KV-401 show teratogenicity?", "KV-401 showed no teratogenicity up to 10 mg/kg."),
        ("Did KV-401 cause liver toxicity?", "In rats KV-401 caused no liver toxicity."),
        ("Did KV-401 cause liver toxicity in dogs?", "In rats KV-401 caused no liver toxicity."),
        ("Did KV-401 show genotoxicity?", "KV-402 was not genotoxic."),
        ("Is KV-401 carcinogenic?", "No carcinogenicity studies were done with KV-401."),
        ("Was KV-401 carcinogenic in mice?", "No carcinogenicity studies in mice were done with KV-401."),
        ("Is KV-401 carcinogenic in mice?", "KV-401 was not carcinogenic in male mice."),
        ("Is KV-401 teratogenic?", "KV-401 was not teratogenic in rabbits."),
    ],
)
async def test_what_was_not_tested_or_holds_in_part_is_no_no(
    tmp_path: Path, question: str, sentence: str
) -> None:
    assert not (await first_line(tmp_path, question, BROCHURE.format(sentence))).startswith(("Yes", "No:"))


TOX = "# KV-401: toxicity study in the {0}\n\nToxicology report. KV-401 was given for 13 weeks. {1}\n"


async def test_toxicity_in_the_organ_and_species_asked_about_is_a_yes(tmp_path: Path) -> None:
    dog = TOX.format("dog", "Liver necrosis was seen at 40 mg/kg/day.")
    rat = TOX.format("rat", "Hypertrophy of the liver was seen at 90 mg/kg/day.")
    documents = {"KV-TX-1": dog, "KV-TX-2": rat, "KV-DOC": OTHER}
    tools = await archive(tmp_path / "docs", documents)

    async def told(question: str) -> str:
        return (await ask(tools, question)).short

    assert (await told("Did KV-401 cause liver toxicity?")) == "Yes: liver (dog: necrosis)"
    assert (await told("Was liver toxicity seen with KV-401 in dogs?")) == "Yes: liver (dog: necrosis)"
    assert not (await told("Did KV-401 cause liver toxicity in rats?")).startswith("Yes")
    assert not (await told("Was the liver toxicity of KV-401 reversible?")).startswith("Yes")


async def test_a_denied_toxicity_is_no_no_where_the_organ_was_harmed(tmp_path: Path) -> None:
    text = "KV-401 was not hepatotoxic in {0}. Liver necrosis was seen with KV-401 in rats."
    question = "Was KV-401 hepatotoxic in {0}?"
    rats = await first_line(tmp_path / "a", question.format("rats"), BROCHURE.format(text.format("rats")))
    dogs = await first_line(tmp_path / "b", question.format("dogs"), BROCHURE.format(text.format("dogs")))
    whole = await first_line(tmp_path / "c", "Is KV-401 hepatotoxic?", BROCHURE.format(text.format("man")))

    assert rats == whole == "Yes: liver (rat: necrosis)"
    assert dogs == "No: KV-401 was not hepatotoxic in dogs."


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("The development of KV-401 is terminated because of liver toxicity.", "No: KV-401 was stopped"),
        ("The study of KV-401 in asthma is reported. KV-401 is well tolerated.", "KV-401:"),
    ],
)
async def test_a_development_that_ended_is_a_no(tmp_path: Path, text: str, start: str) -> None:
    minutes = f"# Minutes of the board: KV-401\n\nMinutes of 7 June 2000. {text}\n"

    assert (await first_line(tmp_path, "Is KV-401 still in development?", minutes)).startswith(start)


@pytest.mark.parametrize(
    ("question", "sentence", "start"),
    [
        ("Was 40 mg of KV-401 given?", "12 volunteers received 40 mg KV-401 once daily.", "Yes: 12 vol"),
        (
            "Was 40 mg of KV-401 given?",
            "Amendment 2 added a level of 40 mg; the study was closed before any subject received it.",
            "No: Amendment 2",
        ),
        ("Did anyone receive 40 mg of KV-401?", "The 40 mg group of KV-401 never opened.", "No: The 40 mg"),
        (
            "Was KV-401 given at 40 mg?",
            "Modelling predicts that 40 mg will be tolerated.",
            "No document says that 40 mg was given; one speaks of it: Modelling",
        ),
    ],
)
async def test_whether_a_dose_was_given_is_told_by_what_is_said_of_it(
    tmp_path: Path, question: str, sentence: str, start: str
) -> None:
    told = await first_line(tmp_path, question, IN_MAN.format(f"Volunteers received 5 mg KV-401. {sentence}"))
    assert told.startswith(start)


async def test_a_dose_of_volunteers_is_no_yes_for_patients(tmp_path: Path) -> None:
    question = "Was 40 mg of KV-401 given to patients?"
    told = await first_line(tmp_path, question, IN_MAN.format("12 volunteers received 40 mg KV-401."))
    assert not told.startswith(("Yes", "No"))
