"""What a prompt says of the form of an answer."""

from enum import StrEnum
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from agents.json_answers import form_of, schema_request


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Leaf(BaseModel):
    """For programmers."""

    size: float
    note: str | None = Field(None, description="why so")


class Tree(BaseModel):
    kind: Literal["oak", "elm"]
    colours: list[Colour]
    mixed: list[int | str] = []
    leaves: dict[str, Leaf] = {}
    parent: "Tree | None" = None


def test_names_types_choices_and_descriptions_are_told_on_one_line() -> None:
    assert form_of(Leaf.model_json_schema()) == '{"size": number, "note"?: string | null (why so)}'
    told = form_of({**Tree.model_json_schema(), "$ref": ""})
    assert "\n" not in told


def test_what_refers_to_itself_ends() -> None:
    told = schema_request(Tree)
    for part in (
        '"kind": "oak" | "elm"',
        '"colours": ["red" | "blue", ...]',
        '"mixed"?: [integer | string, ...]',
        '"leaves"?: {[name]: {"size": number',
        '"parent"?: {"kind"',
    ):
        assert part in told
    assert "For programmers" not in told
    assert len(told) < 4_000


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ({}, "value"),
        ({"const": 3}, "3"),
        ({"type": "array"}, "[value, ...]"),
        ({"$ref": "#/$defs/No"}, "value"),
    ],
)
def test_what_is_not_known_is_any_value(schema: dict[str, object], told: str) -> None:
    assert form_of(schema) == told
