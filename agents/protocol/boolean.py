"""Boolean queries in the form that PubMed takes: read, checked, and matched against texts at hand.

(liposarcoma OR "adipocytic sarcoma") AND (prognos* OR survival) NOT review
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from agents.errors import WrongOrder
from retrieval.text.stems import stem

_TOKEN = re.compile(r'\(|\)|"[^"]*"|[^\s()"]+')
_FIELD = re.compile(r"\[[^\]]*\]")
_WORD = re.compile(r"[^\W_]+\*?")
OPERATORS = ("AND", "OR", "NOT")
LONGEST = 1000


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text as stems, in order."""

    line: str

    def has(self, term: str, quoted: bool) -> bool:
        """Whether it has the words of a term: side by side where they are quoted, `word*` for a beginning."""
        words = _WORD.findall(term.casefold())
        wild = any(word.endswith("*") for word in words)
        if quoted and not wild:
            return f" {' '.join(map(stem, words))} " in self.line
        return bool(words) and all(self._one(word) for word in words)

    def _one(self, word: str) -> bool:
        return f" {word[:-1]}" in self.line if word.endswith("*") else f" {stem(word)} " in self.line


@lru_cache(maxsize=4096)
def words_of(text: str) -> Words:
    """The words of a text."""
    return Words(f" {' '.join(stem(word) for word in _WORD.findall(text.casefold()))} ")


def joined(parts: Iterable[Words]) -> Words:
    """The words of several texts."""
    return Words("".join(one.line for one in parts))


@dataclass(frozen=True, slots=True)
class Node:
    """A term, or parts that are joined from left to right, as PubMed does; `op` is that before a part."""

    term: str = ""
    quoted: bool = False
    parts: tuple[tuple[str, "Node"], ...] = field(default=())

    def matches(self, words: Words) -> bool:
        """Whether a text is found by it."""
        if not self.parts:
            return words.has(self.term, self.quoted)
        found = self.parts[0][1].matches(words)
        for op, part in self.parts[1:]:
            own = part.matches(words)
            found = (found or own) if op == "OR" else found and (own if op == "AND" else not own)
        return found

    @property
    def terms(self) -> tuple[str, ...]:
        """Its terms, in order."""
        return (self.term,) if not self.parts else tuple(term for _, one in self.parts for term in one.terms)


def parsed(query: str) -> Node:
    """The query. Raises `WrongOrder` for one that cannot be read, and says why."""
    tokens = _TOKEN.findall(_FIELD.sub("", query))
    if len(query) > LONGEST or not tokens:
        raise WrongOrder(f"A query has 1 to {LONGEST} characters, as `(asthma OR wheeze) AND RNA-seq`.")
    node, left = _expression(tokens)
    if left:
        raise WrongOrder(f"The query {query!r} has a closing bracket too many.")
    return node


def _expression(tokens: list[str]) -> tuple[Node, list[str]]:
    """An expression and what follows it."""
    parts: list[tuple[str, Node]] = []
    op = "AND"
    while tokens and tokens[0] != ")":
        if tokens[0] in OPERATORS:
            op, tokens = tokens[0], tokens[1:]
            continue
        node, tokens = _part(tokens)
        parts.append((op, node))
        op = "AND"
    if not parts:
        raise WrongOrder("A query has an operator or brackets without a term. Write `(a OR b) AND c`.")
    return (parts[0][1] if len(parts) == 1 else Node(parts=tuple(parts))), tokens


def _part(tokens: list[str]) -> tuple[Node, list[str]]:
    """A term of one or more words, or an expression in brackets."""
    if tokens[0] == "(":
        node, rest = _expression(tokens[1:])
        if not rest:
            raise WrongOrder("A query lacks a closing bracket.")
        return node, rest[1:]
    if tokens[0].startswith('"'):
        return Node(tokens[0].strip('"'), True), tokens[1:]
    words = []
    while tokens and tokens[0] not in (*OPERATORS, "(", ")") and not tokens[0].startswith('"'):
        words.append(tokens[0])
        tokens = tokens[1:]
    return Node(" ".join(words)), tokens
