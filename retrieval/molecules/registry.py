"""The molecules a document names, and the archive's registry of them."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from retrieval.groups import grouped
from retrieval.molecules.aliases import Alias, bracketed, from_metadata, renamed
from retrieval.molecules.beside import is_added
from retrieval.molecules.codes import (
    WORD,
    code_key,
    codes,
    is_code,
    is_generic,
    is_measure,
    is_unusual,
    series,
)
from retrieval.molecules.declared import declared
from retrieval.molecules.name_tables import learn_from_tables, listed_in_tables
from retrieval.values import DocumentRecord, Molecule

CALLED = 3
"""A number is a study's unless more than so many times as many documents write it without saying so."""
FILED = re.compile(r"([A-Z]{2,})(?:-[A-Z]{1,5})+-?\d[\d-]*(?=[_ ]|$)")
"""The number of a document, also at the head of its id: a house, one discipline at least and a counter. No
molecule has two groups of letters.
"""


@dataclass(frozen=True, slots=True)
class DocumentNames:
    """Names of the molecules in one document, a group for each molecule, its current name first.

    `unsupported` have the shape of a code, and nothing in the document tells what they are. `studies` are
    numbers that it introduces as those of studies or reports.
    """

    groups: tuple[tuple[str, ...], ...] = ()
    unsupported: tuple[str, ...] = ()
    studies: tuple[str, ...] = ()


def document_names(text: str, title: str = "", metadata: Mapping[str, object] | None = None) -> DocumentNames:
    """The names of molecules in one document.

    Codes are recognised by shape and surroundings, aliases by what the text says, other names by being an
    alias, standing in the title with an INN stem, or being declared in front matter, a field or a table of
    names.
    """
    whole = f"{title}\n\n{text}"
    found = codes(whole, title)
    spellings = found.molecules
    partners = _partners(title, spellings)
    listed, stated = from_metadata(metadata or {})
    aliases = [*stated, *renamed(whole), *learn_from_tables(whole), *bracketed(whole)]
    named = [
        name
        for name in (*listed, *declared(text, title), *listed_in_tables(text, title))
        if not is_measure(name) and code_key(name) not in partners
    ]
    stated_keys = set(map(code_key, named))
    for name in (*named, *(name for alias in aliases for name in (alias.current, alias.other))):
        spellings.setdefault(code_key(name), Counter())[name] += 1
    for word in WORD.finditer(title):
        if is_generic(word[0]) and code_key(word[0]) not in partners:
            spellings.setdefault(code_key(word[0]), Counter())[word[0]] += 1
    groups = _merge(spellings, aliases)
    return DocumentNames(
        tuple(tuple(_by_use(spellings, key) for key in group) for group in groups),
        tuple(name for name in found.unsupported if code_key(name) not in spellings),
        tuple(name for name in found.studies if code_key(name) not in stated_keys),
    )


def _partners(title: str, spellings: Mapping[str, Counter[str]]) -> set[str]:
    """The keys of words that a title names as combined with a molecule that has a code."""
    if not spellings and not any(is_code(word) or is_unusual(word) for word in title.split()):
        return set()
    return {code_key(word[0]) for word in WORD.finditer(title) if is_added(title, word.start())}


def _by_use(spellings: Mapping[str, Counter[str]], key: str) -> str:
    """The spelling used most: hyphenated codes and lower-case words win ties."""
    counts = spellings[key]
    best = max(counts, key=lambda name: (counts[name], "-" in name, name))
    lettered = len(best.split()[-1]) <= 4 and " " in best
    return (
        best
        if is_code(best) or is_unusual(best) or lettered or best.isupper() or len(best) < 4
        else best.lower()
    )


def _merge(keys: Iterable[str], aliases: Iterable[Alias]) -> list[list[str]]:
    """Groups of keys that aliases connect, in order of first use; within a group the current names first."""
    known = dict.fromkeys(keys)
    pairs = [(code_key(alias.other), code_key(alias.current)) for alias in aliases]
    pairs = [pair for pair in pairs if known.keys() >= {*pair}]
    old = Counter(other for other, _ in pairs)
    return [sorted(group, key=lambda key: old[key]) for group in grouped(known, pairs)]


def build_registry(records: Iterable[DocumentRecord]) -> list[Molecule]:
    """The molecules of an archive, ordered by name, from the names in its records.

    Spellings are one by their key; names are one if a document says so, transitively; a code with one more
    letter ("AB-1234C") is a form of the code without it, if the archive knows that. Canonical is the name
    that documents put first most often, codes before words, with a hyphen where any document has one.
    `documents` counts the documents that name it. What documents introduce as a study's number is none, also
    where another document writes it bare. A code that its own document does not support is a molecule if
    another document knows one of its series: its doses are not those of its kin.
    """
    records = list(records)
    studies = study_numbers(records)
    spellings: dict[str, Counter[str]] = {}
    first: Counter[str] = Counter()
    aliases: list[Alias] = []
    naming: dict[str, set[str]] = defaultdict(set)
    supported = [_groups(record, studies) for record in records]
    known = {series(name) for groups in supported for group in groups for name in group if is_code(name)}
    for record, groups in zip(records, supported, strict=True):
        kin = [name for name in record.unsupported if code_key(name) not in studies and series(name) in known]
        groups += [(name,) for name in kin]
        for name in (*(name for group in groups for name in group), *record.molecules):
            naming[code_key(name)].add(record.doc_id)
        for group in groups:
            first[code_key(group[0])] += 1
            aliases += [Alias(group[0], other) for other in group[1:]]
            for name in group:
                spellings.setdefault(code_key(name), Counter())[name] += 1
    aliases += _forms(spellings)
    molecules = [_molecule(group, spellings, first, naming) for group in _merge(spellings, aliases)]
    return sorted(molecules, key=lambda molecule: molecule.name)


def study_numbers(records: Iterable[DocumentRecord]) -> frozenset[str]:
    """The keys of numbers that are those of studies or reports, as all documents together tell.

    A number is one if enough of the documents that have it introduce it so, or if a document bears one of its
    series, of whatever discipline, or is filed under it. Others of a series are, too, if it has two such
    numbers and they are most of it: bare ones of "CT-1401" to "CT-1404". Numbers with other parts are another
    series: the studies of a molecule "Qz 21-0533" may be "QZ533-101" and "QZ533-102".
    """
    called: Counter[str] = Counter()
    bare: Counter[str] = Counter()
    kept: set[str] = set()
    kinds: dict[str, tuple[str, tuple[int, ...]]] = {}
    records = list(records)
    for record in records:
        introduced = set(map(code_key, record.studies))
        names = [name for group in record.names for name in group if is_code(name)]
        named = set(map(code_key, names))
        for name in (*record.studies, *names, *record.unsupported):
            kinds.setdefault(code_key(name), _kind(name))
        called.update(introduced)
        bare.update((named | set(map(code_key, record.unsupported))) - introduced)
        if any(field == "molecules" for field, _, _ in record.edits):
            kept |= named
    found = {key for key in called if called[key] * CALLED >= bare[key]}
    own = (name for record in records for name in (record.doc_id.split("/")[-1], record.study_id))
    filed = [number[0] for name in own if (number := FILED.match(name))]
    in_series = Counter(kinds[key] for key in found)
    size = Counter(kinds[key] for key in called.keys() | bare.keys())
    of_studies = {one for one, count in in_series.items() if count >= 2 and count * 2 > size[one]}
    of_studies.update(map(_kind, filed))
    found.update(map(code_key, filed))
    return frozenset((found | {key for key in bare if kinds[key] in of_studies}) - kept)


def _kind(number: str) -> tuple[str, tuple[int, ...]]:
    """The letters of a number and how many digits each of its parts has: what those of one series share.

    Of a document's number they are the house's alone, in capitals, which no other series has.
    """
    filed = FILED.match(number)
    return filed[1] if filed else series(number)[0], tuple(map(len, re.findall(r"\d+", number)))


def _groups(record: DocumentRecord, studies: frozenset[str]) -> list[tuple[str, ...]]:
    """The names of a record's molecules without the numbers of studies."""
    groups = (tuple(name for name in group if code_key(name) not in studies) for group in record.names)
    return [group for group in groups if group]


def _forms(spellings: Mapping[str, Counter[str]]) -> Iterator[Alias]:
    """A code with a letter more; one with the letter O for a nought, or the other way round."""
    alike: dict[str, list[str]] = defaultdict(list)
    for key in spellings:
        if is_code(key):
            alike[key.replace("o", "0")].append(key)
    for keys in alike.values():
        best = max(keys, key=lambda key: sum(spellings[key].values()))
        yield from (Alias(best, key) for key in keys if key != best)
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

    def rank(key: str) -> tuple[bool, int, int]:
        used = _by_use(spellings, key)
        return is_code(used) or is_unusual(used), first[key], order[key]

    best = max(group, key=rank)
    name = max(spellings[best], key=lambda spelling: ("-" in spelling, spelling == _by_use(spellings, best)))
    others = {spelling for key in group for spelling in spellings[key]} - {name}
    documents = set().union(*(naming[key] for key in group))
    return Molecule(name, tuple(sorted(others)), len(documents))
