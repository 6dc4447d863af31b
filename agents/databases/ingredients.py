"""Names of products, salts and prescriptions as the ingredient that they mean (after RxNorm's rules).

    base_name("Metoprolol Succinate XL 50 mg Tab")  # "metoprolol"
    ingredients_of("LISINOPRIL; HYDROCHLOROTHIAZIDE")  # ("hydrochlorothiazide", "lisinopril")

Deterministic: what is no salt, dosage form, route, strength or remark is the ingredient. A name of salts
alone ("potassium chloride") stays as it is.
"""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from agents.databases.drugs import SALTS

WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
NO_INGREDIENT = SALTS | frozenset(WORDS["esters"].split())
FORMS = frozenset(WORDS["forms"].split())
LEFT_OUT = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\*\w+\*|\b(?:inv|nf)-(?=\w)", re.IGNORECASE)
STRENGTH = re.compile(
    r"(?<![a-z]-)\b\d[\d.,/]*\s*(?:%|mg|mcg|g|ml|meq|unit\w*|iu|hr)?(?:\s*/\s*\w+)?(?=\s|$|-)|%",
    re.IGNORECASE,
)
ISOTOPE = re.compile(
    r"\b(c|n|o|f|i|y|ga|tc|in|tl|rb|sm|lu|ra|cu|zr|xe|cr|sr)[ -]?"
    r"(11|13|15|18|51|64|67|68|82|89|90|99m|111|123|124|125|131|133|153|177|201|223)\b(?!\s*(?:mg|mcg|g|ml|%))",
    re.IGNORECASE,
)
"""A radionuclide ("C 11", "I-123"): its number is no strength."""
INVERTED = re.compile(
    r"^([a-z]+), (conjugated|esterified|human|purified|recombinant|synthetic)$", re.IGNORECASE
)
JOINT = re.compile(r"\s*(?:;|,|/|\+|\band\b|\bwith\b|&)\s*", re.IGNORECASE)


def base_name(name: str) -> str:
    """The ingredient that one name means, in small letters; "" for a name without letters."""
    plain = LEFT_OUT.sub(" ", name.casefold().replace("®", " ").replace("™", " "))
    bare = STRENGTH.sub(" ", ISOTOPE.sub(r"\1-\2", plain))
    words = [word.strip(".,:;*'\"") for word in bare.replace("_", " ").split()]
    words = [word for word in words if word.strip("-/")]
    named = [word for word in words if word not in FORMS]
    without = [word for word in named if word not in NO_INGREDIENT]
    return " ".join(without or named or words)


def in_order(name: str) -> str:
    """A name as it is said: what a list has behind a comma comes first ("Estrogens, Conjugated")."""
    return INVERTED.sub(r"\2 \1", LEFT_OUT.sub(" ", name).strip())


def ingredients_of(name: str) -> tuple[str, ...]:
    """The ingredients that a name lists ("A; B", "A and B", "A/B"), each once, in alphabetical order."""
    parts = (base_name(part) for part in JOINT.split(LEFT_OUT.sub(" ", name)))
    return tuple(sorted({part for part in parts if part}))


def spellings(names: Iterable[str]) -> tuple[str, ...]:
    """The names in small letters, each also without salt and form; what files are looked up under."""
    both = (one.casefold() for name in names for one in (name, base_name(name)))
    return tuple(dict.fromkeys(filter(None, both)))
