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
    asked = [Looked(query, "asked by the model") for output in outputs.values() for query in _asked(output)]
    values = tuple(dict.fromkeys(one for output in outputs.values() for one in _refused_values(output)))
    checked = [Looked("What was read and not taken", refused=values)] if values else []
    judges = dict.fromkeys(one for output in outputs.values() for one in _judges(output))
    return (*found, *asked, *checked, *(Looked("Statements were checked", f"by {one}") for one in judges))


def _search(found: dict[str, Any], searched: dict[str, Any], review: dict[str, Any]) -> Looked:
    """One search; that of a general question with the review that ranks what is closest."""
    kept = tuple(filter(None, (_spot(one) for one in _listed(review.get("closest")))))
    refused = tuple(
        Refusal(NOT_RANKED, spot=chunk)
        for chunk in filter(None, map(_spot, _listed(found.get("chunks"))))
        if review and not any(_within(one, chunk) for one in kept)
    )
    where, documents = str(searched.get("domain") or "all documents"), searched.get("documents")
    count, compared = documents if isinstance(documents, int) else 0, review.get("looked_at")
    more = (f"{compared} passages were compared.",) if isinstance(compared, int) else ()
    return Looked(str(searched.get("query", "")), where, count, kept, refused, more)


def _judges(output: Any) -> Iterator[str]:
    """What checked the claims of an output, wherever they are in it."""
    if isinstance(output, dict) and output.get("checked_by"):
        yield str(output["checked_by"])
    elif isinstance(output, dict | list):
        for one in output.values() if isinstance(output, dict) else output:
            yield from _judges(one)


def _refused_values(output: Any) -> Iterator[Refusal]:
    """Values that a guard refused, and claims that did not pass their check, wherever in an output."""
    if isinstance(output, list):
        for one in output:
            yield from _refused_values(one)
    if not isinstance(output, dict):
        return
    if {"value", "guard", "reason"} <= output.keys():
        yield Refusal(f"{output['reason']} ({output['guard']})", str(output["value"]))
    elif output.get("verdict") in ("unsupported", "contradicted") and output.get("text"):
        yield Refusal(str(output.get("reason") or output["verdict"]), str(output["text"]))
    else:
        for one in output.values():
            yield from _refused_values(one)


def _asked(output: Any) -> Iterator[str]:
    """The calls of tools in what a model said."""
    if isinstance(output, dict):
        for call in _listed(output.get("tool_calls")):
            arguments = _dict(_json(str(call.get("arguments", ""))))
            yield f"{call.get('name', '')}: {', '.join(f'{key} {value}' for key, value in arguments.items())}"
        for key, value in output.items():
            if key != "tool_calls":
                yield from _asked(value)


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
