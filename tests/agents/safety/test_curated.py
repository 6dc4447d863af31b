"""Evaluation against curated target safety: folders of the published form, over made-up targets."""

from pathlib import Path

import orjson
import pytest

from agents.databases.facts import Fact, Facts, Topic
from agents.databases.target_tool import TargetArguments
from agents.errors import ToolFailed
from agents.safety.endpoints.values import OrganSystem
from agents.safety.evaluate.curated import read_curated
from agents.safety.evaluate.figures import Compared, figures
from agents.safety.evaluate.found import CURATED_SAFETY, facts_of
from agents.safety.evaluate.targets import evaluate_targets
from agents.safety.order import Direction
from agents.safety.synthesis.findings import CURATED, findings_of
from agents.safety.synthesis.systems import listed_systems, systems_of
from agents.safety.values import CitedFact, Finding
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


def findings(*facts: Fact) -> tuple[Finding, ...]:
    return findings_of([CitedFact(f, "", "x", "x") for f in facts])


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
    assert second.unread == ("unheard of",)


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


async def test_held_out_a_group_is_listed_by_the_numbers_that_are_best_on_the_others(tmp_path):
    """Of three systems with weak evidence reviews name all for one target and one for another."""
    same = [
        phenotype(f"{name} phenotype") for name in ("renal system", "cardiovascular system", "nervous system")
    ]
    all_three = [f"s\t{name}\tinhibition_acute\tFULL1" for name in ("renal", "cardiovascular", "nervous")]
    rows = [*all_three, "t\tcardiovascular\tinhibition_acute\tBARE1"]
    tools = Toolset("t", [tool("mice", {"FULL1": same, "BARE1": same})])
    result = await evaluate_targets(folder(tmp_path, rows), tools)
    assert result.listed().recall == pytest.approx(5 / 6)  # the two that lead, of each
    held = result.held_out()
    assert (held.found, held.recall) == (2.0, (1 + 1 / 3) / 2)  # three listed of BARE1, one of FULL1


def test_groups_count_alike_whatever_their_size():
    hit, miss = frozenset("a"), frozenset("b")
    found = figures([Compared("g", hit, hit), Compared("h", miss, hit), Compared("h", miss, hit)])
    assert (found.recall, found.precision) == (0.5, 0.5)
    assert figures([]).recall is None


async def test_what_is_gold_is_no_source():
    gold = Fact(topic=Topic.ADVERSE_EVENT, text="x", term="bradycardia", measure=CURATED)
    tools = Toolset("t", [tool(CURATED_SAFETY, {"AAA1": [gold]}), tool("other", {"AAA1": [gold]})])
    found = await facts_of("AAA1", tools)
    assert found.facts == ()
    assert not found.covered


async def test_the_evaluation_tells_what_was_found_missed_and_not_covered(tmp_path):
    rows = [*ROWS, "nausea\tgastrointestinal\tinhibition_acute\tAAA1", "pain\trenal\tinhibition_acute\tCCC1"]
    result = await evaluate_targets(folder(tmp_path, rows), Toolset("t", [tool("mice", KNOCKOUTS)]))
    told = orjson.loads(orjson.dumps(result.as_fields()))
    assert told["covered"] == 2
    assert told["targets"] == 3
    assert told["organ_system"]["recall"] == 0.75
    assert told["organ_system"]["precision"] == 1.0
    assert told["organ_system_direction"]["recall"] == 0.75
    assert (told["always_the_same_4"]["found"], told["always_the_same_2"]["found"]) == (4.0, 2.0)
    assert told["directions_right"] == [2, 3]
    areas = {"cardiovascular": [1.0] * 3, "gastrointestinal": [0.5] * 3, "nervous": [1.0] * 3}
    assert told["areas"] == areas
    first = told["each"][0]
    assert (first["target"], first["found"], first["missed"], first["beyond"]) == (
        "AAA1",
        ["cardiovascular"],
        ["gastrointestinal"],
        [],
    )
    assert "CCC1: no source tells anything." in told["not_covered"]
    assert "mice knows no CCC1." in told["not_covered"]


def test_a_system_is_listed_from_three_kinds_of_evidence_on_or_if_moderate_and_the_heart_with_any():
    liver = [
        Fact(topic=Topic.EXPRESSION, text="Liver", term="Liver", value=50.0, unit="TPM"),
        Fact(topic=Topic.FUNCTION, text="It.", term="liver development"),
        phenotype("liver/biliary system phenotype"),
    ]

    def listed(*facts: Fact) -> list[str]:
        return [one.endpoint for one in listed_systems(systems_of(findings(*facts)))]

    assert listed(*liver) == ["hepatic"]
    others = (phenotype("integument phenotype"), phenotype("vision/eye phenotype"))
    assert set(listed(*liver[:2], *others)) == {"skin", "eye"}  # the two with most evidence
    assert listed(phenotype("cardiovascular system phenotype")) == ["cardiovascular"]
    failure = Fact(topic=Topic.DISEASE, text="It.", term="Hepatic failure")
    assert listed(failure) == ["hepatic"]  # the evidence is moderate
    assert listed() == []


def test_what_speaks_for_every_organ_speaks_less_for_each_observed_and_inferred_apart():
    heart, skin = phenotype("cardiovascular system phenotype"), phenotype("integument phenotype")
    signal = Fact(topic=Topic.FUNCTION, text="It.", term="dopamine receptor signaling pathway")
    alone, shared, inferred = (
        dict((risk.endpoint, evidence) for risk, evidence in systems_of(findings(*facts)))
        for facts in ((heart,), (heart, skin), (heart, skin, signal))
    )
    assert alone["cardiovascular"] == pytest.approx(1 / 3 + 1)
    assert shared["cardiovascular"] == shared["skin"] == pytest.approx(1 / 3 + 1 / 2)
    assert inferred["skin"] == shared["skin"]
    assert inferred["nervous"] > 1 / 3
    first, _ = systems_of(findings(heart, skin, heart))[0]
    assert first.endpoint == "cardiovascular"
