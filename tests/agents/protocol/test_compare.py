"""A protocol and its plainest peer, scored by the same judge."""

from pathlib import Path

from agents.protocol.compare import compared, written
from agents.protocol.pipeline import Tools
from agents.scripted import Answer, Call
from tests.agents.protocol.kit import ABSTRACT, OBJECTIVE, TITLE, literature
from tests.agents.protocol.test_minds import judge, model, write


async def test_both_protocols_are_scored_by_the_same_judge_over_the_same_abstracts(tmp_path: Path) -> None:
    def writes(call: Call) -> Answer:
        return {"protocol": "1. Do it."} if call.schema == "Plain" else write(call)

    def judges(call: Call) -> Answer:
        if call.schema != "Scores":
            return judge(call)
        scores = {"completeness": 4, "detail": 5, "correctness": 4, "logic": 3}
        return dict.fromkeys(scores, 2) if "1. Do it." in call.user else scores

    mind = model(write=writes, judge=judges)
    place = literature(tmp_path)
    (found,) = await compared(mind, [await written(Tools((place,), place), mind, OBJECTIVE)])
    assert (found.ours.overall, found.peer.overall) == (4.0, 2.0)
    (asked,) = [call for call in mind.calls if call.schema == "Plain"]
    assert ABSTRACT in asked.user
    ours = next(call.user for call in mind.calls if call.schema == "Scores")
    assert "| control | 4 |" in ours
    assert "Conditions and sample sizes" not in ours
    assert "(proposed)" not in ours.partition("## Task")[0], "told once a part"
    assert "As others did it" not in ours, "what a step follows is cited, and told once"
    assert (
        "1. Treat airway smooth muscle cells of four donors, cultured in medium with 10% serum. [1]\n" in ours
    )
    assert f"[1] {TITLE} (10.9/airway)" in ours
    assert "helpful (1 to 5)" not in ours
