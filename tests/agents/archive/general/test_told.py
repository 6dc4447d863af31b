"""When a passage is told as the answer, and when it must not be: a false answer is worse than passages."""

from pathlib import Path

import pytest

from agents.archive.answer import AnswerOutcome
from agents.archive.tools import ArchiveTools
from agents.archive.work import as_shown
from tests.agents.archive.world import archive, ask

TEXTS = {
    "WM-TX-3": """# WM-880: 26-week dermal toxicity study in minipigs

The study director was Dr. Odile Marchetti. The vehicle was propylene glycol. The batch used was WM-0442.
WM-880 was applied at 0, 4, 12 and 40 mg/kg/day. The no-observed-adverse-effect level was considered to be
12 mg/kg/day. At 40 mg/kg/day the spleen weight was raised by 9 % in males and 17 % in females. Three males at
40 mg/kg/day were found dead on Day 88. The AUC at the LOAEL was 771 ng*h/mL. Erythema was the most frequent
finding. The Ames test was negative. A recovery of 6 weeks is planned. The purity of the batch was 98.2 %.

Table 4. Mean heart rate in week 26 (beats/min)

| Group | Sex | Predose | 4 h post-dose |
|---|---|---|---|
| 12 mg/kg | M | 88 | 91 |
| 12 mg/kg | F | 90 | 94 |
| 40 mg/kg | M | 87 | 112 |
| 40 mg/kg | F | 89 | 118 |
""",
    "WM-CL-1": """# WM-880: first-in-human study in healthy volunteers

The first dose in humans was 3 mg. Forty adults were enrolled, 22 males and 18 females, on 4 March 2019.
WM-880 is metabolised by CYP2C9. The maximum tolerated dose was 90 mg.
Dr. Ruth Abara was the principal investigator.
""",
    "LT-TX-9": """# LT-51: 4-week toxicity study in hamsters

Hamsters received LT-51 in saline. The NOAEL was 5 mg/kg/day. The study director was Dr. Sven Ahlqvist.

|  |  |
|---|---|
| Study Monitor | : Edda Brandt |
""",
}


async def tools(folder: Path, **more: str) -> ArchiveTools:
    return await archive(folder, {**TEXTS, **more})


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who was the study director of the minipig study?", "The study director was Dr. Odile Marchetti."),
        ("Who was the study monitor?", "Study Monitor: Edda Brandt"),
        ("Who was the principal investigator?", "Dr. Ruth Abara was the principal investigator."),
        ("What was the vehicle in the minipig study?", "The vehicle was propylene glycol."),
        ("Which batch of WM-880 was used?", "The batch used was WM-0442."),
        ("What is the NOAEL of WM-880 in minipigs?", "considered to be 12 mg/kg/day."),
        ("How much was the spleen weight raised in females?", "9 % in males and 17 % in females."),
        ("How many males were found dead?", "Three males at 40 mg/kg/day were found dead on Day 88."),
        ("How many females were enrolled?", "22 males and 18 females"),
        ("When were the adults enrolled?", "4 March 2019"),
        ("What was the most common finding in minipigs?", "Erythema was the most frequent finding."),
        ("Which enzyme metabolises WM-880?", "metabolised by CYP2C9."),
        ("Was the Ames test of WM-880 negative?", "The Ames test was negative."),
        ("What was the maximum tolerated dose of WM-880?", "The maximum tolerated dose was 90 mg."),
        ("What was the first dose in humans?", "The first dose in humans was 3 mg."),
        ("What was the heart rate of females 4 h post-dose at 40 mg/kg?", "118 — Group 40 mg/kg, Sex F"),
        ("What was the predose heart rate of males at 12 mg/kg?", "88 — Group 12 mg/kg, Sex M"),
        ("Predose heart rate of females at 12 mg/kg", "90 — Group 12 mg/kg, Sex F"),
        ("vehicle in the minipig study", "The vehicle was propylene glycol."),
    ],
)
async def test_a_passage_with_subject_measure_and_value_is_the_answer(
    tmp_path: Path, question: str, told: str
) -> None:
    answer = await ask(await tools(tmp_path), question)

    assert answer.outcome is AnswerOutcome.ANSWERED
    assert told in " ".join(answer.short.split())
    assert len(answer.citations) == 1


@pytest.mark.parametrize(
    "question",
    [
        "Who was the study director?",
        "Who was the sponsor of the minipig study?",
        "What was the vehicle of LT-51?",
        "What was the dermal vehicle in hamsters?",
        "Which batch of LT-51 was used?",
        "Which laboratory metabolises WM-880?",
        "What is the LOAEL of WM-880 in minipigs?",
        "What was the AUC at the NOAEL of WM-880?",
        "How much was the spleen weight raised in females at 12 mg/kg/day?",
        "How much was the kidney weight raised in females?",
        "How many females were found dead?",
        "How many males were found dead on Day 12?",
        "How long was the recovery of WM-880?",
        "What was the heart rate of females 4 h post-dose at 20 mg/kg?",
        "What was the heart rate of females 8 h post-dose at 40 mg/kg?",
        "When were the minipigs enrolled?",
        "Was the Ames test of LT-51 negative?",
        "Predose heart rate of females at 20 mg/kg",
        "Why was the vehicle propylene glycol?",
    ],
)
async def test_without_subject_measure_or_one_value_nothing_is_concluded(
    tmp_path: Path, question: str
) -> None:
    assert not (await ask(await tools(tmp_path), question)).present


async def test_documents_that_give_different_values_give_none_for_certain(tmp_path: Path) -> None:
    other = "# WM-880: letter on the minipig study\n\nWM-880 in minipigs: the vehicle was ethanol.\n"

    answer = await ask(
        await tools(tmp_path, **{"WM-L-2": other}), "What was the vehicle in the minipig study?"
    )

    assert answer.outcome is AnswerOutcome.CLOSEST


@pytest.mark.parametrize(
    "question",
    ["What was the heart rate of dogs 4 h post-dose?", "What was the half-life of the frequent dose?"],
)
async def test_units_and_parts_of_words_are_not_said_to_be_missing(tmp_path: Path, question: str) -> None:
    short = (await ask(await tools(tmp_path), question)).short

    assert not any(f"“{word}”" in short for word in ("h", "half", "life", "post"))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "What was the heart rate 4 h post-dose at 40 mg/kg?",
            "112 (Sex M), 118 (Sex F) — Group 40 mg/kg, 4 h post-dose, Table 4. Mean heart rate in week 26",
        ),
        (
            "What was the heart rate of males at 40 mg/kg?",
            "87 (Predose), 112 (4 h post-dose) — Group 40 mg/kg, Sex M, Table 4.",
        ),
        (
            "What was the heart rate at 40 mg/kg?",
            "87 (Sex M, Predose), 112 (Sex M, 4 h post-dose), 89 (Sex F",
        ),
        ("What was the predose heart rate of males at 12 mg/kg?", "88 — Group 12 mg/kg, Sex M, Predose"),
    ],
)
async def test_values_that_differ_in_what_is_left_open_are_told_side_by_side_with_what_names_them(
    tmp_path: Path, question: str, told: str
) -> None:
    answer = await ask(await tools(tmp_path), question)

    assert as_shown(answer).short.startswith(told)
    assert len(answer.citations) == 1


async def test_two_labels_with_different_values_are_told_by_neither(tmp_path: Path) -> None:
    rows = "| Date | Place |\n|---|---|\n| Coating of the plates | 14 |\n| Coating of plates | 20 |\n"
    table = await tools(tmp_path, **{"WM-P-1": rows})

    assert not (await ask(table, "What was the coating of the plates?")).present


async def test_two_documents_that_say_the_same_at_the_same_place_are_one_answer(tmp_path: Path) -> None:
    same = {f"WM-P-{n}": "The diet was Altromin 1324.\n" for n in (1, 2)}

    assert (await ask(await tools(tmp_path, **same), "What was the diet?")).present


TRIAL = {
    "WN-CL-2": """# WN-61: multiple dose trial in volunteers

| Event | Placebo (N=9) | 50 mg (N=9) | 100 mg (N=9) |
|---|---|---|---|
| Headache | 2 (22%) | 1 (11%) | 3 (33%) |
| Rash | 0 | 1 (11%) | 1 (11%) |

Table 2: Mean laboratory values, ALT and AST

| Dose (mg) | ALT (U/L) | AST (U/L) |
|---|---|---|
| 50 | 31 | 28 |
| 100 | 44 | 39 |

The principal investigator was Dr. Ida Holm. The sponsor was Vanta Pharma.

## Actions

| No. | Action | Owner | Due |
|---|---|---|---|
| A1 | Quote for the dog study | I. Holm | 3 June 2024 |
| A2 | Confirm the haemolysis threshold | R. Menon | 9 June 2024 |

## Mechanism of action

Tolvexin is a kinase inhibitor.

## Mail

Rita, please add the hERG number to the brochure. Ida to check the spleen weight by 3 June.
""",
}


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How many subjects had headache?", "2 (22%) (Placebo (N=9)), 1 (11%) (50 mg (N=9)), 3 (33%)"),
        ("How many subjects had headache at 100 mg?", "3 (33%) — Headache, 100 mg (N=9)"),
        ("What was the ALT at 100 mg?", "44 U/L — Dose (mg) 100, ALT (U/L)"),
        ("Is tolvexin a kinase inhibitor?", "Tolvexin is a kinase inhibitor."),
        ("What were the ALT and the AST at 50 mg?", "31 U/L (ALT (U/L)), 28 U/L (AST (U/L)) — Dose (mg) 50"),
        (
            "Who was the principal investigator and who was the sponsor?",
            "Dr. Ida Holm. The sponsor was Vanta",
        ),
    ],
)
async def test_a_row_of_counts_a_column_of_its_name_and_two_parts_are_answers(
    tmp_path: Path, question: str, told: str
) -> None:
    answer = await ask(await archive(tmp_path, TRIAL), question)

    assert told in as_shown(answer).short
    assert not answer.notes


@pytest.mark.parametrize(
    "question",
    [
        "Were dogs studied?",
        "What was the haemolysis threshold?",
        "Was the hERG number added to the brochure?",
        "Was the spleen weight checked?",
    ],
)
async def test_what_somebody_is_asked_to_do_is_no_finding(tmp_path: Path, question: str) -> None:
    assert not (await ask(await archive(tmp_path, TRIAL), question)).present


async def test_of_a_metabolite_only_its_own_rows_count_and_the_parent_is_not_shown_for_it(
    tmp_path: Path,
) -> None:
    rows = """# Plasma of WN-61 and its metabolite WN-61-M3

| subject | analyte | day | Cmax_ng_mL |
|---|---|---|---|
| 7 | WN-61 | 14 | 402 |
| 7 | WN-61-M3 | 14 | 133 |
| 8 | WN-61 | 14 | 471 |
| 8 | WN-61-M3 | 14 | 149 |
"""
    table = await archive(tmp_path, {**TRIAL, "WN-PK-3": rows})
    of_metabolite = await ask(table, "What was the Cmax of WN-61-M3?")
    of_parent = await ask(table, "What was the Cmax of WN-61 in subject 8?")
    other = await ask(table, "What was the AUC of M3 in rats?")

    assert as_shown(of_metabolite).short.startswith("133 (subject 7), 149 (subject 8) — analyte WN-61-M3")
    assert of_parent.short.startswith("471 — subject 8, analyte WN-61, day 14")
    assert all("WN-61-M3" in one.quote for one in other.citations)


BOARD = {
    "KV-TX-1": """# KV-402: 4-week oral toxicity study in rats

The NOAEL was 20 mg/kg/day. The target organ was the thyroid. The vehicle was corn oil.
Food intake was reduced in females because the diet was spilled. Animal 31 was killed on Day 12.
The salivation was attributed to the taste. The tremor was due to handling.
The tremor was caused by the formulation.
M5 inhibits RIPK1 with an IC50 of 46 nM, against 3.2 nM for the parent.
""",
    "KV-MIN-2": """# Minutes of the board of KV-402

Decision 4: The starting dose in humans is lowered to 2 mg.

| No. | Task | Responsible | Deadline |
|---|---|---|---|
| 1 | Write the histology addendum | P. Varga | 3 March 2023 |
| 2 | Ask the supplier for tanks | | 24 March 2023 |

| No. | Task | Written by | Reviewed by |
|---|---|---|---|
| 3 | Pathology appendix | | K. Lee |
""",
    "KV-PK-3": """# KV-402: kinetics

| Analyst | L. Novak |
|---|---|
| Bioanalyst | T. Okafor |

| Study | Analyte | Species | Dose (mg/kg) | Sex | Day | Cmax (ng/mL) |
|---|---|---|---|---|---|---|
| KV-PK-3 | KV-402 | Rat | 10 | M | 1 | 120 |
| KV-PK-3 | M5 | Rat | 10 | M | 1 | 16 |
| KV-PK-3 | KV-402 | Rat | 30 | M | 1 | NA |
| KV-PK-3 | M5 | Rat | 30 | M | 1 | 47 |
""",
}


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Why was food intake reduced in females?", "because the diet was spilled."),
        ("Who writes the histology addendum?", "P. Varga"),
        ("Who was the bioanalyst?", "T. Okafor"),
        ("Who is responsible for the histology addendum?", "P. Varga"),
        ("When is the histology addendum due?", "3 March 2023"),
        ("What was decided about the starting dose?", "lowered to 2 mg."),
        ("Cmax of metabolite M5 in male rats at 30 mg/kg on day 1", "47 ng/mL — "),
        ("What is the IC50 of M5 against RIPK1?", "IC50 of 46 nM"),
        ("Cmax of KV-402 in male rats at 10 mg/kg on day 1", "120 ng/mL — "),
        ("What was the NOAEL in rats and which organ was the target?", "20 mg/kg/day. The target organ was"),
    ],
)
async def test_reasons_people_decisions_and_the_row_of_an_analyte_are_answers(
    tmp_path: Path, question: str, told: str
) -> None:
    answer = await ask(await archive(tmp_path, BOARD), question)

    assert answer.outcome is AnswerOutcome.ANSWERED
    assert told in " ".join(answer.short.split())


@pytest.mark.parametrize(
    "question",
    [
        "Why was food intake reduced in males?",
        "Why was animal 31 killed?",
        "Why was the Cmax in male rats 120 at 10 mg/kg on day 1 of KV-402?",
        "Why was there tremor?",
        "What is the IC50 of KV-402 against RIPK1?",
        "Who asks the supplier for tanks?",
        "Who wrote the pathology appendix?",
        "Who writes the brochure?",
        "What was decided about the dog study?",
        "Cmax of KV-402 in male rats at 30 mg/kg on day 1",
        "Cmax of metabolite M7 in male rats at 30 mg/kg on day 1",
        "What was the batch in rats and who was the sponsor?",
        "Who led it, and what was the target?",
    ],
)
async def test_without_reason_person_or_value_of_what_is_named_nothing_is_concluded(
    tmp_path: Path, question: str
) -> None:
    assert not (await ask(await archive(tmp_path, BOARD), question)).present


async def test_each_part_of_a_question_is_answered_by_itself_and_one_without_evidence_is_named(
    tmp_path: Path,
) -> None:
    answer = await ask(
        await archive(tmp_path, BOARD), "What was the vehicle in rats, and how many had seizures?"
    )

    assert answer.short == "The vehicle was corn oil."
    assert len(answer.citations) == 1
    assert any("surely answers “how many had seizures?”" in note for note in answer.notes)


TEAM = {
    "NB-TX-2": """# NB-12: 4-week study in rats (study NB-TX-2)

The NOAEL was 5 mg/kg/day.

| Analyte | Day | Dose (mg/kg) | Sex | AUC (ng*h/mL) | Tmax (h) |
|---|---|---|---|---|---|
| NB-12 | 28 | 20 | M | 4100 | 1 |
| NB-12 | 28 | 20 | F | 4400 | 2 |
| M3 | 28 | 20 | M | 900 | 4 |
| M3 | 28 | 20 | F | 950 | 4 |
""",
    "minutes": """# NB-12: minutes of 3 May 2024

## Dog study

The protocol was approved on 2 May 2024. The audit of NB-TX-2 is scheduled for June.
The audit of NB-TX-9 is over.
""",
    "plasma": """# Plasma of the dogs

| animal | route | time_h | plasma_ng_ml |
|---|---|---|---|
| D7 | iv | 1 | 402 |
| D7 | iv | 8 | 44 |
""",
}


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Was the protocol of the dog study approved?", "The protocol was approved on 2 May 2024."),
        ("Was the audit of NB-TX-2 done?", "The audit of NB-TX-2 is scheduled for June."),
        ("What was the AUC of the parent in males on day 28 at 20 mg/kg?", "4100 ng*h/mL"),
        ("What was the intravenous plasma concentration of D7 at 8 h?", "44 "),
        ("What was the AUC of NB-12 in males and in females?", "4100 ng*h/mL"),
    ],
)
async def test_plans_minutes_parents_times_and_two_in_one_are_read(
    tmp_path: Path, question: str, told: str
) -> None:
    answer = await ask(await archive(tmp_path, TEAM), question)

    assert answer.outcome is AnswerOutcome.ANSWERED
    assert told in " ".join(answer.short.split())


@pytest.mark.parametrize(
    "question",
    [
        "Was the audit of NB-TX-8 done?",
        "Was the protocol of the rat study approved?",
        "What was the intravenous plasma concentration of D7 at 4 h?",
    ],
)
async def test_another_study_time_or_step_is_no_answer(tmp_path: Path, question: str) -> None:
    assert not (await ask(await archive(tmp_path, TEAM), question)).present
