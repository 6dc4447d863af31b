"""The tool of the guide works as it stands there."""

import re
from pathlib import Path
from typing import Any

import pytest

from agents.errors import ToolRetry
from agents.tools.toolset import Toolset

GUIDE = Path(__file__).parents[3] / "docs" / "guide" / "new-kind.md"


@pytest.fixture
def tools() -> Toolset:
    (code,) = re.findall(
        r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8").split("## Add a tool")[1], re.DOTALL
    )
    names: dict[str, Any] = {"__name__": "guide"}
    exec(code, names)
    return Toolset("guide", [names["HUMAN_DOSE"]])


async def test_the_tool_of_the_guide_gives_a_record_that_can_be_cited(tools: Toolset) -> None:
    reply = await tools.call("human_equivalent_dose", '{"species": "rat", "mg_per_kg": 50}')
    assert reply.summary == "8.11 mg/kg"
    assert "- human dose (mg/kg): 8.108" in reply.records[0].source.text


async def test_its_refusal_says_what_is_right(tools: Toolset) -> None:
    with pytest.raises(ToolRetry, match="mouse, rat, rabbit, dog"):
        await tools.call("human_equivalent_dose", '{"species": "cat", "mg_per_kg": 50}')
