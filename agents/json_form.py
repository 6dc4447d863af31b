"""A JSON schema as a type: what a prompt says of the form of an answer, in a quarter of the schema's room.

    {"outcome": "answered" | "nothing", "short": string (with its unit), "keys"?: [string, ...]}

Lists look as they do in JSON: after `{...}[]` small models wrote one object and no list. The answer is
validated against the whole schema all the same.
"""

import json
from collections.abc import Mapping
from typing import Any

DEEPEST = 12
"""Levels that are told; deeper ones, as of a type that holds itself, are "value"."""
ANY = "value"


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
