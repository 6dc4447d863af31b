"""What a language model does: it selects sentences by number, writes steps, is reviewed, and falls back."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

from agents.errors import ModelUnavailable
from agents.minds.prompts import load_prompt
from agents.protocol.decide import Table, planned, wrong_study
from agents.protocol.minds import PROMPTS, queries_of
from agents.protocol.outcome import ProtocolOutcome
from agents.protocol.pipeline import Tools
from agents.protocol.power import POWER
from agents.protocol.report import report
from agents.protocol.reports import untied
from agents.protocol.revise import tasks_of
from agents.protocol.search import kept_articles
from agents.protocol.study import Group, Study, differences, study_in, study_section
from agents.protocol.values import Article, Objective, Order, Rated, Search
from agents.protocol.whose import origin_of
from agents.protocol.work import carried_out
from agents.protocol.writer import (
    READINGS,
    Changes,
    OneChange,
    OneDetail,
    OnePart,
    Whole,
    changed,
    rearranged,
    wrong_steps,
)
from agents.reports.gate import audit
from agents.reports.values import Points, Section, Statement
from agents.runs.execute import execute
from agents.runs.pipeline import Pipeline, new_run
from agents.runs.records import RunState
from agents.scripted import Answer, Call, ScriptedModel
from tests.agents.protocol.kit import ABSTRACT, OBJECTIVE, literature
from tests.support.memory.ledger import MemoryLedger
from tests.support.memory.sources import MemorySources

QUERY = {
    "queries": [
        {"text": "dexamethasone AND (airway OR lung)", "aim": "subject"},
        {"text": "(broken", "aim": ""},
    ]
}


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


def whole(*tasks: dict[str, object]) -> dict[str, object]:
    groups = [{"name": "control"}, {"name": "treated", "samples": 9, "treatment": "1 µM dexamethasone"}]
    treat = {"text": "Treat cells of at least 6 donors.", "follows": ["A1.1.1", "A9.9.9"]}
    cells = {
        "id": "cells",
        "heading": "Cells and treatment",
        "rationale": "To have both groups.",
        "steps": [treat],
    }
    wrong = [{"text": "The IC50 was 5 nM."}, {"text": "Increase the virulence of influenza virus."}]
    test = {"id": "rnaseq-differential", "heading": "Test", "needs": ["cells", "no"], "steps": wrong}
    return {
        "table": {"groups": groups, "column": "dex", "times": ["18 h"]},
        "parts": [cells, test],
        "tasks": list(tasks),
    }


def write(call: Call) -> Answer:
    return whole() if call.schema == "Whole" else {"changes": []}


CITED = {"part": "cells", "step": 1, "cites": "A1.1.1"}


def judge(call: Call) -> Answer:
    return {"citations": [{**CITED, "gives": "four donors"}]}


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
    assert [one.section for one in made.protocol.tasks] == ["rnaseq-differential"] * 2
    assert "Steps left out, as they read as if they did harm: 1." in made.protocol.notes
    shown = report(made)
    part = shown.section("rnaseq-differential")
    assert part is not None
    assert any("IC50" in fault.value for _, fault in audit(shown).wrong), "a proposal states no finding"
    assert "task-bulk_rnaseq" in [one.id for one in shown.sections]


async def test_all_is_written_in_one_answer_over_what_was_found_and_code_sends_mends_back(
    tmp_path: Path,
) -> None:
    mind = model()
    made = await designed(tmp_path, mind)
    (asked,) = [call.user for call in mind.calls if call.schema == "Whole"]
    for shown in (
        ABSTRACT,
        "[A1.1.1] Airway smooth muscle cells of four donors were cultured",
        "Suggestion: Name the lot of the serum.",
        "airway_samples.csv, samples, ",
        "compared within: donor (pairs)",
        "task-bulk_rnaseq: ",
        "a difference of 1 SD: 17 a group, or 10 pairs",
    ):
        assert shown in asked
    changes = [call for call in mind.calls if call.schema == "Changes"]
    assert len(changes) == READINGS, "a mend that changes nothing ends, and the next reading says it again"
    assert all("“The IC50 was 5 nM.” reads as a finding" in call.user for call in changes)
    assert not any("left open" in note for note in made.protocol.notes)
    bad = {"changes": [{"part": "cells", "step": 7, "what": "drop"}]}
    mind = model(write=lambda call: bad if call.schema == "Changes" else whole())
    made = await designed(tmp_path, mind)
    assert any("left open: There is no step 7 of cells." in note for note in made.protocol.notes)
    first, second, *_ = [call.user for call in mind.calls if call.schema == "Changes"]
    assert "There is no step 7 of cells." not in first
    assert "There is no step 7 of cells." in second
    assert "Treat cells of at least 6" in second, "it is shown with its steps"
    assert "The IC50 was 5 nM." not in second, "others by their headings"
    assert "Test. " in second


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
    (told,) = wrong_steps(Study(), [OneDetail(text="Keep cells at 37 °C; viability was 95 %.")])
    assert "viability was 95 %" in told
    (harm,) = wrong_steps(Study(), [OneDetail(text="Tell a dose that kills cells as toxic.")])
    assert "would be left out" in harm
    assert wrong_steps(Study(), [OneDetail(text="Viability should be at least 95 %.")]) == []


async def test_a_reading_of_the_whole_changes_the_steps_and_the_table_that_it_names(tmp_path: Path) -> None:
    text = "The test takes 4 donors."
    found = [{"part": "cells", "step": 1, "text": text}, {"part": "table", "step": 0, "text": "No control."}]
    bad, good = "Viability of all 4 was 95 %.", "Treat cells of 4 donors. [A1.1.1]"

    def judge(call: Call) -> Answer:
        cites = [{**CITED, "gives": "four donors"}, {**CITED, "step": 2, "gives": "no step"}]
        return {"findings": [] if good in call.user else found, "citations": cites}

    def mends(call: Call) -> Answer:
        if call.schema != "Changes":
            return write(call)
        own = good if f"“{bad}” reads" in call.user else bad
        far = [] if "There is no step 7" in call.user else [{"part": "cells", "step": 7, "what": "drop"}]
        test = {"part": "rnaseq-differential", "step": 1, "text": "Test the pairs."}
        harm = {"part": "rnaseq-differential", "step": 2, "what": "drop"}
        groups = [{"name": "control"}, {"name": "treated", "samples": 50}]
        table = {"groups": groups, "column": "dex", "controls": ["vehicle alone"]}
        return {"table": table, "changes": [{"part": "cells", "step": 1, "text": own}, test, harm, *far]}

    mind = model(judge=judge, write=mends)
    made = await designed(tmp_path, mind)
    first, second = (call.user for call in mind.calls if call.schema == "Reading")
    assert "1. Treat cells of at least 6 donors. [A1.1.1]" in first
    assert "Airway smooth muscle cells of four donors were cultured" in first
    assert "No step speaks of the requirement “pathway analysis”" in first, "it is told what rules found"
    assert "Airway smooth muscle cells of four donors" not in second, "citations are looked at once"
    assert all(one in second for one in (good, "Test the pairs.", "control 1: vehicle alone"))
    changes = [call.user for call in mind.calls if call.schema == "Changes"]
    assert len(changes) == 2, "what code finds in a change goes back"
    assert f"cells, step 1: {text}" in changes[0]
    assert "table, step 0: No control." in changes[0]
    assert "“Increase the virulence of influenza virus.” would be left out" in changes[0]
    cells, test = made.protocol.parts
    (own,) = cells.steps
    assert (own.text, own.follows) == ("Treat cells of 4 donors.", ("A1.1.1",)), "code keeps the ids"
    assert [step.text for step in test.steps] == ["Test the pairs."]
    study = made.protocol.study
    assert study.controls == ("vehicle alone",)
    assert [one.samples for one in study.groups] == [4, 4], "groups are those of the table at hand"


@pytest.mark.parametrize(("gives", "kept"), [("four donors", ("A1.1.1",)), (" ", ())])
async def test_a_citation_stays_where_the_reader_says_what_it_gives(
    tmp_path: Path, gives: str, kept: tuple[str, ...]
) -> None:
    made = await designed(tmp_path, model(judge=lambda call: {"citations": [{**CITED, "gives": gives}]}))
    assert made.protocol.parts[0].steps[0].follows == kept


async def test_where_nobody_reads_it_the_protocol_stands_and_says_so(tmp_path: Path) -> None:
    def dead(call: Call) -> Answer:
        raise ModelUnavailable("down")

    made = await designed(tmp_path, model(judge=dead))
    assert [one.id for one in made.protocol.parts] == ["cells", "rnaseq-differential"]
    assert any("review of the protocol ended early" in note for note in made.protocol.notes)


def test_no_two_parts_have_one_id_and_none_that_of_a_task() -> None:
    for name in ("cells", "task-cells", "table"):
        given = whole()
        given["parts"][1]["id"] = name  # type: ignore[index]
        with pytest.raises(ValidationError, match="an id of its own"):
            Whole.model_validate(given)


async def test_a_model_names_tasks_beside_the_tested_ones_on_files_that_are_there(tmp_path: Path) -> None:
    def task(name: str, *after: str, file: str = "airway_samples.csv") -> dict[str, object]:
        told = {"id": name, "section": "cells", "description": "Count the samples of each group."}
        return {**told, "files": [file], "after": list(after)}

    def names(call: Call) -> Answer:
        if call.schema != "Whole":
            return {"changes": [{"part": "task-more", "step": 1, "text": "Count the samples of each donor."}]}
        first, more = task("sizes"), task("more", "sizes", "task-bulk_rnaseq", "no")
        tested = {"id": "task-bulk_rnaseq", "section": "cells"}
        return whole(first, more, task("gone", file="absent.csv"), tested)

    made = await designed(tmp_path, model(write=names))
    own = [one for one in made.protocol.tasks if not one.assay_family]
    assert [(one.id, one.depends_on) for one in own] == [
        ("task-sizes", ()),
        ("task-more", ("task-sizes", "task-bulk_rnaseq")),
    ]
    assert own[1].description == "Count the samples of each donor.", "a task is read and mended like a step"
    assert {one.id: one.section for one in made.protocol.tasks}["task-bulk_rnaseq"] == "cells"
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


async def test_a_section_of_methods_is_read_by_the_model_and_its_results_by_rules(tmp_path: Path) -> None:
    mind = model()
    made = await designed(tmp_path, mind)
    reads = [call.user for call in mind.calls if call.schema == "Steps"]
    assert reads
    assert not any("Cells of all donors were treated alike." in one for one in reads)
    told = [
        one for report in made.reports for part in report.parts for step in part.steps for one in step.results
    ]
    assert "Cells of all donors were treated alike." in told


def test_a_mend_moves_parts_and_sets_what_they_need_and_knows_no_other_ids() -> None:
    steps = [OneDetail(text="Seed. [A1.1.1, A1.1.2]", follows=["A1.1.1"]), OneDetail(text="Wait 5 min.")]
    parts = [OnePart(id="a", heading="A", steps=steps), OnePart(id="b", heading="B", steps=steps[1:])]
    anew = OnePart(id="a", heading="Cells", needs=["b"], steps=[])
    made = rearranged(parts, Changes(parts=[anew], order=["b", "a"]))
    assert [(one.id, one.heading, one.needs) for one in made] == [("b", "B", []), ("a", "Cells", ["b"])]
    assert [one.text for one in made[1].steps] == ["Seed.", "Wait 5 min."]
    whole = anew.model_copy(update={"steps": [OneDetail(text="Thaw.", follows=["A1.1.1", "A7.7.7"])]})
    (first, _) = rearranged(parts, Changes(parts=[whole], order=["b"]))
    assert (first.id, first.steps[0].follows) == ("a", ["A1.1.1"]), "an order that leaves parts out is none"


def test_a_text_tells_sizes_of_another_experiment_beside_a_table_at_hand() -> None:
    groups = (Group("control", 4), Group("treated", 3))
    text = "Validate in 6 cultures per group by a paired t-test."
    assert len(list(differences(Study(groups), text))) == 2
    assert list(differences(Study(groups, column="dex"), text)) == []


def test_what_adjusts_the_groups_stands_once_in_the_model() -> None:
    assert Study((), "type", adjusted=("type", "age")).model == "~ type + group + age"


CRITERION = {"endpoint": "protein", "test": "t", "supports": "lower", "otherwise": "not", "effect": 1.0}


def small(samples: int, control: str) -> Table:
    groups = [{"name": one, "samples": samples} for one in ("vehicle", "treated")]
    return Table.model_validate({"groups": groups, "verdict": [CRITERION], "controls": [control]})


def test_a_design_that_is_too_small_for_its_verdict_is_told_how_many_it_takes() -> None:
    aim = "vehicle alone, should show that TGF-beta induces fibronectin"
    few, enough = (planned(small(samples, aim), OBJECTIVE, (), "model") for samples in (6, 17))
    assert "17 give 0.8" in next(iter(wrong_study(few, ())))
    assert wrong_study(enough, ()) == []
    assert enough.power(17) >= POWER
    told = planned(small(17, "vehicle alone, the IC50 was 5 nM"), OBJECTIVE, (), "model")
    assert "reads as a finding" in next(iter(wrong_study(told, ())))
    assert wrong_study(replace(enough, column="dex"), ()) == ["No table at hand has a column dex."]


async def test_of_a_table_at_hand_sizes_and_pairs_are_facts_and_groups_its_values(tmp_path: Path) -> None:
    every = await literature(tmp_path).at_hand()
    datasets = [replace(one, usable=True) for one in every]

    def study(*names: str) -> Study:
        groups = [{"name": one, "samples": 50, "treatment": f"{one} cells"} for one in names]
        table = Table.model_validate({"groups": groups, "column": "dex"})
        return planned(table, OBJECTIVE, datasets, "model")

    treated = study("treated", "control")
    assert [(one.name, one.samples, one.treatment) for one in treated.groups] == [
        ("treated", 4, "treated cells"),
        ("control", 4, "control cells"),
    ]
    assert (treated.within, treated.paired, len(treated.names)) == ("donor", True, 8)
    assert wrong_study(treated, datasets) == []
    wrong = wrong_study(study("vehicle", "treated"), datasets)
    assert wrong == ["The column dex has no value vehicle, but control, treated."]
    assert study().groups == ()


async def test_a_wish_for_the_design_table_changes_it_with_the_parts_in_view() -> None:
    def mends(call: Call) -> Answer:
        assert "Thaw on ice." in call.user
        return {"table": small(20, "blank").model_dump()} if "more animals" in call.user else {}

    cells = Section("cells", "Cells", (Points((Statement("Thaw on ice."),)),))
    stood = study_section(planned(small(17, "blank"), OBJECTIVE, (), "model"))
    order = Order(objective=Objective("Does the drug lower the protein?"), standing=(stood, cells))
    order = replace(order, section="study", wish="more animals")
    made = await outcome_of(Tools(model=model(write=mends)), order)
    assert made.written is not None
    study = study_in(made.written)
    assert study is not None
    assert [one.samples for one in study.groups] == [20, 20]
    fresh = await outcome_of(Tools(model=model(write=mends)), replace(order, wish=""))
    assert study_in(fresh.written) == study_in(stood)
