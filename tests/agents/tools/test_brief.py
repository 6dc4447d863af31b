"""What a model is told of a tool."""

from pydantic import Field

from agents.archive.tool_inputs import Search
from agents.messages import ToolSpec
from agents.tools.brief import RARE, brief
from agents.tools.tool import Arguments


class Asked(Arguments):
    """What to look for."""

    words: str = Field(description="key words", max_length=9)
    limit: int = Field(6, description="most results", ge=1, json_schema_extra=RARE)


def test_an_argument_for_programs_is_taken_and_not_told() -> None:
    told = brief(ToolSpec("find", "Find.", Asked.model_json_schema()))
    assert told.parameters["properties"] == {"words": {"type": "string", "description": "key words"}}
    assert told.parameters["required"] == ["words"]
    assert Asked(words="liver", limit=2).limit == 2


def test_a_search_of_the_archive_is_told_in_three_arguments() -> None:
    told = brief(ToolSpec("search_archive", "Find.", Search.model_json_schema()))
    assert list(told.parameters["properties"]) == ["query", "molecule", "doc_id"]
