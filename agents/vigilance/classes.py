"""Classes of drugs by the words that people use. A class is one definition, versioned and edited as a whole.

    class_of("ACE inhibitors")                        # its terms in the NDC directory
    class_of("antibiotics (tetracyclines, sulfonamides)")   # a class of two parts
    edited(beta_blockers, "without timolol")          # version 2

What the table does not know is looked up by the finder: as a class term, then as a drug.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from agents.vigilance.outcomes import singular
from agents.vigilance.values import DrugClass

TABLE = Path(__file__).with_name("classes.toml")
KIND = re.compile(r"\s*\[[\w/]+\]\s*$")
AROUND = re.compile(
    r"^(?:the|all|any|class(?:es)? of|drugs? like|a|an|taking|using|giving|(?:use|intake) of"
    r"|(?:treatment|therapy) with)\s+|\s+(?:drugs?|class|agents?|medications?|medicines?"
    r"|therapy|use|treatment|as a class)$",
    re.IGNORECASE,
)
PARTS = re.compile(r"^(?P<name>[^()=:]+?)\s*(?:\((?P<parts>[^()]+)\)|[=:]\s*(?P<listed>.+))$")
LISTED = re.compile(r"\s*(?:,|;|\+|\band\b|\bor\b)\s*", re.IGNORECASE)
REMARK = re.compile(r"\s*\((?:usp|nf|bp|jp|inn)\)", re.IGNORECASE)
"""The pharmacopoeia behind a name; no part of a class."""
EDIT = re.compile(
    r"^(?P<doing>add|include|with|remove|without|exclude|drop|leave out)\s+(?P<drugs>.+)$", re.I
)
ADDING = ("add", "include", "with")


@lru_cache(maxsize=1)
def known_classes() -> Mapping[str, DrugClass]:
    """The table: every class under each of its words, in `plain` form."""
    found: dict[str, DrugClass] = {}
    for row in tomllib.loads(TABLE.read_text(encoding="utf-8"))["class"]:
        terms, drugs, parts = (tuple(row.get(name, ())) for name in ("terms", "drugs", "parts"))
        one = DrugClass(row["name"], terms, drugs, parts=parts)
        found |= {plain(word): one for word in (row["name"], *row["words"])}
    return found


def class_of(written: str) -> DrugClass:
    """The class that somebody wrote; one without terms and drugs where the table does not know it.

    Drugs in brackets or behind "=" are its definition: "X (a, b)" is the class X of the classes or drugs a
    and b, each a part of its own.
    """
    asked = REMARK.sub("", " ".join(written.replace("_", " ").split()).strip(" .?!\"'"))
    if (found := PARTS.match(asked)) and plain(asked) not in known_classes():
        parts = LISTED.split(found["parts"] or found["listed"])
        return DrugClass(found["name"].strip(), parts=tuple(filter(None, parts)), asked=asked)
    known = known_classes().get(plain(asked))
    return replace(known, asked=asked) if known else DrugClass(bare(asked), asked=asked)


def parts_of(one: DrugClass) -> tuple[DrugClass, ...]:
    """The parts of a class as they are after its edits: a drug that was taken out is in none, and drugs that
    were added are a part of their own.
    """
    out = set(one.without)
    parts = [class_of(part) for part in one.parts if part.casefold() not in out]
    kept = [replace(part, drugs=tuple(drug for drug in part.drugs if drug not in out)) for part in parts]
    named = [part for part, all_of_it in zip(kept, parts, strict=True) if part.drugs or not all_of_it.drugs]
    added = [DrugClass(f"drugs added to {one.name}", drugs=one.drugs)] if one.drugs else []
    without = [replace(part, without=(*part.without, *one.without)) for part in named]
    return tuple(replace(part, version=one.version) for part in (*without, *added))


def bare(written: str) -> str:
    """A name without what a sentence puts around it."""
    text = " ".join(written.split()).strip(" .?!\"'")
    while (shorter := AROUND.sub("", text).strip()) != text and shorter:
        text = shorter
    return text


def plain(written: str) -> str:
    """A class's name or term to compare by: small letters, singular, without kind, hyphens and "drug"."""
    text = KIND.sub("", bare(written)).casefold().replace("β", "beta").translate(str.maketrans("-/_", "   "))
    return singular(" ".join(text.split()))


def edited(one: DrugClass, wish: str) -> DrugClass | None:
    """The next version of a class after "add X" or "without Y"; None for a wish of another form."""
    if (found := EDIT.match(wish.strip(" .!"))) is None:
        return None
    listed = (re.sub(r"\s+(?:to|from)\s+.*$", "", drug) for drug in LISTED.split(found["drugs"]) if drug)
    drugs = tuple(name.casefold().strip() for name in listed)
    adds = found["doing"].casefold() in ADDING
    here, there = (one.drugs, one.without) if adds else (one.without, one.drugs)
    here = tuple(dict.fromkeys((*here, *drugs)))
    there = tuple(drug for drug in there if drug not in drugs)
    named, without = (here, there) if adds else (there, here)
    return replace(one, drugs=named, without=without, version=one.version + 1)
