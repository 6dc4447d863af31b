"""What a language model does: it selects sentences by number, writes steps, is reviewed, and falls back."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from agents.errors import ModelUnavailable
from agents.minds.prompts import load_prompt
from agents.protocol.decide import decided
from agents.protocol.minds import PROMPTS, queries_of
from agents.protocol.outcome import ProtocolOutcome
from agents.protocol.pipeline import Tools
from agents.protocol.power import POWER
from agents.protocol.report import report
from agents.protocol.reports import untied
from agents.protocol.revise import tasks_of
from agents.protocol.search import kept_articles
from agents.protocol.study import Criterion, Study
from agents.protocol.values import Article, Objective, Order, Rated, Search
from agents.protocol.whose import origin_of
from agents.protocol.work import carried_out
from agents.protocol.writer import Headings, OneChange, OneDetail, changed, unnamed, wrong_plan, wrong_steps
from agents.reports.gate import audit
from agents.reports.values import Points, Section, Statement
from agents.runs.execute import execute
from agents.runs.pipeline import Pipeline, new_run
from agents.runs.records import RunState
from agents.scripted import Answer, Call, ScriptedModel
from tests.agents.protocol.kit import OBJECTIVE, literature
from tests.support.memory.ledger import MemoryLedger
from tests.support.memory.sources import MemorySources

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


def judge(call: Call) -> Answer:
    if call.schema != "Citations":
        return ACCEPT
    return {"citations": [{"part": "cells", "step": 1, "cites": "A1.1.1", "gives": "four donors"}]}


def model(**roles: object) -> ScriptedModel:
    given = {"research": research, "write": write, "judge": judge, **roles}
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
    assert [(step.rests_on, step.follows) for step in cells.steps] == [((), ("A1.1.1",))]
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


async def test_reviews_read_all_parts_until_they_find_nothing_and_change_the_steps_that_they_name(
    tmp_path: Path,
) -> None:
    text = "The test takes 4 donors."
    found = [{"part": "cells", "step": 1, "text": text}, {"part": "gone", "step": 1, "text": "Nowhere."}]
    bad, good = "Treat 9 cultures per group.", "Treat cells of 4 donors."

    def judge(call: Call) -> Answer:
        if call.schema == "Citations":
            cites = {"part": "cells", "step": 1, "cites": "A1.1.1"}
            return {
                "citations": [{**cites, "gives": "four donors"}, {**cites, "step": 2, "gives": "no step"}]
            }
        if call.schema != "Findings":
            return ACCEPT
        return {"findings": [] if good in call.user else found}

    def mends(call: Call) -> Answer:
        if call.schema == "Headings":
            return {**write(call), "settled": ["4 donors, one culture of each in each group"]}  # type: ignore[dict-item]
        if call.schema != "Changes":
            return write(call)
        own = good if "differs from the design" in call.user else bad
        far = [] if "There is no step 7" in call.user else [{"part": "cells", "step": 7, "what": "drop"}]
        test = {"part": "rnaseq-differential", "step": 1, "text": "Test the pairs."}
        harm = {"part": "rnaseq-differential", "step": 2, "what": "drop"}
        return {"changes": [{"part": "cells", "step": 1, "text": own}, test, harm, *far]}

    mind = model(judge=judge, write=mends)
    made = await designed(tmp_path, mind)
    first, second = (call.user for call in mind.calls if call.schema == "Findings")
    assert "Treat cells of at least 6 donors. [A1.1.1]" in first
    assert "compared within: donor (pairs)" in first
    assert "reads as a finding" not in first
    assert all(one in second for one in (good, "Test the pairs."))
    details = [call.user for call in mind.calls if call.schema == "Details"]
    assert all("rnaseq-differential: Test" in one for one in details)
    assert all("one culture of each in each group" in one for one in details), "what is settled holds for all"
    changes = [call.user for call in mind.calls if call.schema == "Changes"]
    assert len(changes) == 2, "what code finds in a change goes back"
    assert all(f"cells, step 1: {text}" in one and "Nowhere." not in one for one in changes)
    assert "“The IC50 was 5 nM.” reads as a finding" in changes[0]
    assert "“Increase the virulence of influenza virus.” would be left out" in changes[0]
    cells, test = made.protocol.parts
    (own,) = cells.steps
    assert (own.text, own.follows) == (good, ("A1.1.1",))
    assert [step.text for step in test.steps] == ["Test the pairs."]


@pytest.mark.parametrize(("gives", "kept"), [("four donors", ("A1.1.1",)), (" ", ())])
async def test_a_citation_stays_where_the_reviewer_says_what_it_gives(
    tmp_path: Path, gives: str, kept: tuple[str, ...]
) -> None:
    def judge(call: Call) -> Answer:
        if call.schema != "Citations":
            return {"findings": []} if call.schema == "Findings" else ACCEPT
        assert "Airway smooth muscle cells of four donors were cultured" in call.user
        assert "[A1.1.1]" in call.user
        return {"citations": [{"part": "cells", "step": 1, "cites": "A1.1.1", "gives": gives}]}

    made = await designed(tmp_path, model(judge=judge))
    assert made.protocol.parts[0].steps[0].follows == kept


def plan(uses: list[dict[str, object]], **heading: list[int]) -> Headings:
    names = ({"id": one, "heading": one, "rationale": ""} for one in ("culture", "assay"))
    item = {"name": "lysate L1", "unit": "µl", "part": "culture", "amount": 60, "uses": uses}
    first, second = names
    return Headings.model_validate({"headings": [first, {**second, **heading}], "items": [item]})


def test_code_holds_a_plan_together() -> None:
    study = Study(verdict=(Criterion("protein, ng/ml", "paired t", "", ""),), controls=("blank", "vehicle"))
    good = plan([{"part": "assay", "amount": 50}], measures=[1], controls=[1, 2])
    assert wrong_plan(study, good) == []
    missing = wrong_plan(study, plan([{"part": "assay", "amount": 50}], controls=[1]))
    assert [one.partition(" of ")[0] for one in missing] == [
        "No part has criterion 1",
        "No part has control 2",
    ]
    study = Study()
    (little,) = wrong_plan(study, plan([{"part": "assay", "amount": 40}, {"part": "assay", "amount": 30}]))
    assert "70 are taken" in little
    for name, unit in (("batch plan", "list"), ("list of samples", "document"), ("settings", "piece")):
        twice = plan([{"part": "assay", "amount": 40}, {"part": "assay", "amount": 30}])
        twice.items[0].name, twice.items[0].unit = name, unit
        assert wrong_plan(study, twice) == []
    (nobody,) = wrong_plan(study, plan([]))
    assert "made for nobody" in nobody
    (none,) = wrong_plan(study, plan([{"part": "gel", "amount": 1}]))
    assert "or one is no part" in none
    early = plan([{"part": "culture", "amount": 1}])
    early.items[0].part = "assay"
    (late,) = wrong_plan(study, early)
    assert "comes before" in late


def test_a_part_names_each_item_that_it_makes_or_takes() -> None:
    items = plan([{"part": "assay", "amount": 50}]).items
    assert list(unnamed(items, "assay", [OneDetail(text="Load 50 µl of Lysate L1.")])) == []
    (told,) = unnamed(items, "assay", [OneDetail(text="Load 50 µl.")])
    assert "No step names “lysate L1”" in told
    assert list(unnamed(items, "other", [])) == []


async def test_a_review_is_told_what_rules_found_and_ends_after_three_times(tmp_path: Path) -> None:
    def judge(call: Call) -> Answer:
        if call.schema != "Findings":
            return ACCEPT
        assert "No step speaks of the requirement “pathway analysis”" in call.user
        return {"findings": [{"part": "cells", "text": "Name the medium."}]}

    def mends(call: Call) -> Answer:
        if call.schema != "Changes":
            return write(call)
        return {"changes": [{"part": "cells", "step": 1, "text": "Use medium with 10 % serum."}]}

    mind = model(judge=judge, write=mends)
    await designed(tmp_path, mind)
    assert len([call for call in mind.calls if call.schema == "Findings"]) == 3


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
    assert next(section.statements).origin == origin_of("model"), "the rules did not name it"
    assert section.depends_on == ("cells", "task-sizes", "task-bulk_rnaseq")
    order = Order(objective=OBJECTIVE, section="task-more", standing=shown)
    read = await tasks_of(Tools((literature(tmp_path),)), order)
    assert [replace(one, dataset=None) for one in read[-2:]] == [replace(one, dataset=None) for one in own]


def test_a_step_that_is_written_anew_keeps_what_it_follows_unless_it_is_dropped() -> None:
    steps = [OneDetail(text="a", follows=["A1.1.1"]), OneDetail(text="b", follows=["A1.1.2"])]
    told = [
        OneChange(part="", step=2, what="after", text="own"),
        OneChange(part="", step=1, text="A"),
        OneChange(part="", step=2, what="drop"),
    ]
    assert [(one.text, one.follows) for one in changed(steps, told)] == [("A", ["A1.1.1"]), ("own", [])]


def test_changes_touch_no_other_step() -> None:
    steps = [OneDetail(text=one) for one in "abc"]
    changes = [
        OneChange(part="", step=2, text="B"),
        OneChange(part="", step=1, what="drop"),
        OneChange(part="", step=0, what="after", text="new"),
        OneChange(part="", step=3, what="after", text="d"),
    ]
    assert [one.text for one in changed(steps, changes)] == ["new", "B", "c", "d"]


async def test_a_wish_for_a_section_changes_one_step_and_is_sent_back_where_it_reads_as_a_finding() -> None:
    wishes = ["Keep at 4 °C; viability was 95 %.", "Keep at 4 °C.", "unused"]

    def mends(call: Call) -> Answer:
        return {"changes": [{"part": "cells", "step": 2, "text": wishes.pop(0)}]}

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


def test_beside_helpful_abstracts_the_methods_of_the_next_best_are_read() -> None:
    abstract = Rated(Article("1", "Abstract alone"), 5)
    rest = [Rated(Article(f"{n}", "Methods", full_text=True), 3) for n in range(2, 7)]
    kept = kept_articles(Search(rated=(abstract, *rest)))
    assert [one.article.id for one in kept] == ["1", "2", "3", "4"]
    whole = Rated(Article("9", "Whole", full_text=True), 4)
    assert kept_articles(Search(rated=(abstract, whole, *rest))) == (abstract, whole)


async def test_a_section_of_methods_is_read_with_the_results_near_it(tmp_path: Path) -> None:
    mind = model()
    await designed(tmp_path, mind)
    reads = [call.user for call in mind.calls if call.schema == "Steps"]
    by_heading = {re.search(r"\] (\w+)", text.partition('kind="methods"')[2])[1]: text for text in reads}  # type: ignore[index]
    assert "Cells of all donors were treated alike." in by_heading["Airway"]
    assert "Cells of all donors were treated alike." not in by_heading["Total"]


async def test_a_design_that_is_too_small_for_its_verdict_goes_back() -> None:
    def decides(call: Call) -> Answer:
        samples = 17 if "17 give 0.8" in call.user else 6
        groups = [{"name": one, "samples": samples} for one in ("vehicle", "treated")]
        told = {"endpoint": "protein", "test": "t", "supports": "lower", "otherwise": "not"}
        criterion = {**told, "effect": 1.0}
        aim = "should show" if "reads as a finding" in call.user else "shows"
        control = f"vehicle alone, {aim} that TGF-beta induces fibronectin"
        return {"groups": groups, "verdict": [criterion], "controls": [control]}

    made = await decided(model(write=decides), Objective("Does the drug lower the protein?"), ())
    assert [one.samples for one in made.value.groups] == [17, 17]
    assert made.value.power(17) >= POWER
    assert made.value.controls == ("vehicle alone, should show that TGF-beta induces fibronectin",)
