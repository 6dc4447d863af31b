"""What a model is told of a tool, without what only a validator or a program needs: a conversation repeats it
every turn.

Arguments are validated against the whole schema all the same, and a wrong call is answered with it. One
that an agent can do without is marked: `Field(..., json_schema_extra=RARE)`.
"""

from dataclasses import replace
from typing import Any

from pydantic import JsonValue

from agents.messages import ToolSpec

RARE: dict[str, JsonValue] = {"rare": True}
"""Marks an argument for programs, which a model is not told of."""
FOR_VALIDATORS = frozenset(
    ("title", "default", "maxLength", "minLength", "maximum", "minimum", "additionalProperties", "$defs")
)


def brief(spec: ToolSpec) -> ToolSpec:
    """The tool with names, types, choices and descriptions of its arguments alone."""
    schema = spec.parameters
    properties = {
        name: _brief(given, schema)
        for name, given in schema.get("properties", {}).items()
        if not given.get("rare")
    }
    parameters: dict[str, Any] = {"type": "object", "properties": properties}
    if required := schema.get("required"):
        parameters["required"] = required
    return replace(spec, parameters=parameters)


def _brief(given: Any, whole: dict[str, Any]) -> Any:
    """One argument: a reference is resolved; of a value or null the value is told."""
    if not isinstance(given, dict):
        return given
    told = {name: value for name, value in given.items() if name not in FOR_VALIDATORS}
    if reference := told.pop("$ref", ""):
        target = whole.get("$defs", {}).get(reference.rsplit("/", 1)[-1], {})
        told = {**_brief({k: v for k, v in target.items() if k != "description"}, whole), **told}
    if choices := [one for one in told.get("anyOf", ()) if one.get("type") != "null"]:
        told = {
            **(_brief(choices[0], whole) if len(choices) == 1 else {"anyOf": choices}),
            **_without_any(told),
        }
    if "properties" in told:
        told["properties"] = {name: _brief(one, whole) for name, one in told["properties"].items()}
    if "items" in told:
        told["items"] = _brief(told["items"], whole)
    return told


def _without_any(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if name != "anyOf"}
