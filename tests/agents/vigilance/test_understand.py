"""Messages as orders, in the words of people."""

import pytest

from agents.errors import WrongOrder
from agents.kinds import Certainty, ThreadContext, UserMessage
from agents.reports.values import Report
from agents.vigilance.understand import understand
from agents.vigilance.values import Order

AFTER = "mortality after myocardial infarction"
NOTHING: ThreadContext[Order, Order] = ThreadContext()


def order(text: str, *, command: bool = False, thread: ThreadContext[Order, Order] = NOTHING) -> Order | None:
    found = understand(UserMessage(text, "ada", command), thread)
    return found.inputs if found else None


def names(found: Order | None) -> tuple[list[str], list[str]]:
    assert found is not None
    return [one.name for one in found.classes], [one.name for one in found.outcomes]


@pytest.mark.parametrize(
    ("text", "classes", "outcomes"),
    [
        ("Do ACE inhibitors raise the risk of angioedema?", ["ACE inhibitors"], ["angioedema"]),
        ("Does warfarin increase or decrease the risk of bleeding?", ["warfarin"], ["bleeding"]),
        (
            "Can NSAIDs cause GI bleeding or kidney failure?",
            ["NSAIDs"],
            ["gastrointestinal bleeding", "renal failure"],
        ),
        (
            "Are beta-blockers associated with an increased risk of hip fractures?",
            ["beta blockers"],
            ["hip fracture"],
        ),
        (
            "What is the risk of heart attack with bisphosphonates?",
            ["bisphosphonates"],
            ["myocardial infarction"],
        ),
        (
            "Do lisinopril and captopril lower the incidence of stroke?",
            ["lisinopril", "captopril"],
            ["stroke"],
        ),
        ("Do ARBs prevent kidney failure?", ["angiotensin receptor blockers"], ["renal failure"]),
        ("Do diuretics reduce death following a heart attack?", ["diuretics"], [AFTER]),
        ("Does taking naproxen increase bleeding or strokes?", ["naproxen"], ["bleeding", "stroke"]),
        ("Can NSAIDs damage the kidneys?", ["NSAIDs"], ["renal failure"]),
        ("Are statins bad for the liver?", ["statins"], ["acute liver injury"]),
        ("Do thiazides lower potassium?", ["thiazide diuretics"], ["hypokalemia"]),
        ("Does prednisone raise blood sugar?", ["prednisone"], ["hyperglycemia"]),
        ("Please tell me whether PPIs can cause fractures", ["PPIs"], ["fracture"]),
        ("Do you know if SSRIs are linked to falls?", ["SSRIs"], ["fall"]),
        ("Is there a link between opioids and constipation?", ["opioids"], ["constipation"]),
        ("SSRIs and serotonin syndrome", ["SSRIs"], ["serotonin syndrome"]),
        ("Do ACE inhibitors save lives?", ["ACE inhibitors"], ["death"]),
        ("Do ACE inhibitors make your lips swell up?", ["ACE inhibitors"], ["angioedema"]),
        ("Do bisphosphonates break your jaw?", ["bisphosphonates"], ["osteonecrosis of the jaw"]),
        ("Do water pills slow the heart?", ["diuretics"], ["bradycardia"]),
        ("Do tetracyclines stain kids' teeth?", ["tetracyclines"], ["tooth discoloration"]),
        ("Do sulpha drugs give women yeast infections?", ["sulfonamides"], ["candidiasis"]),
        ("Do SSRIs cause serotonine syndrome?", ["SSRIs"], ["serotonine syndrome"]),
    ],
)
def test_questions_name_drugs_and_outcomes(text: str, classes: list[str], outcomes: list[str]) -> None:
    assert names(order(text)) == (classes, outcomes)


@pytest.mark.parametrize(
    ("text", "classes", "outcomes"),
    [
        ("ACE inhibitors: angioedema", ["ACE inhibitors"], ["angioedema"]),
        (
            "TCAs, SSRIs x hip fracture, suicidality",
            ["tricyclic antidepressants", "SSRIs"],
            ["hip fracture", "suicidality"],
        ),
        ("lisinopril acute liver injury", ["lisinopril"], ["acute liver injury"]),
        ("antibiotics (tetracyclines, sulfonamides): AKI", ["antibiotics"], ["renal failure"]),
        ("ABC-123: purple glove syndrome", ["ABC-123"], ["purple glove syndrome"]),
        ("metoprolol and bradycardia", ["metoprolol"], ["bradycardia"]),
        ("NSAIDs raise blood pressure", ["NSAIDs"], ["hypertension"]),
    ],
)
def test_commands_may_be_tables_and_short(text: str, classes: list[str], outcomes: list[str]) -> None:
    assert names(order(text, command=True)) == (classes, outcomes)


@pytest.mark.parametrize(
    ("text", "classes", "outcomes"),
    [
        ("QT prolongation with haloperidol", ["haloperidol"], ["qt prolongation"]),
        ("hip fracture risk on beta blockers", ["beta blockers"], ["hip fracture"]),
        ("Which beta blockers cause depression?", ["beta blockers"], ["depression"]),
        ("How often does captopril cause neutropenia?", ["captopril"], ["neutropenia"]),
        ("Will alendronate give me nausea?", ["alendronate"], ["nausea"]),
        ("warfarin versus alendronate: bleeding", ["warfarin", "alendronate"], ["bleeding"]),
        ("phenytoin vs. warfarin x rash", ["phenytoin", "warfarin"], ["rash"]),
        ("compare lisinopril and captopril for rash", ["lisinopril", "captopril"], ["rash"]),
        ("antibiotics versus angioedema", ["antibiotics"], ["angioedema"]),
        ("hepatotoxicity of carbamazepine", ["carbamazepine"], ["acute liver injury"]),
        ("Does haloperidol lengthen the QT interval?", ["haloperidol"], ["qt prolongation"]),
        ("Does phenytoin make gums grow?", ["phenytoin"], ["gingival hyperplasia"]),
        ("Is gentamicin ototoxic?", ["gentamicin"], ["ototoxicity"]),
        ("brain bleeds on warfarin", ["warfarin"], ["intracranial hemorrhage"]),
        ("tricyclics make the heart race", ["tricyclic antidepressants"], ["tachycardia"]),
    ],
)
def test_a_command_may_be_a_note_or_a_comparison(text: str, classes: list[str], outcomes: list[str]) -> None:
    assert names(order(text, command=True)) == (classes, outcomes)


@pytest.mark.parametrize(
    "text",
    [
        "What are the side effects of lisinopril?",
        "list adverse events of lisinopril",
        "lisinopril side effects",
        "lisinopril: adverse events",
        "What adverse reactions does lisinopril have?",
    ],
)
def test_all_side_effects_are_all_outcomes_by_command_alone(text: str) -> None:
    classes, outcomes = names(order(text, command=True))
    assert (classes, len(outcomes)) == (["lisinopril"], len(names(order("warfarin, all outcomes"))[1]))
    assert order(text) is None


def test_all_outcomes_are_those_of_the_table() -> None:
    found = order("warfarin, all outcomes")
    assert names(found)[0] == ["warfarin"]
    assert len(names(found)[1]) > 80


@pytest.mark.parametrize(
    "text",
    [
        "What does the archive say of warfarin?",
        "Does ZX-4471 increase the risk of liver injury?",
        "Does lisinopril increase the risk of the purple study?",
        "Do we have data on bleeding?",
        "Does it cause bleeding?",
        "Does the study reduce stroke?",
        "Do statins reduce cholesterol?",
        "Minutes and stroke",
    ],
)
def test_a_question_that_may_be_meant_for_others_is_left_to_them(text: str) -> None:
    assert order(text) is None


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Do antipsychotics kill elderly patients?", "elderly patients"),
        ("falls in the elderly with benzodiazepines", "the elderly"),
        ("Do SSRIs kill people?", ""),
    ],
)
def test_the_people_of_a_question_are_no_part_of_drugs_or_outcome(text: str, people: str) -> None:
    found = order(text, command=True)
    assert found is not None
    assert found.population == people
    assert not any("elder" in name for name in (*names(found)[0], *names(found)[1]))


def test_a_question_in_words_is_likely_and_a_command_sure() -> None:
    asked = understand(UserMessage("Do statins cause myopathy?", "ada"), NOTHING)
    assert asked is not None
    assert asked.certainty is Certainty.LIKELY


@pytest.mark.parametrize("text", ["", "lisinopril", "angioedema"])
def test_a_command_without_drug_or_outcome_says_what_to_write(text: str) -> None:
    with pytest.raises(WrongOrder, match="vigilance ACE inhibitors: angioedema"):
        order(text, command=True)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Which medicines cause gout?", "does not look for all drugs"),
        ("Is naproxen safe in pregnancy?", "vigilance naproxen: birth defects"),
        ("Are opioids safe?", "vigilance opioids, all outcomes"),
        ("Do statins reduce cholesterol?", "“cholesterol” is no outcome that is known here"),
        ("Why do statins sound like stroke", "names no drug or no outcome"),
    ],
)
def test_a_command_of_another_kind_is_told_what_can_be_asked(text: str, says: str) -> None:
    with pytest.raises(WrongOrder, match=says):
        order(text, command=True)


@pytest.mark.parametrize(
    ("choice", "name", "as_written"), [("1", "cataract", False), ("2", "catarakt", True)]
)
def test_a_choice_of_an_outcome_asks_again_with_it(choice: str, name: str, as_written: bool) -> None:
    before = order("statins: catarakt", command=True)
    back = "“catarakt” is no outcome …"
    asked_back = Report("", "", "", False, ask_back=back, options=("cataract", "catarakt, as it is written"))
    found = order(choice, thread=ThreadContext(before, last=asked_back))
    assert names(found) == (["statins"], [name])
    assert found is not None
    assert found.outcomes[0].as_written is as_written


def test_a_choice_that_was_offered_asks_again_with_it() -> None:
    before = order("blocker: stroke", command=True)
    asked_back = Report(
        "", "", "", False, ask_back="“blocker” is no class …", options=("beta adrenergic blocker",)
    )
    found = order("1", thread=ThreadContext(before, last=asked_back))
    assert names(found) == (["beta blockers"], ["stroke"])


def test_a_class_is_edited_in_the_thread() -> None:
    before = order("ACE inhibitors, statins x stroke", command=True)
    found = order("remove captopril from ACE inhibitors", thread=ThreadContext(before))
    assert found is not None
    assert [(one.version, one.without) for one in found.classes] == [(2, ("captopril",)), (1, ())]
    assert order("thank you", thread=ThreadContext(before)) is None
