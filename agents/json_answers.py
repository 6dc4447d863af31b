"""Answers in JSON: found in a model's text, checked, and asked for again when they do not fit."""

import json
from typing import TypeVar

from pydantic import BaseModel, ValidationError

T = TypeVar("T", bound=BaseModel)


def checked(text: str, schema: type[T]) -> T | ValidationError:
    """The value in a text, or what is wrong with it."""
    try:
        return schema.model_validate_json(find_json(text))
    except ValidationError as error:
        return error


def schema_request(schema: type[BaseModel]) -> str:
    """What a prompt says to get an answer that fits a schema."""
    written = json.dumps(schema.model_json_schema())
    return f"Answer with one JSON object and nothing else. It must fit this JSON schema:\n{written}"


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
