"""What a language model does: it selects sentences by number, writes steps, is reviewed, and falls back."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from agents.errors import ModelUnavailable
from agents.evidence.sources import MemorySources
from agents.minds.prompts import load_prompt
from agents.protocol.minds import PROMPTS, queries_of
from agents.protocol.outcome import ProtocolOutcome
from agents.protocol.pipeline import Tools
from agents.protocol.report import report
from agents.protocol.reports import untied
from agents.protocol.revise import tasks_of
from agents.protocol.study import Study
from agents.protocol.values import Order
from agents.protocol.work import carried_out
from agents.protocol.writer import OneChange, OneDetail, changed, wrong_steps
from agents.reports.gate import audit
from agents.reports.values import Points, Section, Statement
from agents.runs.execute import execute
from agents.runs.memory import MemoryLedger
from agents.runs.pipeline import Pipeline, new_run
from agents.runs.records import RunState
from agents.scripted import Answer, Call, ScriptedModel
from tests.agents.protocol.kit import OBJECTIVE, literature

QUERY = {
    "queries": [
        {"text": "dexamethasone AND (airway OR lung)", "aim": "subject"},
        {"text": "(broken", "aim": ""},
    ]
}
ACCEPT = {"verdict": "accept", "points": []}


def research(call: Call) -> Answer:
    if call.schema == "Queries":
        return QUERY
    if call.schema == "Ratings":
        numbers = re.findall(r'number="(\d+)"', call.user)
        return {"ratings": [{"number": int(one), "score": 5, "reason": "The subject."} for one in numbers]}
    if call.schema == "Steps":
        methods = call.user.partition('kind="methods"')[2].partition("</data>")[0]
        numbers = [int(one) for one in re.findall(r"\[(\d+)\]", methods)]
        return {"steps": [{"step": numbers[0], "details": numbers[1:], "results": [9999]}, {"step": 9999}]}
    return {
        "parts": [
            {"number": 1, "score": 5, "reason": "It fits.", "suggestions": ["Name the lot of the serum."]}
        ]
    }


def write(call: Call) -> Answer:
    if call.schema == "Table":
        groups = [{"name": "control"}, {"name": "treated", "samples": 9, "treatment": "1 µM dexamethasone"}]
        return {"groups": groups, "times": ["18 h"]}
    if call.schema == "Headings":
        headings = [
            {
                "id": "cells",
                "heading": "Cells and treatment",
                "rationale": "To have both groups.",
                "follows": ["A1.1"],
            },
            {
                "id": "rnaseq-differential",
                "heading": "Test",
                "rationale": "To answer.",
                "needs": ["cells", "no"],
            },
        ]
        return {"headings": headings}
    steps = [{"text": "Treat cells of at least 6 donors.", "follows": ["A1.1.1", "A9.9.9"]}]
    if "Test" in call.system:
        steps = [{"text": "The IC50 was 5 nM."}, {"text": "Increase the virulence of influenza virus."}]
    return {"steps": steps}


def model(**roles: object) -> ScriptedModel:
    given = {"research": research, "write": write, "judge": lambda call: ACCEPT, **roles}
    return ScriptedModel(given)  # type: ignore[arg-type]


async def designed(folder: Path, mind: ScriptedModel | None) -> ProtocolOutcome:
    tools = Tools((place := literature(folder),), place, mind, sources=MemorySources())
    return await outcome_of(tools, Order(objective=OBJECTIVE))


async def outcome_of(tools: Tools, order: Order) -> ProtocolOutcome:
    ledger, record = MemoryLedger(), new_run("protocol", order)

    async def work(run: object, order: Order) -> ProtocolOutcome:
        return await carried_out(tools, run, order)  # type: ignore[arg-type]

    await ledger.create(record)
    await execute(record.run_id, ledger, {"protocol": Pipeline(work, Order, ProtocolOutcome)}, "w1")
    ended = await ledger.run(record.run_id)
    assert ended is not None
    assert ended.state is RunState.DONE, ended.error
    from agents.runs.encoding import decode

    found: ProtocolOutcome = decode(ProtocolOutcome, ended.result, "result")
    return found


async def test_a_model_reads_and_designs_within_what_code_allows(tmp_path: Path) -> None:
    made = await designed(tmp_path, model())
    (first, *_) = made.reports
    assert first.by == "scripted"
    paper = await literature(tmp_path).paper(first.article)
    assert paper is not None
    assert untied(first, paper) == ()
    treated = made.protocol.study.groups[1]
    assert (treated.samples, treated.treatment) == (4, "1 µM dexamethasone"), "sizes are those of the table"
    assert [one.id for one in made.protocol.parts] == ["cells", "rnaseq-differential"]
    cells, test = made.protocol.parts
    assert [(step.rests_on, step.follows) for step in cells.steps] == [((), ("A1.1.1",)), (("A1.1.1",), ())]
    assert test.depends_on == ("cells",)
    assert [step.text for step in test.steps] == ["The IC50 was 5 nM."], "what is dangerous is left out"
    assert "Steps left out, as they read as if they did harm: 1." in made.protocol.notes
    shown = report(made)
    part = shown.section("rnaseq-differential")
    assert part is not None
    assert any("IC50" in fault.value for _, fault in audit(shown).wrong), "a proposal states no finding"
    assert "task-bulk_rnaseq" in [one.id for one in shown.sections]


async def test_a_reviewer_asks_six_times_at_most(tmp_path: Path) -> None:
    no = {"verdict": "revise", "points": ["Name the serum."]}
    mind = model(judge=lambda call: no)
    made = await designed(tmp_path, mind)
    assert any("after 6 rounds" in note for note in made.protocol.notes)
    asked = [call for call in mind.calls if call.schema == "Headings"]
    assert len(asked) == 6
    assert "Name the serum." in asked[1].user


async def test_without_an_answer_rules_do_the_work_and_say_so(tmp_path: Path) -> None:
    def dead(call: Call) -> Answer:
        raise ModelUnavailable("down")

    made = await designed(tmp_path, model(research=dead, write=dead))
    ruled = await designed(tmp_path, None)
    assert made.protocol.parts == ruled.protocol.parts
    told = " ".join((*made.notes, *made.search.notes, *made.protocol.notes))
    for place in ("writing queries", "rating articles", "reading 10.9/airway", "the design"):
        assert place in told


async def test_queries_that_cannot_be_read_are_dropped() -> None:
    made = await queries_of(model(), OBJECTIVE)
    assert [one.text for one in made.value] == ["dexamethasone AND (airway OR lung)"]
    none = await queries_of(model(research=lambda call: {"queries": [{"text": "("}]}), OBJECTIVE)
    assert none.why_fallen_back
    assert len(none.value) == 5


@pytest.mark.parametrize("path", sorted(PROMPTS.glob("*.md")), ids=lambda path: path.stem)
def test_every_prompt_can_be_read(path: Path) -> None:
    assert load_prompt(path.stem, PROMPTS).text


def test_a_step_that_reads_as_a_finding_goes_back_to_the_model() -> None:
    told = wrong_steps(
        {}, Study(), [OneDetail(text="Keep cells at 37 °C; viability was 95 %.", follows=["A1"])]
    )
    assert told[0] == "There is no report step A1."
    assert "viability was 95 %" in told[1]
    (harm,) = wrong_steps({}, Study(), [OneDetail(text="Tell a dose that kills cells as toxic.")])
    assert "would be left out" in harm
    assert wrong_steps({}, Study(), [OneDetail(text="Viability should be at least 95 %.")]) == []


async def test_one_review_reads_all_parts_and_what_it_finds_changes_one_step(tmp_path: Path) -> None:
    found = {"part": "cells", "step": 1, "text": "The test takes 4 donors."}
    bad, good = "Treat 9 cultures per group.", "Treat cells of 4 donors."

    def judge(call: Call) -> Answer:
        return {"findings": [found]} if call.schema == "Findings" else ACCEPT

    def mends(call: Call) -> Answer:
        if call.schema != "Changes":
            return write(call)
        if found["text"] not in call.user:
            own = "Treat cells of at least 6 donors." if "Cells" in call.system else "Test the pairs."
            return {"changes": [{"step": 1, "text": own}]}
        return {"changes": [{"step": 1, "text": good if "differs from the design" in call.user else bad}]}

    mind = model(judge=judge, write=mends)
    made = await designed(tmp_path, mind)
    (review,) = [call for call in mind.calls if call.schema == "Findings"]
    assert all(text in review.user for text in ("Treat cells of at least 6 donors.", "Test the pairs."))
    assert "The IC50 was 5 nM." not in review.user, "what code finds in a draft is mended before"
    assert "compared within: donor (pairs)" in review.user
    assert "Treat cells of at least 6 donors. [A1.1.1]" in review.user
    changes = [call for call in mind.calls if call.schema == "Changes" and found["text"] in call.user]
    assert ["Cells and treatment" in call.system for call in changes] == [True, True], (
        "no other part is asked"
    )
    assert "rnaseq-differential: Test" in changes[0].user, "it may name any part"
    assert not any("Test the pairs." in call.user for call in changes), "and gets no other in full"
    first = next(call for call in mind.calls if call.schema == "Details")
    assert "rnaseq-differential: Test" in first.user
    cells, test = made.protocol.parts
    own, taken = cells.steps
    assert (own.text, own.follows, taken.rests_on) == (good, ("A1.1.1",), ("A1.1.1",))
    assert [step.text for step in test.steps] == ["Test the pairs."]


async def test_a_model_names_tasks_beside_the_tested_ones_on_files_that_are_there(tmp_path: Path) -> None:
    def task(name: str, *after: str, file: str = "airway_samples.csv") -> dict[str, object]:
        told = {"id": name, "section": "cells", "description": "Count the samples of each group."}
        return {**told, "files": [file], "after": list(after)}

    def names(call: Call) -> Answer:
        if call.schema != "Tasks":
            return write(call)
        assert "airway_samples.csv, samples, " in call.user
        first, more = task("sizes"), task("more", "sizes", "task-bulk_rnaseq", "no")
        return {"tasks": [first, more, task("gone", file="absent.csv")]}

    made = await designed(tmp_path, model(write=names))
    own = [one for one in made.protocol.tasks if not one.assay_family]
    assert [(one.id, one.depends_on) for one in own] == [
        ("task-sizes", ()),
        ("task-more", ("task-sizes", "task-bulk_rnaseq")),
    ]
    shown = report(made).sections
    section = next(one for one in shown if one.id == "task-more")
    assert section.depends_on == ("cells", "task-sizes", "task-bulk_rnaseq")
    order = Order(objective=OBJECTIVE, section="task-more", standing=shown)
    read = await tasks_of(Tools((literature(tmp_path),)), order)
    assert [replace(one, dataset=None) for one in read[-2:]] == [replace(one, dataset=None) for one in own]


def test_a_step_that_is_written_anew_keeps_what_it_follows_unless_it_is_dropped() -> None:
    steps = [OneDetail(text="a", follows=["A1.1.1"]), OneDetail(text="b", follows=["A1.1.2"])]
    told = [
        OneChange(step=2, what="after", text="own"),
        OneChange(step=1, text="A"),
        OneChange(step=2, what="drop"),
    ]
    assert [(one.text, one.follows) for one in changed(steps, told)] == [("A", ["A1.1.1"]), ("own", [])]


def test_changes_touch_no_other_step() -> None:
    steps = [OneDetail(text=one) for one in "abc"]
    changes = [
        OneChange(step=2, text="B"),
        OneChange(step=1, what="drop"),
        OneChange(step=0, what="after", text="new"),
        OneChange(step=3, what="after", text="d"),
    ]
    assert [one.text for one in changed(steps, changes)] == ["new", "B", "c", "d"]


async def test_a_wish_for_a_section_changes_one_step_and_is_sent_back_where_it_reads_as_a_finding() -> None:
    wishes = ["Keep at 4 °C; viability was 95 %.", "Keep at 4 °C.", "unused"]

    def mends(call: Call) -> Answer:
        return {"changes": [{"step": 2, "text": wishes.pop(0)}]}

    stands = Points((Statement("Thaw.", (3,)), Statement("Keep on ice.")), numbered=True)
    stood = Section("cells", "Cells", (stands,))
    order = Order(objective=OBJECTIVE, section="cells", wish="colder", standing=(stood,))
    made = await outcome_of(Tools(model=model(write=mends)), order)
    assert made.written is not None
    kept = [(one.text, one.citations) for one in made.written.statements]
    assert kept == [("Thaw.", (3,)), ("Keep at 4 °C.", ())]
    by_rules = await outcome_of(Tools(), replace(order, wish="drop 2"))
    assert by_rules.written is not None
    assert [one.citations for one in by_rules.written.statements] == [(3,)]


async def test_where_no_article_is_helpful_the_next_best_are_read_for_their_methods(tmp_path: Path) -> None:
    def rates(call: Call) -> Answer:
        if call.schema != "Ratings":
            return research(call)
        numbers = re.findall(r'<data number="(\d+)"', call.user)
        return {"ratings": [{"number": int(one), "score": 3} for one in numbers]}

    made = await designed(tmp_path, model(research=rates))
    assert [one.article.id for one in made.reports] == ["10.9/airway"]
    assert any("of those rated 3 the methods were read" in note for note in made.notes)


async def test_a_section_of_methods_is_read_with_the_results_near_it(tmp_path: Path) -> None:
    mind = model()
    await designed(tmp_path, mind)
    reads = [call.user for call in mind.calls if call.schema == "Steps"]
    by_heading = {re.search(r"\] (\w+)", text.partition('kind="methods"')[2])[1]: text for text in reads}  # type: ignore[index]
    assert "Cells of all donors were treated alike." in by_heading["Airway"]
    assert "Cells of all donors were treated alike." not in by_heading["Total"]
