"""How an endpoint is asked for an answer in JSON."""

from typing import Any

from pydantic import BaseModel

from agents.json_answers import schema_request

FORMATS = ("json_schema", "json_object", "plain")
"""Ways to ask, the strictest first; an endpoint that refuses one is asked in the next."""


def response_format(how: str, schema: type[BaseModel]) -> dict[str, Any] | None:
    """The request's `response_format`; None for a plain text."""
    if how == "json_schema":
        return held_to(schema.model_json_schema())
    return {"type": "json_object"} if how == "json_object" else None


def held_to(schema: dict[str, Any]) -> dict[str, Any]:
    """The request's `response_format` for answers that fit a JSON schema."""
    wanted = {"name": schema.get("title", "answer"), "schema": without_titles(schema)}
    return {"type": "json_schema", "json_schema": wanted}


def schema_instruction(how: str, schema: type[BaseModel]) -> str:
    """What the system prompt must add when the endpoint does not enforce the schema itself."""
    return "" if how == "json_schema" else f"\n\n{schema_request(schema)}"


def without_titles(schema: Any) -> Any:
    """A JSON schema without what only a person reads of it: the titles and the docstrings of its objects."""
    if isinstance(schema, list):
        return [without_titles(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    read = ("title", "description") if "properties" in schema or "enum" in schema else ("title",)
    return {
        name: {key: without_titles(one) for key, one in given.items()}
        if name in ("properties", "$defs")
        else without_titles(given)
        for name, given in schema.items()
        if name not in read or not isinstance(given, str)
    }
