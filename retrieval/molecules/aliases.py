"""Which names a document says are one molecule: "A (B)", "A, formerly B", "B was renamed A", "B, also known
as A", front matter.

Precision comes first: two molecules merged by mistake are worse than an alias that was missed. A parenthesis
may hold an indication, a class, a dose or a company, so what stands in it must look like a name.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from retrieval.molecules.codes import (
    DASH,
    PAIRED,
    code_key,
    excluded,
    is_code,
    is_generic,
    is_measure,
    looks_generic,
    may_be_generic,
)
from retrieval.molecules.lexicon import SALTS

_CODE = (
    rf"[A-Z][A-Za-z]{{0,5}}(?:{DASH}[A-Z]{{1,4}})?(?:{DASH}|[ \u00a0\u202f])?"
    rf"(?:\d{{1,3}},\d{{3}}|{PAIRED}|\d{{2,8}})(?:[A-Z]{{1,3}}|[a-z])?(?!\w|{DASH}\d)"
)
_WORD = rf"[A-Za-z][a-z]{{4,19}}(?:[ ]{SALTS})?(?![\w-])"


def _name(group: str) -> str:
    return rf"(?<![\w/])(?<![A-Za-z0-9]-)(?P<{group}>{_CODE}|{_WORD})"


A, B = _name("a"), _name("b")
_THE = (
    r"(?:the |its |an? )?(?:(?:compound|laboratory|development|company|research|project|drug|code|name|INN|"
)
_THE += r"generic|non-?proprietary|old|former|new|international|substance)[ ])*[:\"“'(]?"
_BE = r"(?:is|was|were|has been|had been|have been|will be|being|,)"

PARENTHESIS = re.compile(rf"{A}\s?\(\s*(?P<inner>[^()]{{3,60}})\)")
FORMER = re.compile(
    rf"{A},?\s*\(?(?:formerly|previously|originally|earlier|until \d{{4}}|ex)\b,?\s*"
    rf"(?:known|called|named|designated|coded|referred to|developed)?\s*(?:as|under)?\s*{_THE}{B}"
)
ALSO = re.compile(
    rf"{A},?\s*\(?(?:{_BE}\s+)?(?:also\s+(?:known|called|named|designated|coded|referred to)(?:\s+as)?"
    rf"|a\.?k\.?a\.?|alias|synonyms?:?|INN:?|internally (?:called|coded))\s+{_THE}{B}"
)
RENAMED = re.compile(
    rf"{B},?\s+(?:{_BE}\s+)?(?:\w+ly\s+)?(?:renamed|re-named|redesignated|relabell?ed|recoded|now\s+"
    rf"(?:known|called|named|designated|coded|referred to))(?:\s+(?:as|to|into))?\s+{_THE}{A}"
)
BECAME = re.compile(rf"{B}\s+(?:becomes|became|is now|has become)\s+{_THE}{A}")
NAMED_FOR = re.compile(
    rf"(?:non-?proprietary name|generic name|INN|code name|new name|trade name)\s*[,:(“\"]?\s*{A}[”\"]?"
    rf"[^.;]{{0,60}}?\b(?:for|to|of)\s+{B}"
)
NAME_OF = re.compile(
    rf"(?:non-?proprietary name|generic name|INN|code name|old code|former code|new code|code)\s*\)?"
    rf"\s*(?:of|for)\s+{B}\s+(?:is|was|will be|reads|:)\s+{_THE}{A}"
)
EXPLICIT = (
    (FORMER, True),
    (ALSO, True),
    (RENAMED, True),
    (BECAME, True),
    (NAMED_FOR, False),
    (NAME_OF, False),
)
INNER_LABEL = re.compile(
    r"(?:(?:INN|also known as|also|formerly|previously|originally|a\.?k\.?a\.?|i\.e\.,?|hereafter|now|"
    r"known as|coded|"
    r"(?:(?:laboratory|development|research|company|compound|former|old|earlier|internal|project)\s+)*"
    r"(?:code|name|designation))[:,]?\s+)+",
    re.I,
)
FORMER_LABEL = re.compile(r"(?:formerly|previously|originally|(?:former|old|earlier)\s)", re.I)
PARTS = re.compile(r"\s*(?:;|/(?!\d))\s*|,\s+(?!\d)|\s+or\s+")
"""What stands between several names in one parenthesis."""
MOLECULE_FIELDS = (
    "molecule_codes_mentioned", "molecules", "molecule", "compounds", "compound", "drugs", "drug",
    "molecule_codes", "compound_codes", "substance", "test_article", "test_item",
)  # fmt: skip
ALIAS_FIELDS = (
    "aliases",
    "alias",
    "synonyms",
    "other_names",
    "former_codes",
    "formerly",
    "also_known_as",
    "inn",
)


@dataclass(frozen=True, slots=True)
class Alias:
    """Two names of one molecule; `current` is the code, or the newer one of two codes."""

    current: str
    other: str


def renamed(text: str) -> Iterator[Alias]:
    """The aliases that a text states in words, as written, in the order of the patterns."""
    for pattern, directed in EXPLICIT:
        for match in pattern.finditer(text):
            a, b = match["a"], match["b"]
            if both_names(a, b):
                yield Alias(a, b) if directed and is_code(a) and is_code(b) else _ordered(a, b)


def bracketed(text: str) -> Iterator[Alias]:
    """What may be aliases: a name in brackets behind another one. Strains have mutations there."""
    for match in PARENTHESIS.finditer(text):
        yield from _in_parenthesis(match["a"], match["inner"], text)


def _in_parenthesis(outer: str, inside: str, text: str) -> Iterator[Alias]:
    """Names in "A (B)" and in "A (B, formerly C; INN: D)"."""
    for part in PARTS.split(inside):
        former = FORMER_LABEL.match(part.strip())
        inner = INNER_LABEL.sub("", part.strip(), count=1).strip(" \"'“”")
        if re.fullmatch(f"{_CODE}|{_WORD}", inner) and _parenthetical(outer, inner, text):
            directed = former is not None and is_code(outer)
            yield Alias(outer, inner) if directed else _ordered(outer, inner)


def both_names(a: str, b: str) -> bool:
    """Whether both can be names, at least one of them a code or both plain substances' names."""
    if not all(_is_name(name) for name in (a, b)) or code_key(a) == code_key(b):
        return False
    return is_code(a) or is_code(b) or (is_generic(a.split()[0]) and is_generic(b.split()[0]))


def _is_name(name: str) -> bool:
    if is_code(name):
        prefix = re.match(rf"[A-Za-z]+(?:{DASH}[A-Za-z]+)?", name)
        return prefix is not None and not excluded(prefix[0]) and not is_measure(name)
    return bool(name.strip()) and may_be_generic(name.split()[0])


def _parenthetical(outer: str, inner: str, text: str) -> bool:
    """Whether "outer (inner)" can be two names of a molecule.

    One is a code, the other a code with another prefix, or a word that looks like a substance and that the
    text writes in lower case too, as it would not write a company.
    """
    if not both_names(outer, inner) or not (is_code(outer) or is_code(inner)):
        return False
    if is_code(outer) and is_code(inner):
        return re.match(r"[A-Za-z]+", outer)[0].lower() != re.match(r"[A-Za-z]+", inner)[0].lower()  # type: ignore[index]
    word = (inner if is_code(outer) else outer).split()[0]
    return is_generic(word) or (
        looks_generic(word) and (word.islower() or re.search(rf"\b{word.lower()}\b", text) is not None)
    )


def _ordered(a: str, b: str) -> Alias:
    """The code first; of two codes or two words the one named first."""
    return Alias(b, a) if is_code(b) and not is_code(a) else Alias(a, b)


def from_metadata(metadata: Mapping[str, object]) -> tuple[list[str], list[Alias]]:
    """Names and aliases in front matter: a text, a list of texts, or of `{name: ..., aliases: ...}`."""
    fields = {re.sub(r"\W+", "_", str(key).lower()): value for key, value in metadata.items()}
    names: list[str] = []
    found: list[Alias] = []
    for value in filter(None, map(fields.get, MOLECULE_FIELDS)):
        for entry in value if isinstance(value, list | tuple) else [value]:
            described = entry if isinstance(entry, Mapping) else {"name": entry}
            own = _strings(described.get("name") or described.get("code"))
            names += own
            others = (other for field in ALIAS_FIELDS for other in _strings(described.get(field)))
            found += [Alias(own[0], other) for other in others if own]
    if len({code_key(name) for name in names}) == 1:
        found += [Alias(names[0], other) for field in ALIAS_FIELDS for other in _strings(fields.get(field))]
    keys = ((alias, code_key(alias.current), code_key(alias.other)) for alias in found)
    return names, [alias for alias, current, other in keys if current and other and current != other]


def _strings(value: object) -> list[str]:
    """Names in a text or in a list of texts, split at commas."""
    if isinstance(value, list | tuple):
        return [name for entry in value for name in _strings(entry)]
    if not isinstance(value, str):
        return []
    parts = (part.strip() for part in re.split(r"[;|\n]|,(?!\d{3})", value))
    return [part for part in parts if 2 <= len(part) <= 60 and any(c.isalpha() for c in part)]
