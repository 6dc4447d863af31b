"""What an archive run looked at, read from what its steps keep.

A trace is also shown of runs that another version carried out, so nothing here depends on a step's exact
form: what cannot be read is left out.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from agents.evidence.looked import Looked, Refusal, Spot
from agents.runs.records import StepRecord

SEARCH, REVIEW = "search/", "review/"
NOT_RANKED = "Others answer the question more closely."


def looked(steps: Sequence[StepRecord]) -> tuple[Looked, ...]:
    """The searches of a run in their order, with what became of what they found; then what was refused."""
    outputs = {step.name: _json(step.output) for step in steps if not step.error}
    found = [
        _search(one, searched, _dict(outputs.get(name.replace(SEARCH, REVIEW, 1))))
        for name, output in outputs.items()
        if name.startswith(SEARCH)
        for one in _listed(output)
        for searched in _listed(one.get("searched"))
    ]
    objects = [one for output in outputs.values() for one in _objects(output)]
    calls = [call for one in objects for call in _listed(one.get("tool_calls"))]
    asked = [Looked(_call(call), "asked by the model") for call in calls]
    values = tuple(dict.fromkeys(filter(None, map(_refused, objects))))
    checked = [Looked("What was read and not taken", refused=values)] if values else []
    judges = dict.fromkeys(str(one["checked_by"]) for one in objects if one.get("checked_by"))
    return (*found, *asked, *checked, *(Looked("Statements were checked", f"by {one}") for one in judges))


def _search(found: dict[str, Any], searched: dict[str, Any], review: dict[str, Any]) -> Looked:
    """One search; that of a general question with the review that tells what answers or is near."""
    kept = tuple(filter(None, map(_spot, _listed(review.get("told") or review.get("closest")))))
    refused = tuple(
        Refusal(NOT_RANKED, spot=chunk)
        for chunk in filter(None, map(_spot, _listed(found.get("chunks"))))
        if review and not any(_within(one, chunk) for one in kept)
    )
    where, documents = str(searched.get("domain") or "all documents"), searched.get("documents")
    count = documents if isinstance(documents, int) else 0
    return Looked(str(searched.get("query", "")), where, count, kept, refused)


def _objects(output: Any) -> Iterator[dict[str, Any]]:
    """All objects in an output, outer ones first."""
    if isinstance(output, dict):
        yield output
    for one in output.values() if isinstance(output, dict) else output if isinstance(output, list) else ():
        yield from _objects(one)


def _refused(one: dict[str, Any]) -> Refusal | None:
    """A value that a guard refused, or a claim that did not pass its check."""
    if {"value", "guard", "reason"} <= one.keys():
        return Refusal(f"{one['reason']} ({one['guard']})", str(one["value"]))
    if one.get("verdict") in ("unsupported", "contradicted") and one.get("text"):
        return Refusal(str(one.get("reason") or one["verdict"]), str(one["text"]))
    return None


def _call(call: dict[str, Any]) -> str:
    """A call of a tool that a model made, in a line."""
    arguments = _dict(_json(str(call.get("arguments", ""))))
    return f"{call.get('name', '')}: {', '.join(f'{key} {value}' for key, value in arguments.items())}"


def _within(spot: Spot, chunk: Spot) -> bool:
    return spot.doc_id == chunk.doc_id and chunk.start <= spot.start < max(chunk.end, chunk.start + 1)


def _spot(value: dict[str, Any]) -> Spot | None:
    doc_id, start, end = value.get("doc_id"), value.get("start"), value.get("end", 0)
    if not (isinstance(doc_id, str) and isinstance(start, int) and isinstance(end, int)):
        return None
    return Spot(doc_id, start, end)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _listed(value: Any) -> list[dict[str, Any]]:
    """The objects in a value: those of a list, or the value itself."""
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
