"""The simple units of pharmaceutical text, each with its kind and its factor to that kind's base unit."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

_FILE = tomllib.loads(files("agents.text").joinpath("units.toml").read_text(encoding="utf-8"))

BASES: Mapping[str, str] = _FILE["standard"]
"""Standard unit of each kind, in the order in which the parts of a compound unit are written."""

DOSE_SYMBOLS = frozenset(
    amount + per
    for amount in ("mg", "nmol", "IU", "U", "MBq", "tablet", "capsule", "puff")
    for per in ("", "/kg", "/kg/day", "/kg/week", "/m2", "/m2/day", "/m2/week", "/day", "/week")
)
"""Standard units in which a dose can be given."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A simple unit: its kind, and the factor to the base unit of that kind."""

    kind: str
    factor: float


def _atoms(rows: Iterable[Mapping[str, Any]]) -> dict[str, Atom]:
    atoms = {}
    for row in rows:
        factor = float(row["factor"]) if "factor" in row else 1 / row["parts"]
        atoms.update(dict.fromkeys(row.get("names", ()), Atom(row["kind"], factor)))
        for prefix in row.get("prefixes", "").split():
            word, scale = _FILE["prefixes"][prefix]
            letters = {"1": ("",), "µ": ("µ", "u")}.get(prefix, (prefix,))
            names = [letter + symbol for letter in letters for symbol in row["symbols"].split()]
            names += [word + name + plural for name in row.get("words", "").split() for plural in ("", "s")]
            atoms.update(dict.fromkeys(names, Atom(row["kind"], scale * factor)))
    return atoms


ATOMS = _atoms(_FILE["unit"])
PER_BODY = _atoms(_FILE["per_body"])
"""Denominators with a meaning of their own: weight and surface of the body, weight of tissue, dosing time,
and what is counted one by one.
"""
