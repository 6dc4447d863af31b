"""How an answer in JSON is asked for, found in a text, and asked for again when it does not fit."""

import json
from typing import Any

from pydantic import BaseModel, ValidationError

FORMATS = ("json_schema", "json_object", "plain")
"""Ways to ask, the strictest first; an endpoint that refuses one is asked in the next."""


def response_format(how: str, schema: type[BaseModel]) -> dict[str, Any] | None:
    """The request's `response_format`; None for a plain text."""
    if how == "json_schema":
        wanted = {"name": schema.__name__, "schema": schema.model_json_schema()}
        return {"type": "json_schema", "json_schema": wanted}
    return {"type": "json_object"} if how == "json_object" else None


def schema_instruction(how: str, schema: type[BaseModel]) -> str:
    """What the system prompt must add when the endpoint does not enforce the schema itself."""
    if how == "json_schema":
        return ""
    written = json.dumps(schema.model_json_schema())
    return f"\n\nAnswer with one JSON object and nothing else. It must fit this JSON schema:\n{written}"


def find_json(text: str) -> str:
    """The first JSON object in a text, without words or code fences around it; else the text itself."""
    decoder = json.JSONDecoder()
    position = text.find("{")
    while position >= 0:
        try:
            _, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            position = text.find("{", position + 1)
        else:
            return text[position:end]
    return text


def repair_request(error: ValidationError) -> str:
    """The message that asks for the answer again, with what was wrong with it."""
    faults = "\n".join(
        f"- {'.'.join(map(str, fault['loc'])) or 'the answer'}: {fault['msg']}"
        for fault in error.errors()[:10]
    )
    again = "Give the whole answer again, corrected, as one JSON object."
    return f"That answer does not fit the schema:\n{faults}\n{again}"
