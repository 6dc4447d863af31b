"""With a model: it writes the assessment as one object; what records do not carry is not told as theirs."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from agents.databases.facts import Topic
from agents.databases.sider import EVERYWHERE, SHARED_REACTION
from agents.errors import RunStopped
from agents.minds.minded import Minded
from agents.reports.gate import gated
from agents.reports.origins import with_origins
from agents.reports.values import PROPOSED, Figure, Report, Section, Table
from agents.runs.pipeline import new_run
from agents.runs.run import Run
from agents.safety.kind import KIND
from agents.safety.order import Direction, Modality, SafetyOrder
from agents.safety.outline import RESEARCH, SECTIONS
from agents.safety.pipeline import assess
from agents.safety.synthesis.findings import CURATED
from agents.safety.synthesis.told import Told, carried_cell
from agents.safety.values import Assessment, Strength
from agents.safety.whole import Rated, Whole, points_of, strength_by
from agents.trust.values import Claim, Standing, Verdict
from tests.agents.safety.kit import assessed, fact, tools
from tests.agents.safety.test_key_risks import material, warned
from tests.support.memory.ledger import MemoryLedger
from tests.support.scripted import Call, ScriptedModel

LINE = re.compile(r"^(P\d+) \|(?:.*\|)? (.+)$", re.MULTILINE)
NEPHRITIS = {
    "name": "Nephritis by IL6",
    "endpoint": "renal",
    "source": "the target",
    "likelihood": "rare",
    "severity": "serious",
    "known_from": "animals",
    "under": "inhibition",
    "basis": [{"text": "Cataract", "keys": ["P2"]}],
    "reversibility": "slow",
}
ORDER = SafetyOrder("ZORB1", Modality.SMALL_MOLECULE, Direction.INHIBITION)
TEXTBOOK = "Medicines of this class bring heart failure."
LISBON = "Arson burned many houses in Lisbon."
READ = ("phenotypes", "clinical")
RATED = "Slow heart: likely, serious; strong evidence (clinical and animals)"
SLOW, STILL = "12 of 80 patients had bradycardia", "decreased heart rate"


def keys_of(call: Call) -> dict[str, str]:
    """The keys of the records by their text."""
    return {text: key for key, text in LINE.findall(call.user)}


def said(call: Call, words: str, text: str = "") -> dict[str, Any]:
    """A statement on the record that has these words: the record itself, or another text."""
    found = next((one for one in keys_of(call).items() if words in one[0]), None)
    return (
        {"text": text or found[0], "keys": [found[1]]} if found else {"text": text or "Nothing.", "keys": []}
    )


def risk(call: Call, **more: Any) -> dict[str, Any]:
    """A key risk on two lines of evidence."""
    told = {
        "name": "Slow heart",
        "endpoint": "cardiovascular",
        "source": "the target, since mice without it have it too",
        "likelihood": "likely",
        "severity": "serious",
        "known_from": "several medicines",
        "under": "inhibition",
        "basis": [said(call, SLOW), said(call, STILL), {"text": TEXTBOOK}],
        "reversibility": "within days",
        "monitoring": "the pulse at each visit",
    }
    return told | more


def whole(call: Call, **more: Any) -> str:
    """An assessment that repeats records, tells a textbook's knowledge, and makes one finding up."""
    told = {
        "conclusion": "go with conditions",
        "argument": [
            {"says": [said(call, SLOW), {"text": TEXTBOOK}, said(call, SLOW, LISBON)]},
            {"says": [{"text": "The pulse is taken first."}]},
        ],
        "risks": [risk(call)],
        "endpoints": [
            {
                "name": "rash",
                "endpoint": "skin",
                "source": "such chemistry",
                "likelihood": "possible",
                "severity": "mild",
                "known_from": "several medicines",
                "under": "inhibition",
                "basis": [{"text": "Rash is common with such medicines."}],
            }
        ],
        "species": [said(call, "Dog ZORB1")],
        "studies": [
            {
                "stage": "before the first dose",
                "study": "telemetry in the dog",
                "guideline": "ICH S7A",
                "answers": "slow heart",
            }
        ],
        "questions": [{"question": "Is it reversible?", "settled_by": "a recovery group"}],
        "reading": [{"section": one, "says": [said(call, "preweaning")]} for one in READ],
    }
    return json.dumps(told | more)


def writes(call: Call) -> str:
    """The whole, nothing to change in it when it is read again, or the parts of one section."""
    return "{}" if "This is your draft" in call.user else whole(call)


def model() -> ScriptedModel:
    return ScriptedModel({"assess": writes})


def section(shown: Report, name: str) -> Section:
    found = shown.section(name)
    assert found is not None
    return found


def rows(shown: Report, name: str, table: int = 0) -> list[list[str]]:
    return [[cell.text for cell in row] for row in section(shown, name).tables[table].rows]


def everything(shown: Report) -> str:
    cells = (cell.text for one in shown.sections for each in one.tables for row in each.rows for cell in row)
    return " ".join((shown.short, *cells, *(said.text for one in shown.sections for said in one.statements)))


async def test_one_object_tells_conclusion_risks_species_and_studies() -> None:
    asked = model()
    made = await assessed(ORDER, tools(model=asked))
    shown = gated(KIND.report(made))
    assert [call.role for call in asked.calls] == ["assess", "assess"]
    assert [one.id for one in shown.sections] == [one.id for one in SECTIONS]
    assert shown.short.startswith("ZORB1: go with conditions; key risks: Slow heart")
    assert rows(shown, "summary")[0][0] == RATED
    assert [one.citations != () for one in section(shown, "summary").tables[0].rows[0]] == [
        False,
        True,
        False,
    ]
    (other,) = rows(shown, "risks")
    assert other[:2] == [
        "Rash: possible, mild; general knowledge (several medicines)",
        "none cited",
    ]
    assert rows(shown, "questions") == [
        ["Before the first dose", "telemetry in the dog", "ICH S7A", "slow heart"]
    ]
    assert "Mice without ZORB1 show preweaning lethality." in section(shown, "phenotypes").opening
    by_rules = KIND.report(await assessed(ORDER))
    assert section(shown, "phenotypes").tables == section(by_rules, "phenotypes").tables
    assert {part.by for part in made.parts if part.id not in ("coverage", *RESEARCH)} == {"scripted"}
    assert next(one for one in made.risks if one.endpoint == "skin").strength is Strength.NONE


async def test_the_chart_shows_the_models_ratings() -> None:
    shown = KIND.report(await assessed(ORDER, tools(model=model())))
    (figure,) = (one for one in section(shown, "risks").blocks if isinstance(one, Figure))
    assert figure.text.startswith("cardiovascular toxicity (serious, strong evidence)")


async def test_what_the_field_knows_is_marked_and_what_is_made_up_is_not_shown() -> None:
    shown = gated(KIND.report(await assessed(ORDER, tools(model=model()))))
    (known,) = (one for one in section(shown, "summary").statements if one.text == TEXTBOOK)
    assert known.citations == ()
    assert known.origin is not None
    assert known.origin.kind == PROPOSED
    assert known.origin.by == "scripted: general knowledge, not in the sources"
    assert rows(shown, "summary")[0][2] == (
        f"{TEXTBOOK} Brought by the target, since mice without it have it too. Reversibility: Within days. "
        "Monitoring: The pulse at each visit. Stop: None."
    )
    assert "Lisbon" not in everything(shown)
    assert any("gave way to the records' own words" in note for note in shown.notes)


@pytest.mark.parametrize("number", ["７７７", "⑦⑦⑦", "٧٧٧", "seven hundred and seventy-seven", "7\u200b77"])
async def test_a_made_up_number_is_not_shown_in_any_writing(number: str) -> None:
    def lies(call: Call) -> str:
        text = f"ZORB1 killed {number} patients."
        return whole(
            call,
            argument=[{"says": [said(call, SLOW, text), {"text": text}]}],
            risks=[risk(call, basis=[{"text": text}])],
        )

    shown = gated(KIND.report(await assessed(ORDER, tools(model=ScriptedModel({"assess": lies})))))
    assert "killed" not in everything(shown)


async def test_a_rating_is_what_its_lines_give_and_a_false_statement_gives_way_to_its_record() -> None:
    def overrates(call: Call) -> str:
        bare = risk(call, name="Bare", endpoint="renal", basis=[said(call, SLOW, LISBON)])
        weak = risk(call, name="Faint", endpoint="ocular", basis=[said(call, "sets the heart rate")])
        return whole(call, risks=[risk(call), bare, weak])

    shown = KIND.report(await assessed(ORDER, tools(model=ScriptedModel({"assess": overrates}))))
    _, bare, faint = rows(shown, "summary")
    known = ", general knowledge (several medicines)"
    assert bare[0] == f"Bare: likely, serious; weak evidence{known}"
    assert SLOW in bare[1]
    assert faint[0] == f"Faint: likely, serious; weak evidence (mechanism){known}"


def written(words: int) -> list[dict[str, Any]]:
    """Statements of the field with so many words."""
    return [{"text": f"{' '.join(['Harm', *['lasts'] * (length - 1)])}."} for length in [20] * (words // 20)]


WIDE = {
    "argument": {"argument": [{"says": written(140)}] * 3},
    "risks": {"basis": written(80)},
    "endpoints": {"rows": written(40)},
    "questions": {"ask": f"Why{' so' * 74}?"},
}


@pytest.mark.parametrize("part", WIDE)
async def test_the_report_proper_has_1200_words_at_most_wherever_a_model_spends_its_own(part: str) -> None:
    """All parts are as long as the prompt allows in number, and one of them has the words that are left."""
    wide, lengths = WIDE[part], list[int]()

    def writes_all(call: Call) -> str:
        bare = {"monitoring": "the pulse", "stop": "syncope", "source": "the target, by mice"}
        key = [
            risk(call, name=f"Harm {one}", basis=wide.get("basis", written(20)), **bare) for one in "abcdef"
        ]
        row = {name: value for name, value in key[0].items() if name not in ("reversibility", *bare)}
        rows = [
            row | {"name": f"Loss {one}", "source": "the target", "basis": wide.get("rows", written(20))}
            for one in "abcdefghij"[: 10 if "rows" in wide else 4]
        ]
        study = {"stage": "before the first dose", "study": "rat and dog", "guideline": "S7A", "answers": "a"}
        told = {
            "conclusion": "go with conditions",
            "argument": wide.get("argument", [{"says": written(60)}]),
            "risks": key,
            "endpoints": rows,
            "studies": [study] * 12,
            "questions": [{"question": wide.get("ask", "Why?"), "settled_by": "a trial"}] * 5,
        }
        lengths.append(Whole.model_validate(told).words)
        return "{}" if "This is your draft" in call.user else json.dumps(told)

    made = await assessed(ORDER, tools(model=ScriptedModel({"assess": writes_all})))
    assert 700 < lengths[0] <= 800
    shown = gated(KIND.report(made))
    tables = [one for section in proper(shown) for one in section.tables if not one.folded]
    assert {"Key risks", "Study plan"} <= {one.title for one in tables}
    assert len(words_of(shown)) <= 1200


def proper(shown: Report) -> list[Section]:
    return [one for one in shown.sections if not one.appendix]


def words_of(shown: Report) -> list[str]:
    """The words of the report proper as it is read, with title, headings and notes."""
    texts = [shown.title, shown.short, *shown.notes]
    for section in proper(shown):
        texts.append(section.title)
        for block in with_origins(section.blocks):
            if isinstance(block, Table):
                cells = (cell.text for row in block.rows for cell in row)
                texts += (block.title, *(() if block.folded else (*block.columns, *cells)))
            else:
                told = getattr(block, "statements", (block,))
                texts += (one.text for one in told if hasattr(one, "text"))
    return " ".join(texts).split()


async def test_mild_and_monitorable_harm_and_what_is_set_apart_stand_in_the_appendix() -> None:
    def further(call: Call) -> str:
        rows = [
            risk(call, name=name, severity=gravity, endpoint="skin")
            for name, gravity in (("Rash", "mild"), ("Burns", "serious"), ("Itch", "monitorable"))
        ]
        return whole(call, endpoints=rows)

    shown = KIND.report(await assessed(ORDER, tools(model=ScriptedModel({"assess": further}))))
    told = {one.title: (one.folded, [row[0].text[:5] for row in one.rows]) for one in tables_of(shown)}
    assert told["Further risks"] == (False, ["Burns"])
    assert told["Less grave risks"] == (True, ["Itch:", "Rash:"])
    assert told["Test species"][0]


def tables_of(shown: Report) -> list[Table]:
    return [table for one in shown.sections if not one.appendix for table in one.tables]


def test_what_most_medicines_bring_and_classes_of_mouse_phenotypes_are_weak_evidence() -> None:
    rated = Rated.model_validate(NEPHRITIS)
    classes = fact(Topic.PHENOTYPE, "MGI lists 7 classes: renal and others.", species="mouse", change="loss")
    lesion = fact(Topic.PHENOTYPE, "Mice have nephritis.", "nephritis", species="mouse", change="loss")
    shared = warned("Nephritis", SHARED_REACTION, value=0.001, shared=True)
    for one, strength in (
        (shared, Strength.MODERATE),
        (warned("Nephritis", CURATED), Strength.MODERATE),
        (shared.model_copy(update={"measure": EVERYWHERE}), Strength.WEAK),
        (shared.model_copy(update={"value": 0.04}), Strength.WEAK),
        (lesion, Strength.MODERATE),
        (classes, Strength.WEAK),
    ):
        given = material(one)
        assert strength_by(given.facts, rated, given) is strength
    given = material(shared, lesion)
    chemistry = rated.model_copy(update={"source": "sulfonylurea chemistry, as glinides lack it"})
    assert strength_by(given.facts, rated, given) is Strength.STRONG
    assert strength_by(given.facts, chemistry, given) is Strength.MODERATE


async def test_a_row_that_the_gate_would_empty_has_no_grade() -> None:
    """“B12” in the name of a risk stands in none of its lines, so that nothing may be shown under it."""

    def codes(call: Call) -> str:
        lost = [said(call, SLOW)]
        both = [*lost, {"text": TEXTBOOK}]
        return whole(
            call,
            risks=[
                risk(call),
                risk(call, name="Lack of B12", basis=lost),
                risk(call, name="A B6", basis=both),
            ],
        )

    shown = gated(KIND.report(await assessed(ORDER, tools(model=ScriptedModel({"assess": codes})))))
    assert [row[:2] for row in rows(shown, "summary")][1:] == [
        ["A B6: likely, serious; general knowledge (several medicines)", "none cited"]
    ]
    assert "–" not in everything(shown)


async def test_what_is_set_apart_stands_under_its_reason_or_not_at_all() -> None:
    def apart(call: Call) -> str:
        told = [
            said(call, STILL) | {"reason": "other patients"},
            said(call, SLOW, LISBON) | {"reason": "the disease"},
        ]
        return whole(call, risks=[risk(call, basis=[{"text": TEXTBOOK}])], apart=told)

    shown = KIND.report(await assessed(ORDER, tools(model=ScriptedModel({"assess": apart}))))
    assert rows(shown, "risks", 1) == [["Other patients", "Mice without ZORB1 show decreased heart rate."]]
    assert all(one.folded for one in section(shown, "risks").tables)


async def test_a_statement_that_lost_a_clause_still_carries_its_rating() -> None:
    def adds(call: Call) -> str:
        record = said(call, SLOW)
        return whole(
            call, risks=[risk(call, basis=[record | {"text": f"{record['text'].rstrip('.')}; 777 died."}])]
        )

    shown = KIND.report(await assessed(ORDER, tools(model=ScriptedModel({"assess": adds}))))
    (slow,) = rows(shown, "summary")
    assert slow[0] == "Slow heart: likely, serious; strong evidence (clinical)"
    assert SLOW in slow[1]
    assert "777" not in slow[1]


async def test_the_draft_is_read_again_with_what_code_found_and_only_what_changes_is_replaced() -> None:
    def again(call: Call) -> str:
        questions = [{"question": f"Is it {one}?", "settled_by": "a trial"} for one in ("a", "b", "c")]
        part = {"argument": [{"says": [said(call, STILL)]}], "questions": questions[:1]}
        return json.dumps(part) if "This is your draft" in call.user else whole(call, questions=questions)

    asked = ScriptedModel({"assess": again})
    shown = KIND.report(await assessed(ORDER, tools(model=asked)))
    told = [one.text for one in section(shown, "summary").statements]
    assert told == [
        "Mice without ZORB1 show decreased heart rate.",
    ]
    assert len(rows(shown, "questions", 1)) == 3  # one of three is no part as a whole
    assert rows(shown, "summary")[0][0].startswith("Slow heart")


def test_code_tells_what_a_draft_misses() -> None:
    box = warned("Osteoporosis", "boxed warning")
    cataract = warned("Cataract", SHARED_REACTION, change="activation")
    given = material(box, cataract, modality=Modality.ANTIBODY)
    draft = Whole.model_validate(
        {
            "argument": [
                {"says": [{"text": "It is so.", "keys": ["P99"]}, {"text": "Half of 30 mg/kg is toxic."}]}
            ],
            "risks": [NEPHRITIS],
            "endpoints": [
                {
                    "name": "ocular",
                    "endpoint": "ocular",
                    "source": "one molecule",
                    "likelihood": "possible",
                    "severity": "mild",
                    "known_from": "several medicines",
                    "under": "inhibition",
                    "basis": [{"text": "Cataract", "keys": ["P2"]}],
                }
            ],
            "studies": [
                {"stage": "before phase 3", "study": "hERG current", "guideline": "ICH S7B", "answers": "QT"}
            ],
        }
    )
    points = "\n".join(points_of(draft, given))
    assert "No record has the keys of “It is so.”" in points
    assert "“Half of 30 mg/kg is toxic.” names no line and holds a value." in points
    assert "ocular: all its lines speak for the other direction than inhibition." in points
    assert "Nephritis by IL6: a name holds no code (IL6), since its lines do not." in points
    assert "No study names the key risk “Nephritis by IL6” in what it answers." in points
    assert f"A warning or withdrawal is told neither as a risk nor apart: {box.text}" in points
    assert "Muscle and bone (Osteoporosis) is neither rated nor told apart." in points
    assert "A guideline leaves such medicines or patients out: ICH S7B, hERG current" in points


def test_what_an_expert_gave_is_told_also_where_a_model_passes_over_it() -> None:
    given = material(fact(Topic.GIVEN, "Hepatitis was seen in our dogs."))
    told = Told(given, Minded(Whole(), "Reader"), {})
    (block,) = (one for one in told.blocks("risks") if one.kind == "claims")
    assert [one.text for one in block.claims] == ["Hepatitis was seen in our dogs."]


def test_a_boxed_warning_that_a_model_passes_over_is_told_all_the_same() -> None:
    given = material(box := warned("Osteoporosis", "boxed warning"))
    told = Told(given, Minded(Whole(), "Reader"), {})
    assert [
        claim.text for block in told.blocks("summary") if block.kind == "claims" for claim in block.claims
    ] == [box.text]


async def test_a_model_that_fails_is_replaced_by_rules_and_the_report_says_so() -> None:
    rules = KIND.report(await assessed(ORDER))
    for silent in (ScriptedModel({}), ScriptedModel({"assess": lambda call: "{}"})):
        made = await assessed(ORDER, tools(model=silent))
        shown = KIND.report(made)
        assert shown.sections == rules.sections
        assert any("in the assessment" in note and "rules were used instead" in note for note in shown.notes)


async def test_a_check_that_fails_leaves_the_draft() -> None:
    def once(call: Call) -> str:
        return "no object" if "This is your draft" in call.user else whole(call)

    shown = KIND.report(await assessed(ORDER, tools(model=ScriptedModel({"assess": once}))))
    assert rows(shown, "summary")[0][0].startswith("Slow heart")
    assert any("rules were used instead" in note for note in shown.notes)


async def test_prompts_have_three_layers_and_their_hashes_are_in_the_ledger() -> None:
    ledger, asked = MemoryLedger(), model()
    await assessed(SafetyOrder("ZORB1", instructions="Name the dog first."), tools(model=asked), ledger)
    (record,) = await ledger.runs()
    draft = next(step for step in await ledger.steps(record.run_id) if step.name == "whole/draft")
    assert {"prompt/whole", "skill/safety-homology", "instructions/people"} <= {
        mark.split()[0] for mark in draft.fingerprints
    }
    assert "Name the dog first." in asked.calls[0].user
    assert "Name the dog first." not in asked.calls[0].system


async def test_a_finished_run_is_replayed_without_a_call() -> None:
    asked, ledger = model(), MemoryLedger()
    bound = tools(model=asked)
    first = await assessed(ORDER, bound, ledger)
    calls = len(asked.calls)
    (record,) = await ledger.runs()
    assert await assess(bound, Run(record, ledger), first.order) == first
    assert len(asked.calls) == calls


async def test_a_revision_asks_for_the_parts_of_its_section_with_the_rest_standing() -> None:
    before = KIND.report(await assessed(ORDER, tools(model=model())))

    def revised(call: Call) -> str:
        return json.dumps({"species": [said(call, "Mouse Zorb1")], "risks": [risk(call, name="Else")]})

    asked = ScriptedModel({"assess": revised})
    standing = tuple(section(before, one) for one in ("species", "summary"))
    order = replace(ORDER, section="species", wish="name the mouse", standing=standing)
    made: Assessment = await assessed(order, tools(model=asked))
    assert [part.id for part in made.parts] == ["species"]
    assert "Mouse Zorb1" in section(KIND.report(made), "species").opening
    (call,) = asked.calls
    assert "name the mouse" in call.user
    assert "Slow heart" in call.user
    assert "these parts anew" in call.user


async def test_a_run_that_is_stopped_before_the_model_answers_shows_what_rules_wrote() -> None:
    def stops(call: Call) -> str:
        raise RunStopped("asked to stop")

    record, ledger = new_run("safety", ORDER, "key"), MemoryLedger()
    await ledger.create(record)
    run = Run(record, ledger)
    with pytest.raises(RunStopped):
        await assess(tools(model=ScriptedModel({"assess": stops})), run, ORDER)
    left = await run.partial()
    assert [part.id for part in left.parts] == [one.id for one in SECTIONS]
    assert any("had not answered" in note for note in left.notes)


def test_a_mark_of_doubt_ends_no_sentence_of_a_cell() -> None:
    doubtful = Claim("Rats died", ("E1",), verdict=Verdict.PARTLY)
    cell = carried_cell([doubtful, Claim("Reviews agree.", ("E1",), verdict=Verdict.SUPPORTED)])
    assert cell.text == f"Rats died {Standing.PARTLY}. Reviews agree."
