"""Annotated sections of labels, in the form of the TAC 2017 task as OnSIDES publishes it (JSON)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from agents.errors import WrongFile
from agents.vigilance.extraction.values import Annotated, LabelSection

HUMAN = "human"


def read_annotated(path: Path) -> list[LabelSection]:
    """The sections of a file, or of all JSON files of a folder in the order of their names.

    Mentions without a preferred term are left out.

    Raises:
        WrongFile: if there is no such file, or one has another form.
    """
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        raise WrongFile(f"{path} holds no JSON file of annotated label sections.")
    return [section for file in files for section in _of_file(file)]


def _of_file(file: Path) -> list[LabelSection]:
    try:
        listed: Sequence[dict[str, Any]] = orjson.loads(file.read_bytes())
        return [_section(one) for one in listed]
    except OSError as error:
        raise WrongFile(f"{file} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise WrongFile(
            f"{file} is not a list of label sections: each needs label_id, section_name, section_text and "
            "adverse_events."
        ) from error


def _section(one: dict[str, Any]) -> LabelSection:
    events = [
        Annotated(str(event[0]), str(event[1]), str(event[3] or ""), event[7] == HUMAN)
        for event in one["adverse_events"]
        if event[1]
    ]
    return LabelSection(
        str(one["label_id"]), str(one["section_name"]), str(one["section_text"]), tuple(events)
    )
