"""What a language model does: it selects sentences by number, writes steps, is reviewed, and falls back."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from agents.chemistry.wording import Wording
from agents.errors import ModelUnavailable
from agents.minds.prompts import load_prompt
from agents.protocol.markdown import blocks_of, edited, markdown_of, parts_in, text_in
from agents.protocol.minds import PROMPTS, queries_of
from agents.protocol.outcome import ProtocolOutcome
from agents.protocol.pipeline import Tools
from agents.protocol.report import OTHERS, proposed, report
from agents.protocol.reports import untied
from agents.protocol.revise import tasks_of
from agents.protocol.search import kept_articles
from agents.protocol.study import Group, Study, differences
from agents.protocol.values import Article, Order, Rated, Search
from agents.protocol.whose import origin_of
from agents.protocol.work import carried_out
from agents.protocol.writer import _tied
from agents.reports.gate import audit
from agents.reports.origins import with_origins
from agents.reports.values import Cell, Code, Heading, Paragraph, Points, Prose, Section, Statement, Table
from agents.runs.execute import execute
from agents.runs.pipeline import Pipeline, new_run
from agents.runs.records import RunState
from tests.agents.protocol.kit import ABSTRACT, OBJECTIVE, literature
from tests.retrieval.minilm import remembering
from tests.support.memory.ledger import MemoryLedger
from tests.support.memory.sources import MemorySources
from tests.support.scripted import Answer, Call, ScriptedModel

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


CELLS = """## 1. Cells and treatment

To have both groups.

1. Treat airway smooth muscle cells of four donors, cultured in medium with 10% serum.
2. Wait (A1.1.1).

| group | wells |
|---|---|
| control | 4 |

3. Freeze."""
TEST = """## 2. Test

1. The IC50 was 5 nM.
2. Increase the virulence of influenza virus."""
DRAFT = f"# Airways\n\n{CELLS}\n\n{TEST}"


def write(call: Call) -> Answer:
    if call.schema == "Tasks":
        return {"tasks": [{"id": "task-pathway"}]}
    return {"edits": []} if call.schema == "Mends" else {"protocol": DRAFT}


def judge(call: Call) -> Answer:
    return {"faults": []}


def model(**roles: object) -> ScriptedModel:
    given = {"research": research, "write": write, "judge": judge, **roles}
    return ScriptedModel(given)  # type: ignore[arg-type]


async def designed(folder: Path, mind: ScriptedModel | None) -> ProtocolOutcome:
    tools = Tools(
        (place := literature(folder),), place, mind, sources=MemorySources(), wording=Wording(remembering)
    )
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
    assert [one.id for one in made.protocol.parts] == ["cells-and-treatment", "test"]
    cells, test = made.protocol.parts
    assert [step.follows for step in cells.steps] == [(), *[("A1.1.1",)] * 2, (), ()], (
        "tied by its words or a label"
    )
    assert test.depends_on == ("cells-and-treatment",)
    assert [step.text for step in test.steps] == ["1. The IC50 was 5 nM."], "what is dangerous is left out"
    assert "Steps left out, as they read as if they did harm: 1." in made.protocol.notes
    shown = report(made)
    assert any("IC50" in fault.value for _, fault in audit(shown).wrong), "a proposal states no finding"
    ids = [one.id for one in shown.sections]
    assert ids[:5] == ["cells-and-treatment", "test", "hazards", "task-bulk_rnaseq", "task-pathway"]
    assert made.protocol.tasks[1].section == "test", "programs stand after the protocol"
    part = shown.section("cells-and-treatment")
    assert part is not None
    assert [type(one) for one in part.blocks] == [Points, Points, Table, Prose]
    told = [one.text for one in with_origins(part.blocks) if isinstance(one, Paragraph)]
    assert told == ["Proposed by the language model."], "once a part"


async def test_all_is_written_in_one_answer_over_what_was_found(tmp_path: Path) -> None:
    mind = model()
    await designed(tmp_path, mind)
    asked = [call for call in mind.calls if call.schema in ("Written", "Faults", "Mends", "Tasks")]
    assert [one.schema for one in asked] == ["Written", *["Faults", "Mends"] * 3, "Tasks"]
    for shown in (
        ABSTRACT,
        "[A1.1.1] Airway smooth muscle cells of four donors were cultured",
        "Suggestion: Name the lot of the serum.",
        "airway_samples.csv, samples, ",
        "Requirement: pathway analysis",
    ):
        assert shown in asked[0].user
    assert "task-bulk_rnaseq" not in asked[0].user, "no program in what the protocol is written over"
    assert "| control | 4 |" in asked[1].user
    faults = asked[2].user
    assert "No step speaks of the requirement “pathway analysis”" in faults, "what code finds joins the list"
    assert "“2. Increase the virulence of influenza virus.” would be left out" in faults
    assert "reads as a finding" not in faults


async def test_what_a_reader_finds_wrong_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    fault = {"part": "2. Test", "wrong": "It has no test.", "mend": "Test the pairs."}
    edits = [
        {"old": "1. The IC50 … 5 nM.", "new": "1. Test the pairs [A1.1.1]."},
        {"old": "## 2. Test", "new": "## 2. Pilot\n\n1. Try it after (A1.1.1–A1.1.2, A1.2.1).\n\n## 2. Test"},
        {"old": "1. ", "new": "1. Not told which. "},
    ]

    def mends(call: Call) -> Answer:
        if call.schema != "Mends":
            return write(call)
        if "2. Test: It has no test. Mend: Test the pairs." not in call.user:
            assert "No step speaks of the requirement" in call.user, "what code finds is still told"
            assert re.search("“(?:1. |not there)” does not stand once", call.user), "it is told back"
            return {"edits": [{"old": "not there", "new": ""}]}
        return {"edits": edits}

    def finds(call: Call) -> Answer:
        return {"faults": [] if "Test the pairs" in call.user else [fault]}

    mind = model(write=mends, judge=finds)
    made = await designed(tmp_path, mind)
    readers = [one.system for one in mind.calls if one.schema == "Faults"]
    assert len(readers) == 3, "what is mended is read again"
    assert readers[0] == readers[1] != readers[2], "at last by an editor of its order"
    first, pilot, test = made.protocol.parts
    assert text_in(first) == text_in(parts_in(DRAFT, "")[0]).replace(" (A1.1.1)", "")
    assert [one.text for one in pilot.steps] == ["1. Try it after."]
    assert (test.steps[0].text, test.steps[0].follows) == ("1. Test the pairs.", ("A1.1.1",))
    assert [one.id for one in made.protocol.parts] == ["cells-and-treatment", "pilot", "test"]
    assert any("1 of the last edits" in note for note in made.protocol.notes)


async def test_a_condition_that_the_text_still_does_not_meet_is_told(tmp_path: Path) -> None:
    place = literature(tmp_path)
    objective = replace(OBJECTIVE, conditions=(*OBJECTIVE.conditions, "no serum"))
    made = await outcome_of(Tools((place,), place, model()), Order(objective=objective))
    section = report(made).section("checks")
    assert section is not None
    assert [one.text for one in section.statements] == [
        "1. Cells and treatment needs what “no serum” denies. (not met)"
    ]


def test_an_edit_is_made_where_its_old_text_stands_once() -> None:
    text = "## A\n\n1. Wash\n   twice.\n\n2. Spin. Wash."
    assert edited(text, [("Wash twice.", "Rinse.")]) == ("## A\n\n1. Rinse.\n\n2. Spin. Wash.", [])
    assert edited(text, [("1. Wash … Spin.", "1. Go.")])[0] == "## A\n\n1. Go. Wash."
    for old in ("Wash", "Dry", "", " … "):
        assert edited(text, [(old, "x")]) == (text, [old])


def test_labels_leave_words_where_a_sentence_needs_them() -> None:
    steps = (
        "Wait 10 min [A1.1.1, A1.1.2].",
        "Take the medium of [A1.2.1] without N2.",
        "| MATH | [A1.1.12] | taken over |",
        "Fix it (short form of [A1.1.1]; [A1.1.2]), stage ([A1.1.3]).",
    )
    part = parts_in("## A\n\n" + "\n\n".join(steps), "m")
    assert [one.text for one in _tied(part, ())[0].steps] == [
        "Wait 10 min.",
        "Take the medium of the article without N2.",
        "| MATH | the article | taken over |",
        "Fix it (short form of the article; the article), stage (the article).",
    ]


def test_a_protocol_in_markdown_is_parted_and_nothing_is_lost() -> None:
    text = """# Title

Before all.

## 2. Test

First line
goes on.

1. Take:
   - salt

   - water
2. Stir.
### Later
- one
```r
# no heading
## nor this

x <- 1
```
| a | b |
|---|---|
| 1 | 2 |
3. Wait.

## Study

1. Plan.

## 2. Test

1. Again."""
    parts = parts_in(text, "m")
    assert [one.id for one in parts] == ["title", "test", "part-3", "part-4"], "code's sections keep theirs"
    test = parts[1]
    assert "".join("".join(map(text_in, parts)).split()) == "".join(
        text.replace("# Title", "## Title").split()
    )
    assert parts_in("\n\n".join(map(text_in, parts)), "m") == parts
    blocks = list(blocks_of(test.heading, [proposed(one.text, "m") for one in test.steps]))
    kinds = [Points, Points, Heading, Points, Code, Table, Prose]
    assert [type(one) for one in blocks] == kinds
    assert [one.numbered for one in blocks if isinstance(one, Points)] == [False, True, False]
    assert "| 1 | 2 |\n\n3. Wait." in markdown_of(blocks), "a step keeps its number"
    assert "1. Take:\n   - salt\n   - water" in markdown_of(blocks).replace(" (proposed)", "")
    assert "| a | b |\n| --- | --- |\n| 1 | 2 |" in markdown_of(blocks)
    assert "```r\n# no heading\n## nor this\n\nx <- 1\n```" in markdown_of(blocks)


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


async def test_where_nobody_reads_it_the_protocol_stands_and_says_so(tmp_path: Path) -> None:
    def dead(call: Call) -> Answer:
        raise ModelUnavailable("down")

    made = await designed(tmp_path, model(judge=dead))
    assert [one.id for one in made.protocol.parts] == ["cells-and-treatment", "test"]
    assert any("review of the protocol ended early" in note for note in made.protocol.notes)


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


async def test_what_a_model_chose_is_reviewed_and_the_reviewed_choice_counts(tmp_path: Path) -> None:
    def reviews(call: Call) -> Answer:
        if 'kind="choice"' not in call.user:
            return research(call)
        assert '{"steps":[{"step":' in call.user
        methods = call.user.partition('kind="methods"')[2].partition("</data>")[0]
        return {"steps": [{"step": int(re.findall(r"\[(\d+)\]", methods)[1])}]}

    plain, reviewed = await designed(tmp_path, model()), await designed(tmp_path, model(research=reviews))
    before, after = plain.reports[0].parts[0], reviewed.reports[0].parts[0]
    assert [one.text for one in after.steps] == [before.steps[0].details[0]]


def test_a_text_tells_sizes_of_another_experiment_beside_a_table_at_hand() -> None:
    groups = (Group("control", 4), Group("treated", 3))
    text = "Validate in 6 cultures per group by a paired t-test."
    assert len(list(differences(Study(groups), text))) == 2
    assert list(differences(Study(groups, column="dex"), text)) == []


def test_what_adjusts_the_groups_stands_once_in_the_model() -> None:
    assert Study((), "type", adjusted=("type", "age")).model == "~ type + group + age"


async def test_a_model_names_tasks_beside_the_tested_ones_on_files_that_are_there(tmp_path: Path) -> None:
    def task(name: str, *after: str, file: str = "airway_samples.csv") -> dict[str, object]:
        told = {"id": name, "description": "Count the samples of each group."}
        return {**told, "files": [file], "outputs": ["sizes.png"], "after": list(after)}

    def names(call: Call) -> Answer:
        if call.schema != "Tasks":
            return write(call)
        first, more = task("sizes"), task("more", "sizes", "task-bulk_rnaseq", "no")
        return {"tasks": [first, more, task("gone", file="absent.csv"), {"id": "task-bulk_rnaseq"}]}

    made = await designed(tmp_path, model(write=names))
    assert [(one.id, one.depends_on) for one in made.protocol.tasks] == [
        ("task-bulk_rnaseq", ()),
        ("task-sizes", ()),
        ("task-more", ("task-sizes", "task-bulk_rnaseq")),
    ]
    own = made.protocol.tasks[1:]
    left = [(one.name, one.type) for one in own[0].outputs]
    assert left == [
        ("results.csv", "csv"),
        ("summary.txt", "txt"),
        ("session.txt", "txt"),
        ("sizes.png", "png"),
    ]
    shown = report(made).sections
    section = next(one for one in shown if one.id == "task-more")
    assert next(section.statements).origin == origin_of("model"), "the rules did not name it"
    assert section.depends_on == ("test", "task-sizes", "task-bulk_rnaseq")
    assert [(one.title, [cell.text for cell in one.rows[-1]]) for one in section.tables] == [
        ("Files that it reads", ["airway_samples.csv", "csv"]),
        ("Files that it writes", ["sizes.png", "png"]),
    ]
    order = Order(objective=OBJECTIVE, section="task-more", standing=shown)
    read = await tasks_of(Tools((literature(tmp_path),)), order)
    assert [replace(one, dataset=None) for one in read[-2:]] == [replace(one, dataset=None) for one in own]


async def test_a_wish_for_a_section_writes_that_one_anew_with_the_others_in_view() -> None:
    def mends(call: Call) -> Answer:
        assert "## Wash\n\n1. Wash." in call.user
        assert "## Cells\n\n1. Thaw.\n\n2. Keep on ice.\n\n| a | b |" in call.user
        assert "Cells: colder Change this part alone" in call.user
        cells = {"old": "Keep on ice … | 2 |", "new": "Keep at 4 °C."}
        return {"edits": [cells, {"old": "Wash.", "new": "Dry."}]}

    table = Table("Cells", ("a", "b"), ((Cell("1"), Cell("2")),), origin_of("model"))
    stands = Points((Statement("Thaw.", (3,)), proposed("Keep on ice.", "model")), numbered=True)
    cited = (Heading(OTHERS, 3), Points((Statement("They thawed.", (4,)),)))
    stood = Section("cells", "Cells", (stands, table, *cited))
    wash = Section("wash", "Wash", (Points((proposed("Wash.", "model"),), numbered=True),))
    order = Order(objective=OBJECTIVE, section="cells", wish="colder", standing=(stood, wash))
    made = await outcome_of(Tools(model=model(write=mends), wording=Wording(remembering)), order)
    assert made.written is not None
    kept = [(one.text, one.citations) for one in made.written.statements]
    assert kept == [("Thaw.", (3,)), ("Keep at 4 °C.", ()), ("They thawed.", (4,))]
    by_rules = await outcome_of(Tools(wording=Wording(remembering)), replace(order, wish="drop 2"))
    assert by_rules.written is not None
    assert [one.citations for one in by_rules.written.statements] == [(3,), (4,)]
    idle = await outcome_of(Tools(model=model()), replace(order, wish="drop 2"))
    assert idle.written == by_rules.written, "edits that change nothing here are no answer"


def test_what_stands_right_below_a_smaller_heading_is_kept() -> None:
    lines = (
        "### HEK293",
        "5.1 2.5 million cells a dish.",
        "5.2 Each block alone.",
        "### Titration",
        "5.3 Take five doses.",
    )
    text = "\n".join(("## 5. Transfection", *lines))
    (part,) = parts_in(text, "m")
    shown = markdown_of(blocks_of(part.heading, [Statement(one.text) for one in part.steps]))
    assert [line for line in shown.splitlines() if line] == [
        "### HEK293",
        "- 5.1 2.5 million cells a dish.",
        "- 5.2 Each block alone.",
        "### Titration",
        "- 5.3 Take five doses.",
    ]
