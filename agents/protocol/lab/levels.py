"""How bad it is that a program failed: the four levels of the paper (table 1), by rules over what it said.

1 minor: files, packages, network · 2 moderate: syntax, names, types · 3 major: parameters, indices, memory ·
4 severe: algorithm or logic; what nobody recognises is taken for severe.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agents.programs.kept import Ran

RULES = tomllib.loads(Path(__file__).with_name("levels.toml").read_text(encoding="utf-8"))["rule"]
"""The first that fits decides."""
SEVERE = 4
ERROR = re.compile(r"^(Error|Fehler|Traceback|\w*Error\b|Execution halted)", re.M)
LONGEST = 1_500
"""Characters of what a program said that are told."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a program failed, and its level from 1 to 4."""

    level: int
    reason: str


def failure(ran: Ran, promised: Sequence[str]) -> Failure | None:
    """What is wrong with a program that ran; None if it ended well and left what it promised, not empty."""
    if not ran.well:
        said = ran.reason or error_of(ran.err) or f"it ended with status {ran.code}"
        return Failure(level_of(said), said)
    left = {one.name for one in ran.files if one.size}
    if missing := [name for name in promised if name not in left]:
        return Failure(SEVERE, f"it did not write {', '.join(missing)}")
    return None


def level_of(said: str) -> int:
    """The level of an error by what was said."""
    return next((int(one["level"]) for one in RULES if re.search(one["pattern"], said, re.I)), SEVERE)


def error_of(err: str) -> str:
    """The error in what a program wrote to its standard error: from where it begins."""
    begins = [match.start() for match in ERROR.finditer(err) if not match[0].startswith("Execution")]
    text = err[begins[-1] :] if begins else err
    return text.replace("Execution halted", "").strip()[-LONGEST:]
