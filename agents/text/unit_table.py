"""The simple units of pharmaceutical text, each with its kind and its factor to that kind's base unit."""

from dataclasses import dataclass

PREFIXES = {
    "p": ("pico", 1e-12),
    "n": ("nano", 1e-9),
    "µ": ("micro", 1e-6),
    "m": ("milli", 1e-3),
    "1": ("", 1.0),
    "k": ("kilo", 1e3),
    "M": ("mega", 1e6),
}

BASES = {
    "mass": "mg",
    "substance": "nmol",
    "molar": "nM",
    "iu": "IU",
    "activity": "U",
    "radioactivity": "MBq",
    "volume": "mL",
    "equivalent": "mEq",
    "cells": "cell",
    "tablet": "tablet",
    "capsule": "capsule",
    "puff": "puff",
    "percent": "%",
    "fold": "fold",
    "pressure": "mmHg",
    "kilopascal": "kPa",
    "beats": "beat",
    "pulse": "bpm",
    "temperature": "°C",
    "voltage": "mV",
    "frequency": "Hz",
    "length": "mm",
    "dalton": "Da",
    "energy": "kcal",
    "time": "h",
    "month": "month",
    "body": "kg",
    "area": "m2",
    "tissue": "g",
    "day": "day",
    "week": "week",
    "breath": "breath",
    "eye": "eye",
    "animal": "animal",
    "litter": "litter",
}
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


def _family(kind: str, base: float, prefixes: str, symbols: str, words: str = "") -> dict[str, Atom]:
    """An SI family; `base` is the factor of the unit without a prefix ("1")."""
    atoms = {}
    for prefix in prefixes.split():
        word, scale = PREFIXES[prefix]
        letters = {"1": ("",), "µ": ("µ", "u")}.get(prefix, (prefix,))
        names = [letter + symbol for letter in letters for symbol in symbols.split()]
        names += [word + name + plural for name in words.split() for plural in ("", "s")]
        atoms.update(dict.fromkeys(names, Atom(kind, scale * base)))
    return atoms


def _names(kind: str, factor: float, *names: str) -> dict[str, Atom]:
    return dict.fromkeys(names, Atom(kind, factor))


ATOMS: dict[str, Atom] = {
    **_family("mass", 1e3, "p n µ m 1 k", "g", "gram gramme"),
    **_names("mass", 1e-3, "mcg"),
    **_names("mass", 1e3, "gm"),
    **_names("mass", 1e6, "kilo", "kilos"),
    **_family("substance", 1e9, "p n µ m 1", "mol", "mole"),
    **_family("molar", 1e9, "p n µ m 1", "M", "molar"),
    **_family("iu", 1.0, "µ m 1 k M", "IU"),
    **_names("iu", 1.0, "international unit", "international units", "I.U."),
    **_family("activity", 1.0, "µ m 1 k", "U", "unit"),
    **_family("radioactivity", 1e-6, "1 k M", "Bq", "becquerel"),
    **_family("radioactivity", 37e3, "n µ m 1", "Ci", "curie"),
    **_family("volume", 1e3, "n µ m 1", "L l", "litre liter"),
    **_names("volume", 100.0, "dL", "dl", "decilitre", "deciliter"),
    **_names("volume", 1.0, "cc", "cm3", "cm³", "cm^3", "cm 3"),
    **_names("volume", 1e-3, "mm3", "mm³", "mm^3", "mm 3"),
    **_names("equivalent", 1.0, "mEq"),
    **_names("cells", 1.0, "cell", "cells"),
    **_names("tablet", 1.0, "tablet", "tablets", "tab", "tabs"),
    **_names("capsule", 1.0, "capsule", "capsules"),
    **_names("puff", 1.0, "puff", "puffs"),
    **_names("percent", 1.0, "%", "percent", "per cent", "percentage point", "percentage points"),
    **_names("percent", 1.0, "w/v%", "w/w%", "v/v%"),
    **_names("fold", 1.0, "fold", "x", "×", "times"),
    **_names("pressure", 1.0, "mmHg", "mm Hg", "torr"),
    **_names("pressure", 0.735559, "cmH2O", "cm H2O"),
    **_names("kilopascal", 1.0, "kPa"),
    **_names("beats", 1.0, "beat", "beats"),
    **_names("pulse", 1.0, "bpm", "b.p.m."),
    **_names("temperature", 1.0, "°C", "° C", "degrees C", "degrees Celsius"),
    **_family("voltage", 1e3, "µ m 1", "V", "volt"),
    **_family("frequency", 1.0, "1 k M", "Hz", "hertz"),
    **_family("length", 1e3, "n µ m k", "m", "metre meter"),
    **_names("length", 1e3, "metre", "metres", "meter", "meters"),
    **_names("length", 10.0, "cm", "centimetre", "centimetres", "centimeter", "centimeters"),
    **_names("dalton", 1.0, "Da", "dalton", "daltons"),
    **_names("dalton", 1e3, "kDa"),
    **_names("energy", 1.0, "kcal"),
    **_names("time", 1 / 3.6e6, "ms", "msec", "millisecond", "milliseconds"),
    **_names("time", 1 / 3600, "s", "sec", "secs", "second", "seconds"),
    **_names("time", 1 / 60, "min", "mins", "minute", "minutes"),
    **_names("time", 1.0, "h", "hr", "hrs", "hour", "hours", "Stunde", "Stunden", "heure", "heures"),
    **_names("time", 24.0, "d", "day", "days", "Tag", "Tage", "Tagen", "jour", "jours"),
    **_names("time", 168.0, "wk", "wks", "week", "weeks", "Woche", "Wochen", "semaine", "semaines"),
    **_names("month", 1.0, "mo", "month", "months", "Monat", "Monate", "Monaten", "mois"),
    **_names("month", 12.0, "y", "yr", "yrs", "year", "years", "Jahr", "Jahre", "Jahren"),
}

PER_BODY: dict[str, Atom] = {
    **_names("body", 1.0, "kg", "kilogram", "kilograms", "kilogramme", "kilo"),
    **_names("area", 1.0, "m2", "m²", "m^2", "m 2", "sq m", "sqm", "square metre", "square meter"),
    **_names("tissue", 1.0, "g", "gram", "gramme"),
    **_names("tissue", 1e-3, "mg"),
    **_names("day", 1.0, "d", "day", "24 h", "24 hr", "24 hours", "24h"),
    **_names("week", 1.0, "wk", "week"),
    **_names("breath", 1.0, "breath"),
    **_names("eye", 1.0, "eye"),
    **_names("animal", 1.0, "animal"),
    **_names("litter", 1.0, "litter"),
}
"""Denominators with a meaning of their own: weight and surface of the body, weight of tissue, dosing time,
and what is counted one by one.
"""
