"""A question from words to a cited report, without a model."""

from dataclasses import replace

import pytest

from agents.databases.bulk_format import BulkFormat
from agents.databases.case_reports import TABLE
from agents.databases.openfda import API
from agents.errors import ToolFailed
from agents.reports.gate import audit
from agents.reports.values import Paragraph, Report, Table
from agents.runs.encoding import decode, encode
from agents.vigilance.kind import KIND
from agents.vigilance.merging import merged
from agents.vigilance.report import LOAD
from agents.vigilance.understand import ordered
from agents.vigilance.values import Assessment, CategoryVerdict, Effect
from tests.agents.vigilance.kit import LABELLED, World, assessed, desk, made_run, world
from tests.support.memory.ledger import MemoryLedger
from tests.support.recorded_web import RecordedWeb

QUESTION = "ACE inhibitors: angioedema"


def missing(shown: Report) -> list[str]:
    section = shown.section("missing")
    assert section is not None
    return [one.text for one in section.blocks if isinstance(one, Paragraph)]


async def test_a_class_is_judged_from_the_labels_of_its_representatives() -> None:
    made = await assessed(QUESTION)
    (cell,) = made.cells
    assert cell.effect is Effect.INCREASE
    assert [one.ingredient for one in cell.drugs] == ["lisinopril", "captopril", "enalapril"]
    assert [bool(one.extracts) for one in cell.drugs] == [True, True, False]
    assert decode(Assessment, encode(Assessment, made)[0], "assessment") == made


async def test_every_sentence_of_the_justification_is_cited_and_every_quote_is_verbatim() -> None:
    made = await assessed(QUESTION)
    shown = KIND.report(made)
    (verdict, drugs) = shown.sections
    assert list(verdict.statements)
    assert all(one.citations for one in verdict.statements)
    texts = {one.key: one.text for one in made.evidence}
    assert shown.citations
    assert all(one.quote in texts[one.key] for one in shown.citations)
    (learnt,) = [
        one.text for one in verdict.blocks if isinstance(one, Paragraph) and "Confidence" in one.text
    ]
    assert "learnt on" in learnt
    assert "lisinopril: It is a member with 910 prescriptions." in [
        one.text for one in drugs.blocks if isinstance(one, Paragraph)
    ]
    assert not audit(KIND.report.ungated(made)).wrong  # type: ignore[attr-defined]
    assert not any("struck" in note.casefold() for note in shown.notes)


async def test_figures_of_a_passage_stand_beside_it_with_their_citation() -> None:
    seen = {"drug": "RAMIPRIL", "section": "warnings", "text": "Gout was seen in 3 of 100 patients."}
    shown = KIND.report(await assessed("ramipril: gout", desk(world((*LABELLED, seen)))))
    verdict = shown.sections[0]
    (told,) = [one for one in verdict.blocks if isinstance(one, Table) and "word for word" in one.title]
    assert told.columns == ("drug", "section", "passage", "figures", "speaks")
    (counted,) = [row[3] for row in told.rows if row[3].text]
    assert counted.text == "3 of 100"
    assert counted.citations


async def test_a_passage_is_told_once_and_harm_below_the_comparator_is_not_told_as_harm() -> None:
    text = "Gout was reported in 1.1% of patients treated with ramipril and 1.4% of patients on placebo."
    seen = {"drug": "RAMIPRIL", "section": "adverse_reactions", "text": text}
    again = {**seen, "section": "warnings", "text": f"Watch for it. {text} Stop then."}
    shown = KIND.report(await assessed("ramipril: gout", desk(world((*LABELLED, seen, again)))))
    (told,) = [one for one in shown.sections[0].blocks if isinstance(one, Table) and "word for" in one.title]
    ours = [row for row in told.rows if "1.1%" in row[2].text]
    assert [row[-1].text for row in ours] == ["rarer than on the comparator"]


async def test_a_passage_on_ill_patients_is_not_told_as_harm() -> None:
    ill = "Half-life is prolonged in patients with gout."
    rows = [{"drug": "RAMIPRIL", "section": "precautions", "text": ill}]
    made = await assessed("ramipril: gout", desk(world((*LABELLED, *rows))))
    shown = KIND.report(made)
    assert made.cells[0].effect is Effect.NO_EFFECT
    assert ill not in str(shown.sections[0].blocks)
    assert "No label that was read states an effect" in str(shown.sections[0].blocks)


async def test_a_cited_passage_opens() -> None:
    opened = desk()
    made = await assessed(QUESTION, opened)
    for one in KIND.report(made).citations:
        source = await opened.sources.get(one.doc_id)
        assert source is not None
        assert source.text[one.start : one.end] == one.quote


async def test_the_same_question_twice_has_the_same_answer() -> None:
    assert KIND.report(await assessed(QUESTION)) == KIND.report(await assessed(QUESTION))


async def test_not_in_the_label_is_told_apart_from_no_label() -> None:
    silent = await assessed("warfarin: gout")
    assert (silent.cells[0].effect, silent.cells[0].covered) == (Effect.NO_EFFECT, True)
    assert "warfarin has no known effect on the risk of gout." in KIND.report(silent).short
    unread = await assessed("ramipril: gout")
    shown = KIND.report(unread)
    assert not shown.found
    assert missing(shown) == ["No label of ramipril is loaded.", LOAD]


async def test_a_table_asks_each_label_once_and_has_a_picture_in_both_themes() -> None:
    opened = desk()
    asked: list[str] = []
    read = opened.labels.passages

    async def counted(names: tuple[str, ...]) -> object:
        asked.append(names[0])
        return await read(names)

    opened.labels.passages = counted  # type: ignore[assignment, method-assign]
    made = await assessed("ACE inhibitors, warfarin x angioedema, bleeding, gout", opened)
    assert sorted(asked) == ["captopril", "enalapril", "lisinopril", "warfarin"]
    assert [(one.category, one.outcome, one.effect.value) for one in made.cells if one.reasons] == [
        ("ACE inhibitors", "angioedema", "increase"),
        ("warfarin", "bleeding", "increase"),
    ]
    assert made.figure is not None
    assert made.figure.dark not in ("", made.figure.sha256)
    assert "warfarin: raises bleeding." in made.figure.text
    shown = KIND.report(made)
    table = next(block for block in shown.sections[0].blocks if isinstance(block, Table))
    assert [[cell.text.split(" ")[0] for cell in row] for row in table.rows] == [
        ["angioedema", "increase", "no-effect"],
        ["bleeding", "no-effect", "increase"],
        ["gout", "no-effect", "no-effect"],
    ]
    assert not any("struck" in note.casefold() for note in shown.notes)


async def test_each_label_is_a_step_of_its_own() -> None:
    ledger = MemoryLedger()
    run = await made_run(QUESTION, ledger)
    names = sorted(step.name for step in await ledger.steps(run))
    drugs = ("captopril", "enalapril", "lisinopril")
    assert names == [
        *(f"drug/{one}" for one in drugs),
        "find/ACE inhibitors",
        *(f"read/{one}" for one in drugs),
    ]


async def test_what_is_not_clear_is_asked_back() -> None:
    shown = KIND.report(await assessed("lisinoprol: stroke"))
    assert shown.ask_back.startswith("“lisinoprol” is no class or drug")
    assert "lisinopril" in shown.options


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (ToolFailed("openFDA did not reply within 20 seconds."), "did not reply"),
        (ToolFailed("openFDA is busy (429)."), "429"),
        ('{"labels": []}', "no list `results`"),
        (None, "No label of ramipril is loaded."),
    ],
)
async def test_openfda_away_slow_busy_or_changed_is_told(reply: str | ToolFailed | None, says: str) -> None:
    web = RecordedWeb({f"{API}/label.json": reply})
    shown = KIND.report(await assessed("ramipril: cough", desk(world(), web=web)))
    assert not shown.found
    assert any(says in one for one in missing(shown))
    assert missing(shown)[-1] == LOAD
    assert not shown.notes


def verdict(category: str, effect: Effect, confidence: float) -> CategoryVerdict:
    return CategoryVerdict(
        category=category, outcome="gout", effect=effect, confidence=confidence, p_harm=0.5, p_benefit=0.5
    )


def test_parts_are_merged_by_the_strongest_label_and_opposite_ones_to_none() -> None:
    none = verdict("a", Effect.NO_EFFECT, 0.9)
    more, less = verdict("b", Effect.INCREASE, 0.7), verdict("c", Effect.DECREASE, 0.8)
    assert merged("all", [none, more]).effect is Effect.INCREASE
    assert merged("all", [none, none]).effect is Effect.NO_EFFECT
    both = merged("all", [none, more, less])
    assert (both.category, both.effect) == ("all", Effect.NO_EFFECT)
    assert both.opposed
    assert not merged("all", [none, more]).opposed


def with_reports() -> World:
    """Half of 20 reports on lisinopril or captopril name angioedema, and one in twenty of 200 others."""
    rows = ["report,drug,event"]
    rows += [
        f"a{n},{'Zestril' if n % 2 else 'captopril'},{'Angioedema' if n < 10 else 'Rash'}" for n in range(20)
    ]
    rows += [f"b{n},other,{'Angioedema' if n < 10 else 'Rash'}" for n in range(200)]
    bulk = world(LABELLED)
    bulk.load(TABLE, rows)
    return bulk


async def test_spontaneous_reports_stand_beside_labels_and_change_no_verdict() -> None:
    plain, beside = await assessed(QUESTION), await assessed(QUESTION, desk(with_reports()))
    assert beside.cells == plain.cells
    assert plain.reported == ()
    shown = KIND.report(beside)
    told = [one.text for one in shown.sections[0].statements if "spontaneous" in one.text]
    assert told[0].startswith(
        "Of 220 spontaneous reports 10 name angioedema with ACE inhibitors, reported more often than "
        "expected: ROR 19.00"
    )
    assert told[0].endswith("Reports are no incidence and prove no cause.")
    assert [one.signals[1].drug for one in beside.reported] == ["lisinopril"]  # sold as Zestril
    assert all(one.citations for one in shown.sections[0].statements)
    assert not any("struck" in note.casefold() for note in shown.notes)
    assert decode(Assessment, encode(Assessment, beside)[0], "assessment") == beside


async def test_a_table_tells_only_reports_that_stand_out() -> None:
    shown = KIND.report(await assessed("ACE inhibitors x angioedema, gout", desk(with_reports())))
    own = shown.section("class-1")
    assert own is not None
    told = [one.text for one in own.statements if "spontaneous" in one.text]
    assert len(told) == 1
    assert "angioedema with ACE inhibitors" in told[0]


async def test_a_damaged_table_of_reports_is_told_and_the_verdict_stands() -> None:
    bulk = with_reports()
    damaged = BulkFormat(
        "case-reports", "x", "", "", lambda head: True, lambda lines: iter([("all reports", {})])
    )
    bulk.load(damaged, [""])
    shown = KIND.report(await assessed(QUESTION, desk(bulk)))
    assert shown.found
    assert any("table of reports is damaged" in one for one in missing(shown))


async def test_a_class_of_which_one_drug_has_a_label_is_told_by_that_drug() -> None:
    shown = KIND.report(await assessed("vitamin K antagonists: bleeding"))
    assert shown.short.startswith("vitamin K antagonists: warfarin raises the risk of bleeding")
    shown = KIND.report(await assessed("Coumadin: bleeding"))
    assert shown.short.startswith("warfarin raises the risk of bleeding")


DIVIDED = (
    *LABELLED,
    {
        "drug": "RAMIPRIL",
        "section": "indications_and_usage",
        "text": "Ramipril is indicated to reduce the risk of gout.",
    },
    {"drug": "LISINOPRIL", "section": "warnings", "text": "Lisinopril can cause gout."},
    {"drug": "CAPTOPRIL", "section": "warnings", "text": "Captopril can cause gout."},
)


async def test_a_class_whose_drugs_have_opposite_effects_says_so_and_which() -> None:
    opened = desk(world(DIVIDED))
    made = await assessed("ACE inhibitors: gout", opened)
    assert not made.cells[0].divided  # ramipril stands for the class no more: three are prescribed more
    order = replace(ordered("ACE inhibitors: gout"), top=5)
    shown = KIND.report(await assessed(order, opened))
    assert shown.short.startswith(
        "ACE inhibitors: drugs of the class have opposite effects on the risk of gout: it is raised by "
        "lisinopril and captopril and lowered by ramipril. By the weight of their labels the class raises it"
    )
    table = KIND.report(await assessed(replace(ordered("ACE inhibitors: gout, stroke"), top=5), opened))
    assert "increase of gout (its drugs differ)" in table.short
    (matrix,) = [one for one in table.sections[0].blocks if isinstance(one, Table)]
    assert matrix.rows[0][1].text.endswith("its drugs differ")
