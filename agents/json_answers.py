"""Answers in JSON: found in a model's text, checked, and asked for again when they do not fit."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from retrieval.text.unseen import without_unseen

DEEPEST = 12
"""Levels that are told; deeper ones, as of a type that holds itself, are "value"."""
ANY = "value"
T = TypeVar("T", bound=BaseModel)
DECODER = json.JSONDecoder()
START = re.compile(r"\{(?=\s*[\"}])")
"""Where an object may begin."""
_ESCAPED = re.compile(
    r"(?<!\\)((?:\\\\)*)\\u(?:00(?:0[0-8bcef]|1[0-9a-f]|7f|ad)|034f|061c|180e|200[b-f]|202[a-e]|206[0-9a-f]|feff)",
    re.IGNORECASE,
)
"""A character that nobody sees, or that controls something, as JSON escapes it."""
MOST_STARTS = 100
READ_AT_MOST = 4
"""How often a text may be read in looking for an answer."""
MOST_FAULTS = 10
SHORTER = (
    "That answer was too long and was cut before its end. Give it again, whole and much shorter, as one JSON "
    "object: one or two sentences, no long lists, nothing twice."
)
BRIEF: dict[str, dict[str, int]] = {"array": {"maxItems": 2}, "string": {"maxLength": 240}}
LONGEST_FAULT = 300
"""Characters; a fault can repeat what a model wrote."""


def checked(text: str, schema: type[T]) -> T | ValidationError:
    """The value in a text, or what is wrong with it."""
    try:
        return schema.model_validate_json(_ESCAPED.sub(r"\1", without_unseen(find_json(text))))
    except ValidationError as error:
        return error


def at_most(items: int) -> dict[str, JsonValue]:
    """For the schema of a list: how long an endpoint that holds answers to their form lets it grow.

    A longer one of another endpoint is taken all the same.
    """
    return {"maxItems": items}


def brief_form(schema: Any) -> Any:
    """A JSON schema whose lists end after a few items and whose texts after a few lines.

    For an answer that ran on: an endpoint that holds to it cannot run on again.
    """
    if isinstance(schema, list):
        return [brief_form(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    bounds = BRIEF.get(str(schema.get("type")), {}) if "enum" not in schema else {}
    return {name: brief_form(one) for name, one in schema.items()} | bounds


@lru_cache(maxsize=64)
def schema_request(schema: type[BaseModel]) -> str:
    """What a prompt says to get an answer that fits a schema."""
    form = form_of(schema.model_json_schema())
    return f"Answer with one JSON object and nothing else, of this form (? may be left out):\n{form}"


def find_json(text: str) -> str:
    """The first JSON object in a text, without words or code fences around it; else the text itself.

    Takes time in proportion to the text: one with too many false starts, or nested too deeply, holds no
    answer.
    """
    readable = READ_AT_MOST * len(text)
    for start in islice(START.finditer(text), MOST_STARTS):
        try:
            _, end = DECODER.raw_decode(text, start.start())
        except json.JSONDecodeError as error:
            reached = len(text) if error.msg.startswith("Unterminated") else error.pos
            readable -= reached - start.start()
        except (ValueError, RecursionError):  # a number of thousands of digits; brackets in brackets
            readable -= len(text)
        else:
            return text[start.start() : end]
        if readable < 0:
            break
    return text


def repair_request(error: ValidationError, *, cut: bool = False) -> str:
    """The message that asks for the answer again, with what was wrong with it.

    One that was `cut` at the limit of tokens is asked for in fewer words.
    """
    if cut:
        return SHORTER
    written = error.errors(include_url=False, include_context=False, include_input=False)[:MOST_FAULTS]
    faults = "\n".join(
        f"- {'.'.join(map(str, fault['loc'])) or 'the answer'}: {fault['msg']}"[:LONGEST_FAULT]
        for fault in written
    )
    again = "Give the whole answer again, corrected, as one JSON object."
    return f"That answer does not fit the schema:\n{faults}\n{again}"


def form_of(schema: Mapping[str, Any]) -> str:
    """The type that a JSON schema describes, on one line.

    A name that may be left out has a question mark. The description of a property follows it in brackets;
    those of whole objects are for programmers and are left out.
    """
    return _form(schema, schema.get("$defs", {}), 0)


def _form(given: Mapping[str, Any], named: Mapping[str, Any], depth: int) -> str:
    if depth > DEEPEST:
        return ANY
    if reference := given.get("$ref", ""):
        return _form(named.get(reference.rsplit("/", 1)[-1], {}), named, depth + 1)
    if "const" in given or "enum" in given:
        return " | ".join(map(_json, given.get("enum", [given.get("const")])))
    if choices := given.get("anyOf") or given.get("oneOf"):
        return " | ".join(dict.fromkeys(_form(one, named, depth + 1) for one in choices))
    if given.get("type") == "array":
        return f"[{_form(given.get('items', {}), named, depth + 1)}, ...]"
    if given.get("type") == "object" or "properties" in given:
        return _object(given, named, depth)
    return str(given.get("type", ANY))


def _object(given: Mapping[str, Any], named: Mapping[str, Any], depth: int) -> str:
    required = given.get("required", ())
    members = [
        f"{_json(name)}{'' if name in required else '?'}: {_form(one, named, depth + 1)}{_said(one)}"
        for name, one in given.get("properties", {}).items()
    ]
    if isinstance(others := given.get("additionalProperties"), Mapping):
        members.append(f"[name]: {_form(others, named, depth + 1)}")
    return f"{{{', '.join(members)}}}"


def _said(member: Mapping[str, Any]) -> str:
    return f" ({said})" if (said := str(member.get("description", ""))) else ""


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
