"""A protocol and its plainest peer, scored by the same judge."""

from pathlib import Path

import pytest

from agents.minds.prompts import load_prompt
from agents.protocol.compare import compared, written
from agents.protocol.minds import PROMPTS
from agents.protocol.pipeline import Tools
from tests.agents.protocol.kit import ABSTRACT, OBJECTIVE, TITLE, literature
from tests.agents.protocol.test_minds import judge, model, write
from tests.support.scripted import Answer, Call

PEER = load_prompt("peer", PROMPTS).text.strip()


async def test_both_protocols_are_scored_by_the_same_judge_over_the_same_abstracts(tmp_path: Path) -> None:
    def writes(call: Call) -> Answer:
        return {"protocol": "1. Do it."} if PEER in call.system else write(call)

    def judges(call: Call) -> Answer:
        if call.schema != "Judged":
            return judge(call)
        peer = "1. Do it." in call.user
        faults = {"missing": [], "wrong": [{"step": 1}] if peer else [], "misplaced": []}
        return {**faults, "detail": 0.2 if peer else 0.8, "structure": 0.5}

    def doubts(call: Call) -> Answer:
        return {"missing": [], "wrong": [], "misplaced": [], "detail": 0.4, "structure": 0.5}

    mind = model(write=writes, judge=judges)
    place = literature(tmp_path)
    other = model(judge=doubts)
    other.name = "other"
    pair = await written(Tools((place,), place), mind, OBJECTIVE)
    (found,) = await compared([mind, other], [pair])
    assert [*found.ours.judges] == [*found.peer.judges] == [mind.name, "other"]
    assert found.ours.measures["detail"] == pytest.approx(0.6), "the mean of both"
    assert found.peer.measures["detail"] == pytest.approx(0.3)
    assert found.peer.measures["correctness"] == 0.25, "half of the penalty, one judge of two"
    assert found.ours.proxies.steps > found.peer.proxies.steps == 1
    (asked,) = [call for call in mind.calls if PEER in call.system]
    assert ABSTRACT in asked.user
    texts = [call.user for call in mind.calls if call.schema == "Judged"]
    (ours,) = (one for one in texts if "1. Do it." not in one)
    assert "| control | 4 |" in ours
    assert "Conditions and sample sizes" not in ours
    assert "(proposed)" not in ours.partition("## Task")[0], "told once a part"
    assert "As others did it" not in ours, "what a step follows is cited, and told once"
    assert (
        ">\n1. Treat airway smooth muscle cells of four donors, cultured in medium with 10% serum. [1]\n"
        in ours
    )
    cited = ours.partition(f"[1] {TITLE} (10.9/airway): “Airway smooth muscle cells of four donors")[2]
    assert "No antibiotics were added.”" in cited, "a step is cited with its details"
    assert "helpful (1 to 5)" not in ours
    assert "<step" not in ours.partition("## Sentences of articles that are cited")[2], "no step"
    assert found.ours.proxies.steps == ours.count("<step ")
