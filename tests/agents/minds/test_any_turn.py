"""Whatever turns a model takes, an agent ends: with claims over what it read, or with an error that rules
take over from.
"""

import json
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from agents.errors import AgentError, ModelError
from agents.evidence.memory import EvidenceMemory
from agents.messages import ToolCall, Turn
from agents.minds.agent import run_agent
from agents.minds.work import Ports
from agents.runs.memory import trial_run
from agents.trust.values import Verdict
from tests.agents.minds.agents import FOUND, TASK, Labels, agent
from tests.support.drills import examples
from tests.support.scripted import ScriptedModel

TEXT = st.text(st.characters(exclude_categories=()), max_size=30)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT | st.sampled_from(["E1", "alpha"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = (
    st.sampled_from(["alpha", "beta", "closed", "x" * 30]).map(lambda drug: json.dumps({"drug": drug}))
    | st.dictionaries(st.sampled_from(["drug", "x"]), VALUES, max_size=2).map(json.dumps)
    | TEXT
    | st.just("[" * 5_000)
)
CALLS = st.builds(ToolCall, TEXT, st.sampled_from(["search_labels", "", "rm -rf"]) | TEXT, ARGUMENTS)
ANSWERS = (
    TEXT
    | VALUES.map(json.dumps)
    | st.dictionaries(st.just("statements"), VALUES, min_size=1).map(json.dumps)
    | st.lists(
        st.fixed_dictionaries({"text": TEXT | VALUES, "keys": st.lists(TEXT | st.just("E1"), max_size=3)}),
        max_size=3,
    ).map(lambda statements: json.dumps({"statements": statements}))
    | st.just(json.dumps(FOUND))
)
TURNS = st.builds(Turn, ANSWERS, st.lists(CALLS, max_size=4).map(tuple))


@settings(max_examples=examples(80), deadline=None)
@given(st.lists(TURNS, max_size=8))
async def test_no_turn_whatever_is_more_than_a_failed_answer(turns: list[Turn]) -> None:
    memory, played = EvidenceMemory(), ScriptedModel({"research": turns})
    with suppress(ModelError, AgentError):
        result = await run_agent(await trial_run(), agent(Labels()), TASK, memory, Ports(played))
        known = {item.key for item in memory.all()}
        stands = [claim for claim in result.claims if claim.verdict in (Verdict.SUPPORTED, Verdict.PARTLY)]
        assert {key for claim in stands for key in claim.keys} <= known
