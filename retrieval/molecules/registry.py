"""The molecules a document names, and the archive's registry of them."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from retrieval.molecules.aliases import Alias, from_metadata, learn
from retrieval.molecules.codes import code_key, codes, is_code, is_generic
from retrieval.values import DocumentRecord, Molecule

WORD = re.compile(r"[^\W\d_]{4,}")


def document_names(
    text: str, title: str = "", metadata: Mapping[str, object] | None = None
) -> tuple[tuple[str, ...], ...]:
    """Names of the molecules in one document, a group for each molecule, its current name first.

    Codes are recognised by shape and surroundings, aliases by what the text says, non-proprietary names by
    being an alias, standing in the title with an INN stem, or being listed in front matter.
    """
    whole = f"{title}\n\n{text}"
    spellings = codes(whole, title)
    listed, stated = from_metadata(metadata or {})
    aliases = [*stated, *learn(whole)]
    for name in (*listed, *(name for alias in aliases for name in (alias.current, alias.other))):
        spellings.setdefault(code_key(name), Counter())[name] += 1
    for word in WORD.findall(title):
        if is_generic(word):
            spellings.setdefault(code_key(word), Counter())[word] += 1
    groups = _merge(spellings, aliases)
    return tuple(tuple(_by_use(spellings, key) for key in group) for group in groups)


def _by_use(spellings: Mapping[str, Counter[str]], key: str) -> str:
    """The spelling used most: hyphenated codes and lower-case words win ties."""
    counts = spellings[key]
    best = max(counts, key=lambda name: (counts[name], "-" in name, name))
    lower = best.lower()
    return best if is_code(best) or len(lower) < 4 else lower


def _merge(keys: Iterable[str], aliases: Iterable[Alias]) -> list[list[str]]:
    """Groups of keys that aliases connect, in order of first use; within a group the current names first."""
    parent = {key: key for key in keys}

    def root(key: str) -> str:
        while parent[key] != key:
            key = parent[key]
        return key

    old: Counter[str] = Counter()
    for alias in aliases:
        current, other = code_key(alias.current), code_key(alias.other)
        if current in parent and other in parent:
            old[other] += 1
            parent[root(other)] = root(current)
    groups: dict[str, list[str]] = defaultdict(list)
    for key in parent:
        groups[root(key)].append(key)
    return [sorted(group, key=lambda key: old[key]) for group in groups.values()]


def build_registry(records: Iterable[DocumentRecord]) -> list[Molecule]:
    """The molecules of an archive, ordered by name, from the names in its records.

    Spellings are one by their key; names are one if a document says so, transitively; a code with one more
    letter ("AB-1234C") is a form of the code without it, if the archive knows that. Canonical is the name
    that documents put first most often, codes before words, with a hyphen where any document has one.
    `documents` counts the documents that name it.
    """
    spellings: dict[str, Counter[str]] = {}
    first: Counter[str] = Counter()
    aliases: list[Alias] = []
    naming: dict[str, set[str]] = defaultdict(set)
    for record in records:
        for name in (*(name for group in record.names for name in group), *record.molecules):
            naming[code_key(name)].add(record.doc_id)
        for group in record.names:
            first[code_key(group[0])] += 1
            aliases += [Alias(group[0], other) for other in group[1:]]
            for name in group:
                spellings.setdefault(code_key(name), Counter())[name] += 1
    aliases += _forms(spellings)
    molecules = [_molecule(group, spellings, first, naming) for group in _merge(spellings, aliases)]
    return sorted(molecules, key=lambda molecule: molecule.name)


def _forms(spellings: Mapping[str, Counter[str]]) -> Iterator[Alias]:
    for key in spellings:
        form = re.fullmatch(r"([a-z]{2,}\d{3,})[a-z]", key)
        if form and form[1] in spellings:
            yield Alias(form[1], key)


def _molecule(
    group: list[str],
    spellings: Mapping[str, Counter[str]],
    first: Counter[str],
    naming: Mapping[str, set[str]],
) -> Molecule:
    order = {key: -i for i, key in enumerate(group)}
    best = max(group, key=lambda key: (is_code(_by_use(spellings, key)), first[key], order[key]))
    name = max(spellings[best], key=lambda spelling: ("-" in spelling, spelling == _by_use(spellings, best)))
    others = {spelling for key in group for spelling in spellings[key]} - {name}
    documents = set().union(*(naming[key] for key in group))
    return Molecule(name, tuple(sorted(others)), len(documents))
