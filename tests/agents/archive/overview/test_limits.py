"""A count of people is of those asked for, and what breaks a stated limit is not listed."""

from pathlib import Path

import pytest

from agents.archive.answer import Answer
from agents.archive.overview.limits import limit_in
from agents.archive.research.patterns.deeds import Deed, people_in
from tests.agents.archive.world import archive, ask

DOSE_FINDING = """@document_type: Clinical study report
@study_id: KV-CL-03
# KV-417 in gout: a dose-finding study

Patients with gout received 10 mg KV-417 once daily. 188 patients were screened; 132 patients were randomised
and 117 completed. On placebo 27 completed.
"""
FIRST = """@document_type: Clinical study report
@study_id: KV-CL-01
# KV-417 single ascending dose study in healthy volunteers

Twenty-four volunteers were enrolled and received KV-417.
"""
RAT = """@document_type: Toxicology report
# KV-417: 13-week study in the rat

The margin of safety of KV-417 is 3-fold in the rat, from the AUC.
"""
MONKEY = """@document_type: Toxicology report
# RB-200: 13-week study in the monkey

The margin of safety of RB-200 is 24-fold in the monkey, from the AUC.
"""
REGISTER = """# Register of studies, March 2019

| Study | Compound | Design | Enrolled | Status |
|---|---|---|---|---|
| KV-CL-01 | KV-417 | single dose, healthy volunteers | 24 | completed |
| KV-CL-02 | KV-417 | multiple dose, healthy volunteers | 40 | completed |
| KV-CL-03 | KV-417 | dose finding, patients | 132 | completed |
| KV-CL-04 | KV-417 | confirmatory, patients | 640 | planned |
"""


async def told(folder: Path, question: str) -> Answer:
    documents = {"KV-CL-03": DOSE_FINDING, "KV-CL-01": FIRST, "KV-T-1": RAT, "RB-T-1": MONKEY}
    return await ask(await archive(folder, {**documents, "register": REGISTER}), question)


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("How many patients completed KV-CL-03?", "KV-CL-03: 117 completed."),
        ("How many patients were screened in KV-CL-03?", "KV-CL-03: 188 screened."),
        ("How many patients were randomised in KV-CL-03?", "KV-CL-03: 132 randomised."),
        (
            "How many patients were in KV-CL-04?",
            "KV-CL-04 is on record as planned, with 640 people to be enrolled.",
        ),
        ("What is the status of KV-CL-04?", "KV-CL-04: planned."),
        ("Status of study KV-CL-02", "KV-CL-02: completed."),
        ("Which studies had more than 50 subjects?", "1 study: KV-CL-03 (132 randomised)."),
        ("Which molecules had a margin of safety below 10?", "1 molecule: KV-417 3-fold."),
        ("Which molecules had a margin of safety above 10?", "1 molecule: RB-200 24-fold."),
        ("How many studies of KV-417 were done in patients?", "1 study: KV-CL-03."),
        (
            "How many clinical trials of KV-417 were carried out?",
            "3 studies: KV-CL-01, KV-CL-02, KV-CL-03.",
        ),
        ("How many studies of KV-417 were done in healthy volunteers?", "2 studies: KV-CL-01, KV-CL-02."),
    ],
)
async def test_what_is_counted_is_what_was_asked(tmp_path: Path, question: str, line: str) -> None:
    assert (await told(tmp_path, question)).short == line


@pytest.mark.parametrize(
    "question",
    [
        "How many subjects completed KV-CL-02?",
        "How many patients withdrew from KV-CL-03?",
        "How many patients on placebo completed KV-CL-03?",
        "Which molecules had a half-life above 10 h?",
    ],
)
async def test_a_count_of_others_is_no_answer(tmp_path: Path, question: str) -> None:
    answer = await told(tmp_path, question)
    assert not answer.short or not any(number in answer.short for number in ("40", "117", "132", "molecule:"))


@pytest.mark.parametrize(
    ("sentence", "counts"),
    [
        (
            "Ninety-six patients were randomised, 24 to each group; 89 completed.",
            {(96, Deed.RANDOMISED), (89, Deed.COMPLETED)},
        ),
        ("Sixty volunteers (40 men, 20 women) were enrolled.", {(60, Deed.ENROLLED)}),
        ("53 patients were randomised to placebo.", set()),
        ("Of the women, 12 completed.", set()),
        ("Of 96 patients, 89 completed the study.", {(89, Deed.COMPLETED)}),
        ("Randomised: 212", {(212, Deed.RANDOMISED)}),
        ("Of 96 patients screened, 89 were enrolled.", {(96, Deed.SCREENED), (89, Deed.ENROLLED)}),
        ("A total of 96 patients were treated.", {(96, Deed.TREATED)}),
        ("None of the 12 subjects withdrew.", set()),
        ("One (8%) of the 12 subjects withdrew.", set()),
        ("Less than 30 subjects were enrolled.", set()),
        ("30 to 40 subjects were enrolled.", set()),
        ("Between 30 and 40 subjects were enrolled.", set()),
        ("1 200 patients were randomised.", set()),
        ("Another 12 patients were randomised.", set()),
        ("A previous study randomised 40 patients.", set()),
        ("So far 45 patients were enrolled.", set()),
        ("Randomised: 2:1", set()),
        ("Enrolled: 03 May 2019", set()),
        ("Completed: 2019", set()),
        ("Included: 5 sites", set()),
    ],
)
def test_a_count_stands_for_all_people_of_a_study(sentence: str, counts: set[tuple[int, Deed]]) -> None:
    assert {(one.number, one.deed) for one in people_in(sentence)} == counts


@pytest.mark.parametrize(
    ("asked", "below", "included", "unit"),
    [
        ("studies with more than 50 subjects", False, False, ""),
        ("studies with not more than 50 subjects", True, True, ""),
        ("studies with no less than 50 subjects", False, True, ""),
        ("studies that enrolled patients over 65", False, False, "years"),
    ],
)
def test_a_limit_keeps_its_not(asked: str, below: bool, included: bool, unit: str) -> None:
    limit = limit_in(asked)
    assert limit is not None
    assert (limit.below, limit.included, limit.unit) == (below, included, unit)
