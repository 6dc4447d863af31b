"""Loads the vocabularies: TOML files of regular expressions that an expert can edit (see README.md there)."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Term:
    """A named thing and the words for it; `forms` are weaker words that only imply it."""

    name: str
    words: re.Pattern[str]
    forms: re.Pattern[str] | None = None


def any_of(words: Iterable[str]) -> re.Pattern[str]:
    """One pattern for several expressions, case ignored, not inside longer words."""
    return re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(words)})(?![A-Za-z0-9])", re.IGNORECASE)


@cache
def load(name: str) -> dict[str, Any]:
    """A vocabulary file as written. Raises `FileNotFoundError` for an unknown name."""
    return tomllib.loads((files(__package__) / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def wording(name: str) -> re.Pattern[str]:
    """A wording of `wording.toml`. Raises `KeyError` for an unknown name."""
    return any_of(load("wording")[name])


@cache
def terms(vocabulary: str) -> tuple[Term, ...]:
    """The named terms of a vocabulary file, in its order."""
    return tuple(
        Term(entry["name"], any_of(entry["words"]), any_of(entry["forms"]) if entry.get("forms") else None)
        for entry in load(vocabulary)["terms"]
    )


@cache
def any_term(vocabulary: str) -> re.Pattern[str]:
    """One pattern for all words and forms of a vocabulary, to pass over texts that name none of its terms."""
    entries = load(vocabulary)["terms"]
    return any_of(word for entry in entries for word in (*entry["words"], *entry.get("forms", ())))
