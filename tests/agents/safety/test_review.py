"""A model's summary of the table: what it leaves out is asked for once."""

import json
import re

from agents.evidence.memory import EvidenceMemory
from agents.minds.work import AgentResult, Ports, Said, Task, Work
from agents.safety.filing import Filed, Filing, Study, filed
from agents.safety.material import Material
from agents.safety.review import reviewed, rows_to_tell
from agents.safety.values import Severity
from agents.scripted import Call, ScriptedModel
from agents.trust.values import Claim
from tests.agents.safety.kit import assessed, tools
from tests.agents.safety.test_filing import STUDY, number
from tests.agents.safety.test_key_risks import material, warned
from tests.agents.safety.test_minds import GIVEN, shortens

BONE = [warned("Osteoporosis", "boxed warning")]
NECROLYSIS = warned("Toxic epidermal necrolysis", "adverse reaction that drugs share", value=0.04)


def whole() -> Material:
    before = material(*BONE, NECROLYSIS, warned("Cataract", change="activation"))
    said = Filing(
        facts=[Filed(fact=number(before, NECROLYSIS), endpoints=["skin"], under="inhibition")],
        studies=[Study(endpoint="skin", severity=Severity.LIFE_THREATENING, study=STUDY)],
    )
    return filed(before, said, "Reader")


def points(of: Material, text: str, round_: int = 1) -> tuple[str, ...]:
    draft = AgentResult("summary", "", "Reader", (Claim(text, ("E0",)),))
    work = Work("summary", Task(""), None, EvidenceMemory(), Ports(None, None, None))  # type: ignore[arg-type]
    return reviewed(of, draft, (Said("summary", text, round_),), work).points


def test_rated_rows_and_life_threatening_events_of_patients_are_told_each_by_a_finding() -> None:
    of = whole()
    bone, skin = rows_to_tell(of)
    assert (
        skin == "skin and subcutaneous tissue disorders (life-threatening, weak evidence): " + NECROLYSIS.term
    )
    assert bone.endswith("strong evidence): Osteoporosis")
    assert points(of, "The main concerns are muscle and bone.") == tuple(
        f"No sentence tells a finding of this row, in its words: {one}." for one in (bone, skin)
    )
    assert not points(of, "Osteoporosis stands in a box. Toxic epidermal necrolysis is a concern.")


def test_a_model_is_asked_once() -> None:
    assert points(whole(), "") != ()
    assert points(whole(), "", round_=2) == ()


async def test_the_summary_is_asked_once_for_the_rows_that_it_leaves_out() -> None:
    def writes(call: Call) -> str:
        given = [found for message in call.messages for found in GIVEN.findall(message.text)]
        told = [{"text": "Nothing is known of the heart.", "keys": [given[0][1]]}] if given else []
        return json.dumps({"statements": told})

    asked = ScriptedModel({"write": writes, "compress": shortens})
    await assessed("ZORB1", tools(model=asked))
    calls = [call for call in asked.calls if call.role == "write" and "“Executive summary”" in call.system]
    assert len(calls) == 2
    assert re.search(r"No sentence tells a finding of this row", calls[1].messages[-1].text)
    assert "Rated rows, in their order:" in calls[0].user
