"""Finding the archive's molecules in texts and questions, under any of their names."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from rapidfuzz.distance import OSA

from retrieval.molecules.codes import (
    BARE,
    DASH,
    LOOSE,
    ROMAN,
    WORD,
    code_key,
    excluded,
    is_code,
    is_generic,
    is_unusual,
)
from retrieval.text.listed import words
from retrieval.values import Match, Molecule, Resolution

__all__ = ["canonical", "code_key", "mentions", "resolve", "without_names"]

SPELLED = re.compile(rf"{LOOSE.pattern}|{WORD.pattern}")
LETTERED_DIGITS = re.compile(
    rf"(?<![\w-])([A-Za-z]{{1,6}})(?:{DASH}|[ \u00a0])((?=\w*\d)[\dOoIl]{{3,8}})(?![\w-])"
)
LETTERS_FOR_DIGITS = str.maketrans("OoIl", "0011")
"""A code with letters that look like digits: "QX-12O7"."""
BARE_NUMBER = re.compile(
    rf"{BARE.pattern}|(?<![\w.,/-])\d{{4,8}}(?![\w.,/%-]|\s?(?:mg|µg|g|m[lL]|kg|patients|subjects)\b)"
)
PREFIX = re.compile(r"(?<![\w-])[A-Z]{2,6}(?![\w-]|[ \u00a0]\d)")
"""The letters of a code alone; with a number behind them they are another code's."""
PHASE_OR_ROUTE = ("I", "II", "III", "IV", "V", "X")
CONTINUED = re.compile(r"[^\W_]|[.,]\d")
"""What goes on behind a name makes it another one: "Kuura 7" is none in "Kuura 7.5"."""
COUNTED = words("""
    phase day week month year cohort group part table page figure section study question q top about over
    under grade stage version chapter arm visit item dose doses with than from until since before after
    least most between and or the for per last first next type grades days weeks years in on at of to by
""")
"""Words before a number that is no code."""


class _Names:
    """Look-up of molecules by the key of any of their names."""

    def __init__(self, molecules: Sequence[Molecule]) -> None:
        self.by_key = {code_key(name): m for m in molecules for name in (*m.aliases, m.name)}
        self.first_words: dict[str, list[str]] = defaultdict(list)
        for molecule in molecules:
            for name in (*molecule.aliases, molecule.name):
                if not is_code(name):
                    self.first_words[name.split()[0].casefold()].append(name)
        for names in self.first_words.values():
            names.sort(key=len, reverse=True)
        unusual = {name for m in molecules for name in (*m.aliases, m.name) if is_unusual(name)}
        self.unusual = _any_of(unusual) if unusual else None

    def find(self, text: str) -> Iterator[tuple[int, int, Molecule]]:
        position = 0
        while True:
            usual = SPELLED.search(text, position)
            unusual = self.unusual.search(text, position) if self.unusual else None
            found = min(filter(None, (unusual, usual)), key=re.Match.start, default=None)
            if found is None:
                return
            position = found.end()
            hit = (
                (*found.span(), self.by_key[code_key(found[0])])
                if found is unusual
                else self._at(text, found)
            )
            if hit is not None:
                position = hit[1]
                yield hit
            elif unusual is not None:
                position = min(position, unusual.start())  # "of 77LDH-4" is tried as "of 77LDH" first

    def _at(self, text: str, found: re.Match[str]) -> tuple[int, int, Molecule] | None:
        if found[1] is None:
            return self._word(text, found.start(), found.end())
        key = code_key(found[0])
        if key not in self.by_key and len(found[3]) == 1:
            key = key[:-1]
        if key in self.by_key:
            return found.start(), found.end(), self.by_key[key]
        return self._word(text, found.start(1), found.end(1))

    def _word(self, text: str, start: int, end: int) -> tuple[int, int, Molecule] | None:
        for name in self.first_words.get(text[start:end].casefold(), ()):
            stop = start + len(name)
            written = text[start:stop]
            lettered = " " in name and len(name.split()[-1]) < 4 and not name.islower()
            same = written.split()[-1:] == name.split()[-1:] if lettered else True  # "compound a" is no name
            if same and written.casefold() == name.casefold() and not CONTINUED.match(text, stop):
                return start, stop, self.by_key[code_key(name)]
        return None


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    """Any of several names as a whole, in any case, also before a word ("KD.417b-treated")."""
    longest = sorted(names, key=lambda name: (-len(name), name))
    return re.compile(
        rf"(?<![\w/.-])(?:{'|'.join(map(re.escape, longest))})(?![\w/]|-(?!(?-i:[a-z]{{4}}))|\.\w)",
        re.IGNORECASE,
    )


@lru_cache(maxsize=8)
def _names(molecules: tuple[Molecule, ...]) -> _Names:
    return _Names(molecules)


def mentions(text: str, molecules: Sequence[Molecule]) -> tuple[tuple[int, int, str], ...]:
    """(start, end, canonical name) wherever a text names one of `molecules` in any spelling, in order."""
    return tuple((start, end, m.name) for start, end, m in _names(tuple(molecules)).find(text))


def without_names(text: str, molecules: Sequence[Molecule]) -> str:
    """A text with a blank in place of each name of one of `molecules`."""
    for start, end, _ in reversed(mentions(text, molecules)):
        text = f"{text[:start]} {text[end:]}"
    return text


def canonical(name: str, molecules: Sequence[Molecule]) -> str | None:
    """The registry's name for a name, None if it has none."""
    molecule = _names(tuple(molecules)).by_key.get(code_key(name))
    return molecule.name if molecule else None


def resolve(written_question: str, registry: Sequence[Molecule]) -> tuple[Resolution, ...]:
    """The names in a question and what they stand for, in order, each molecule once.

    Exact names and aliases come first; then misspelt and partial ones. Digits tell molecules apart: of a
    code with up to five digits another digit is no typo unless two digits changed places or one is missing
    or doubled; several codes as near give several candidates. A question without any name gives ().
    """
    names = _names(tuple(registry))
    placed: list[tuple[int, Resolution]] = []
    rest = written_question
    for start, end, molecule in names.find(written_question):
        written = written_question[start:end]
        match = Match.EXACT if code_key(written) == code_key(molecule.name) else Match.ALIAS
        placed.append((start, Resolution(written, match, (molecule,))))
        rest = rest[:start] + " " * (end - start) + rest[end:]
    placed += _lettered_codes(rest, names)
    placed += _misspelt_codes(rest, registry)
    placed += _misspelt_words(rest, registry)
    placed = placed or _partial(rest, registry)
    return tuple(_once(resolution for _, resolution in sorted(placed, key=lambda item: item[0])))


def _once(resolutions: Iterable[Resolution]) -> Iterator[Resolution]:
    seen: set[tuple[str, ...]] = set()
    for resolution in resolutions:
        key = tuple(m.name for m in resolution.candidates) or (code_key(resolution.written),)
        if key not in seen:
            seen.add(key)
            yield resolution


def _lettered_codes(question: str, names: _Names) -> Iterator[tuple[int, Resolution]]:
    """Codes of which a digit was typed as a letter."""
    for match in LETTERED_DIGITS.finditer(question):
        molecule = names.by_key.get(code_key(match[1] + match[2].translate(LETTERS_FOR_DIGITS)))
        if molecule is not None:
            yield match.start(), _resolution(match[0], [molecule])


def is_lettered(written: str) -> bool:
    """Whether a name may be a code of which a digit was typed as a letter."""
    match = LETTERED_DIGITS.fullmatch(written)
    return match is not None and not match[2].isdigit()


def _misspelt_codes(question: str, registry: Sequence[Molecule]) -> Iterator[tuple[int, Resolution]]:
    for match in LOOSE.finditer(question):
        prefix, number = match[1], re.sub(r"\D", "", match[2])
        if prefix.casefold() in COUNTED or excluded(prefix.upper()) or _is_unit_or_year(match):
            continue
        candidates = _near_codes(prefix.casefold(), number, registry)
        if candidates or len(number) >= 3:
            yield match.start(), _resolution(match[0], candidates)


def _is_unit_or_year(match: re.Match[str]) -> bool:
    """Whether "xy 2015" or "to 20mg" was matched: words with a number behind a space."""
    spaced = re.search(r"[A-Za-z][ \u00a0]\d", match[0]) is not None
    return spaced and (not match[1].isupper() or bool(re.fullmatch(r"(?:19|20)\d\d", match[2])))


def _near_codes(prefix: str, number: str, registry: Sequence[Molecule]) -> list[Molecule]:
    """Molecules whose code may have been meant, nearest first."""
    near: dict[str, tuple[int, Molecule]] = {}
    other_digit: dict[str, Molecule] = {}
    for molecule in registry:
        for name in (molecule.name, *molecule.aliases):
            parts = re.fullmatch(r"([a-z]+)(\d+)[a-z]*", code_key(name))
            if parts and prefix == parts[1] and _one_other_digit(number, parts[2]):
                other_digit[molecule.name] = molecule
            elif parts and (distance := _typo(prefix, number, parts[1], parts[2])):
                near.setdefault(molecule.name, (distance, molecule))
    if near:
        return [molecule for _, molecule in sorted(near.values(), key=lambda s: (s[0], s[1].name))]
    return [other_digit[name] for name in sorted(other_digit)] if len(other_digit) > 1 else []


def _typo(prefix: str, number: str, known_prefix: str, known_number: str) -> int:
    """Edits between two codes if they are few enough for a slip of the keys, else 0."""
    letters, digits = OSA.distance(prefix, known_prefix), OSA.distance(number, known_number)
    if digits == 0 and letters <= (1 if len(number) < 4 else 2) and letters < len(known_prefix):
        return letters
    return 1 if digits == 1 and letters == 0 and min(len(number), len(known_number)) >= 3 else 0


def _one_other_digit(number: str, known: str) -> bool:
    """Whether short numbers differ in one digit, which tells two molecules of a series apart."""
    return len(number) == len(known) <= 5 and sum(a != b for a, b in zip(number, known, strict=True)) == 1


def _misspelt_words(question: str, registry: Sequence[Molecule]) -> Iterator[tuple[int, Resolution]]:
    known = {name: m for m in registry for name in (m.name, *m.aliases) if not is_code(name)}
    for match in WORD.finditer(question):
        written = match[0].casefold()
        if len(written) < 6:
            continue
        near = {
            m.name: m
            for name, m in known.items()
            if written[:2] == name[:2].casefold()
            and (0 < OSA.distance(written, name.casefold()) <= len(written) // 5 or _begins(written, name))
        }
        if near or is_generic(match[0]):
            yield match.start(), _resolution(match[0], [near[name] for name in sorted(near)])


def _begins(written: str, name: str) -> bool:
    """Whether a name was cut short: at least six letters and half of it."""
    return name.casefold().startswith(written) and len(written) * 2 >= len(name)


def _partial(question: str, registry: Sequence[Molecule]) -> list[tuple[int, Resolution]]:
    """Only the number, its last part or only the letters of a code, where a question names nothing else."""
    found = []
    for match in (*BARE_NUMBER.finditer(question), *PREFIX.finditer(question)):
        part = code_key(match[0])
        side = r"[a-z]+{}[a-z]?" if part.isdigit() else r"{}\d+[a-z]?"
        pattern = re.compile(side.format(part))
        last = re.compile(rf"[A-Za-z]*\W?\d+{DASH}{match[0]}")
        hits = [
            m
            for m in registry
            if any(
                pattern.fullmatch(code_key(n)) or last.fullmatch(n) or _numeral(n) == match[0]
                for n in (m.name, *m.aliases)
            )
        ]
        if hits:
            found.append((match.start(), _resolution(match[0], hits)))
    return found


def _numeral(name: str) -> str:
    """The Roman numeral of a code ("TK.XIV"); "" for one that a phase or a route has, and without one."""
    numeral = re.split(r"\W|_", name)[1] if ROMAN.fullmatch(name) else ""
    return "" if numeral in PHASE_OR_ROUTE else numeral


def _resolution(written: str, candidates: Sequence[Molecule]) -> Resolution:
    return Resolution(written, Match.SPELLING if candidates else None, tuple(candidates))
