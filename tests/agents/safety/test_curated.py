"""Evaluation against curated target safety: folders of the published form, over made-up targets."""

from pathlib import Path

import orjson
import pytest

from agents.databases.facts import Fact, Facts, Topic
from agents.databases.target_tool import TargetArguments
from agents.errors import ToolFailed
from agents.safety.endpoints.values import OrganSystem, Sign
from agents.safety.endpoints.weights import WEIGHTS, EvidenceClass
from agents.safety.evaluate.curated import read_curated
from agents.safety.evaluate.figures import Compared, figures
from agents.safety.evaluate.found import CURATED_MEASURE, CURATED_SAFETY, facts_of
from agents.safety.evaluate.learn import HIERARCHY, learn
from agents.safety.evaluate.targets import evaluate_targets
from agents.safety.order import Direction
from agents.tools.reply import ToolReply
from agents.tools.tool import Tool
from agents.tools.toolset import Toolset
from retrieval.errors import JudgementsError

HEAD = "symptom\tbiologicalSystem\teffect\ttarget\n"


def folder(path: Path, rows: list[str], targets: tuple[str, ...] = ()) -> Path:
    (path / "adverse_effects.tsv").write_text(HEAD + "\n".join(rows) + "\n")
    if targets:
        (path / "targets.tsv").write_text("target\n" + "\n".join(targets) + "\n")
    return path


def tool(name: str, facts: dict[str, list[Fact]]) -> Tool:
    async def work(asked: TargetArguments) -> ToolReply:
        if asked.target not in facts:
            raise ToolFailed(f"{name} knows no {asked.target}.")
        return ToolReply(data=Facts(target=asked.target, facts=tuple(facts[asked.target])).model_dump())

    return Tool(name=name, description="x", inputs=TargetArguments, work=work, source=name, output=Facts)


def phenotype(term: str) -> Fact:
    return Fact(topic=Topic.PHENOTYPE, text=term, term=term, change="loss", species="mouse")


KNOCKOUTS = {
    "AAA1": [phenotype("cardiovascular system phenotype"), phenotype("decreased heart rate")],
    "BBB1": [
        phenotype("nervous system phenotype"),
        phenotype("integument phenotype"),
        Fact(topic=Topic.DISEASE, text="Epilepsy", term="Epilepsy"),
    ],
}
ROWS = [
    "bradycardia\tcardiovascular\tinhibition_acute\tAAA1",
    "bradycardia\tcardiovascular system\tinhibition_general\tAAA1",
    "sedation\tcentral nervous system\tactivation_acute\tBBB1",
    "death\tunheard of\tactivation_acute\tBBB1",
]


def test_names_of_one_system_are_one(tmp_path):
    first, second = read_curated(folder(tmp_path, ROWS))
    assert first.systems == {OrganSystem.CARDIOVASCULAR}
    assert first.affected == {(OrganSystem.CARDIOVASCULAR, Direction.INHIBITION)}
    assert first.events == {("heart_rhythm", Sign.DECREASED, Direction.INHIBITION)}
    assert second.unread == ("unheard of", "death")


def test_targets_with_nearly_the_same_events_are_one_group(tmp_path):
    rows = [f"symptom {number}\trenal\tinhibition_acute\t{target}" for target in "XYZ" for number in range(8)]
    rows += ["another\trenal\tinhibition_acute\tY", *(f"z{n}\trenal\tinhibition_acute\tZ" for n in range(9))]
    assert {one.target: one.group for one in read_curated(folder(tmp_path, rows))} == {
        "X": "X",
        "Y": "X",
        "Z": "Z",
    }


def test_only_the_listed_targets_count(tmp_path):
    assert [one.target for one in read_curated(folder(tmp_path, ROWS, ("BBB1",)))] == ["BBB1"]


def test_another_folder_is_refused(tmp_path):
    with pytest.raises(JudgementsError, match=r"adverse_effects\.tsv"):
        read_curated(tmp_path)
    (tmp_path / "adverse_effects.tsv").write_text("a\tb\n")
    with pytest.raises(JudgementsError, match="lacks the columns biologicalSystem"):
        read_curated(tmp_path)


def test_groups_count_alike_whatever_their_size():
    hit, miss = frozenset("a"), frozenset("b")
    found = figures([Compared("g", hit, hit), Compared("h", miss, hit), Compared("h", miss, hit)])
    assert (found.recall, found.precision) == (0.5, 0.5)
    assert figures([]).recall is None


async def test_what_is_gold_is_no_source():
    gold = Fact(topic=Topic.ADVERSE_EVENT, text="x", term="bradycardia", measure=CURATED_MEASURE)
    tools = Toolset("t", [tool(CURATED_SAFETY, {"AAA1": [gold]}), tool("other", {"AAA1": [gold]})])
    found = await facts_of("AAA1", tools)
    assert found.facts == ()
    assert not found.covered


async def test_the_evaluation_tells_what_was_found_missed_and_not_covered(tmp_path):
    rows = [*ROWS, "nausea\tgastrointestinal\tinhibition_acute\tAAA1", "pain\trenal\tinhibition_acute\tCCC1"]
    result = await evaluate_targets(folder(tmp_path, rows), Toolset("t", [tool("mice", KNOCKOUTS)]))
    told = orjson.loads(result.as_json())
    assert told["covered"] == 2
    assert told["targets"] == 3
    assert told["organ_system"]["recall"] == 0.75
    assert told["organ_system"]["precision"] == 1.0
    assert told["organ_system"]["held_out"] is None
    assert told["organ_system"]["listed"]["found"] >= told["organ_system"]["found"]
    called = told["organ_system"]["called"]
    assert list(called) == ["weak", "moderate", "strong"]
    assert called["weak"]["found"] >= called["moderate"]["found"] >= called["strong"]["found"]
    assert [point["score"] for point in told["organ_system"]["curve"]] == sorted(
        point["score"] for point in told["organ_system"]["curve"]
    )
    first = told["each"][0]
    assert (first["target"], first["found"], first["missed"], first["beyond"]) == (
        "AAA1",
        ["cardiovascular"],
        ["gastrointestinal"],
        [],
    )
    assert "CCC1: no source tells anything." in told["not_covered"]
    assert "AAA1: no source speaks of the systems gastrointestinal." in told["not_covered"]
    assert "mice knows no CCC1." in told["not_covered"]


async def test_a_target_that_was_learnt_on_is_also_judged_without_its_group(tmp_path):
    tools = Toolset("t", [tool("mice", KNOCKOUTS)])
    first = await evaluate_targets(folder(tmp_path, ROWS), tools)
    again = await evaluate_targets(tmp_path, tools, first.learnt())
    assert set(again.without) == {"AAA1", "BBB1"}
    assert "AAA1" not in again.without["AAA1"].targets
    first_target = again.targets[0]
    assert first_target.scores(again.weights) != first_target.scores(again.without["AAA1"])
    assert orjson.loads(again.as_json())["organ_system"]["held_out"]["recall"] == 1.0


async def test_what_no_target_teaches_stays_with_the_hierarchy(tmp_path):
    result = await evaluate_targets(folder(tmp_path, ROWS), Toolset("t", [tool("mice", KNOCKOUTS)]))
    learnt = learn([one.case for one in result.targets])
    assert learnt.weights[EvidenceClass.ADVERSE_EVENT] == HIERARCHY[EvidenceClass.ADVERSE_EVENT]
    assert learnt.weights[EvidenceClass.PHENOTYPE] != HIERARCHY[EvidenceClass.PHENOTYPE]
    assert set(WEIGHTS.weights) == set(EvidenceClass)


async def test_a_system_that_reviews_never_name_takes_more_evidence(tmp_path):
    result = await evaluate_targets(folder(tmp_path, ROWS), Toolset("t", [tool("mice", KNOCKOUTS)]))
    learnt = learn([one.case for one in result.targets])
    assert learnt.systems[OrganSystem.SKIN] < 0 < learnt.systems[OrganSystem.CARDIOVASCULAR]
    assert set(learnt.systems) == set(OrganSystem)
