"""Margin of safety: a stated ratio between a no-effect dose or exposure in animals and the human one."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.archive.models import Dossier, Draft
from agents.archive.research.attribution import guard_name, owner
from agents.archive.research.context import about_this, lines_before, species_in
from agents.archive.research.doses import table_agent
from agents.archive.research.drafting import absent, claims_of, listed, study_label, text_field
from agents.archive.research.reading import Line, Role
from agents.archive.research.study import AUTHORITY, Kind, Study, studies
from agents.archive.research.vocabulary import any_of, terms, wording
from agents.models import Rejected
from agents.trust.written_numbers import parse_numbers

WRITTEN = (
    r"\d[\d.,]*(?:\s?(?:-|to)\s?\d[\d.,]*)?|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|"
    r"twenty|thirty|forty|fifty|hundred"
)
FOLD = re.compile(
    rf"(?<![\w.,])(?P<n>{WRITTEN})(?:[\s-]?fold\b|\s?[x×](?=[\s,.;)]|$)|\stimes\b(?!\s(?:a|per|daily|"
    rf"weekly)\b))",
    re.IGNORECASE,
)
RATIO = re.compile(
    rf"\b(?:margins?|ratios?|factors?|multiples?|index|MOS)\b[^;]{{0,140}}?\b(?:is|was|are|were|being|of|"
    rf"equals?|amounts? to|only|about|=|:)\s(?:only |about |approximately |at least |ca\. |~|<|"
    rf">)?(?P<n>{WRITTEN})(?!\w|\.\d|\s?(?:mg|µg|ng|%|per cent|days?|weeks?|hours?|patients|h\b))",
    re.IGNORECASE,
)
ANIMALS = "|".join(term.words.pattern for term in terms("species")[1:])
FURTHER = re.compile(
    rf"(?:,|\band)\s(?:of\s)?(?P<n>{WRITTEN})(?:-fold)?\s(?:for|in|to|towards|relative to)\s(?:the\s)?"
    rf"(?={ANIMALS})",
    re.IGNORECASE,
)
"""Further ratios of an enumeration: "8 for the rat and 4 for the dog"."""
STRONG = any_of([
    r"safety (?:margins?|factors?|ratios?|multiples?)", r"margins? of (?:safety|exposure)",
    r"exposure (?:margins?|multiples?|ratios?)",
    r"safety index", r"therapeutic (?:index|ratio|margin)", "MOS", r"AUC (?:margins?|ratios?|multiples?)",
    r"margins? (?:to|over|versus) (?:human|man|the human)\w*",
])  # fmt: skip
NO_EFFECT = any_of([
    r"no[- ](?:observed[- ])?(?:adverse[- ]|toxic[- ])?effect[- ]?(?:level|dose|concentration)?s?",
    "NOA?ELs?", r"without (?:toxic |adverse )?effects?", "HNSTD",
    r"non-?toxic dose", r"highest (?:tolerated|non-toxic|safe) dose in",
])  # fmt: skip
PEOPLE = any_of(
    [r"(?:hu)?m[ae]n", "humans?", "patients?", "volunteers?", "clinical", "therapeutic", "subjects?"]
)
COLUMN = re.compile(r"\bratio\b|\bmargin|\bmultiple|\bfold\b|\bsafety factor|times human", re.IGNORECASE)
BASES = ("AUC", "Cmax", "plasma level", "exposure", "body surface", "dose")


@dataclass(frozen=True, slots=True)
class Margin:
    """A stated ratio with the species it refers to ("" where none is named). `calculated`: read from a table
    of values.
    """

    value: str
    species: str
    study: Study
    line: Line
    calculated: bool

    @property
    def rank(self) -> tuple[bool, bool, int, str]:
        """The document with the calculation outranks those that quote it; an express replacement outranks
        all.
        """
        return (
            bool(wording("replaces").search(self.line.text)),
            self.calculated,
            AUTHORITY[self.study.kind],
            self.study.record.date,
        )

    @property
    def amount(self) -> float:
        """The lower bound as a number, for sorting."""
        found = re.match(r"[\d.]*\d", self.value)
        return float(found[0]) if found else 0.0

    @property
    def text(self) -> str:
        """ "3-fold (dog)"."""
        return f"{self.value}-fold ({self.species})" if self.species else f"{self.value}-fold"


def extract(dossier: Dossier) -> Draft:
    """Margins of safety of a molecule."""
    read = studies(dossier)
    name = dossier.molecule.name
    found, rejected = find(read)
    if found:
        return draft(name, found, rejected)
    if (none := stated_none(read)) is not None:
        return no_margin(name, *none, rejected)
    return absent(f"The archive states no margin of safety for {name}.", rejected)


def find(read: Sequence[Study]) -> tuple[list[Margin], list[Rejected]]:
    """Margins of the molecule, and ratios that are refused."""
    found: list[Margin] = []
    rejected: list[Rejected] = []
    for study in read:
        for line in study.lines:
            margins, refusals = judge_row(study, line) if line.row is not None else judge(study, line)
            found += margins
            rejected += refusals
    return found, rejected


def judge(study: Study, line: Line) -> tuple[list[Margin], list[Rejected]]:
    """Ratios of a sentence."""
    if line.is_heading or not speaks_of_margin(line.text):
        return [], []
    margins: list[Margin] = []
    rejected: list[Rejected] = []
    values = list(ratios(line.text))
    for place, (start, end, value) in enumerate(values):
        agent = owner(study, line, start, end)
        if agent is not None and agent.role is Role.THIS:
            stop = values[place + 1][0] if place + 1 < len(values) else len(line.text)
            species = species_for(line.text, start, end, stop) or species_around(study, line)
            margins.append(Margin(value, species, study, line, is_calculation(line.text)))
        elif agent is not None:
            rejected.append(
                Rejected(
                    f"{value}-fold",
                    guard_name(study, line, agent),
                    f"margin of {agent.name} ({study_label(study)})",
                )
            )
    return margins, rejected


def speaks_of_margin(text: str) -> bool:
    """Whether a sentence compares animals without toxic effect with humans, and does not deny it."""
    if wording("margin_denial").search(text) and not STRONG.search(text):
        return False
    if re.search(r"does not contain a safety|no (?:\w+ )?margin", text, re.IGNORECASE):
        return False
    return bool(STRONG.search(text)) or bool(
        NO_EFFECT.search(text) and PEOPLE.search(text) and (FOLD.search(text) or RATIO.search(text))
    )


def ratios(text: str) -> Iterator[tuple[int, int, str]]:
    """Ratios in a text: where they stand, and the number."""
    found = {
        match.start("n"): (match.start("n"), match.end("n"), match["n"])
        for pattern in (RATIO, FOLD, FURTHER)
        for match in pattern.finditer(text)
    }
    for start in sorted(found):
        begin, end, written = found[start]
        yield begin, end, number(written)


def number(written: str) -> str:
    """A number in digits; a range as written."""
    if re.search(r"\d\s?(?:-|to)\s?\d", written):
        return re.sub(r"\s?to\s?", "-", written)
    read = parse_numbers(written.rstrip(".,"))
    return f"{read[0].value:g}" if read else written


def is_calculation(text: str) -> bool:
    """Whether a sentence gives the values that the ratio is made of."""
    return len(re.findall(r"\d[\d.]*\s?(?:µg|ng|mg)\b", text)) >= 2


def species_for(text: str, start: int, end: int, stop: int) -> str:
    """The species named after a ratio and before the next one, or else the last before it."""
    animals = [(at, name) for at, name in species_in(text) if name not in ("human", "animal")]
    later = [name for at, name in animals if end <= at < stop]
    earlier = [name for at, name in animals if at < start]
    return later[0] if later else (earlier[-1] if earlier else "")


def species_around(study: Study, line: Line) -> str:
    """The species of a toxicity report, for a ratio that names none."""
    if study.kind is not Kind.NONCLINICAL:
        return ""
    texts = (study.title, *(earlier.text for earlier in lines_before(study, line)))
    return next(
        (name for text in texts for _, name in species_in(text) if name not in ("human", "animal")), ""
    )


def judge_row(study: Study, line: Line) -> tuple[list[Margin], list[Rejected]]:
    """Ratios in a table's column of ratios."""
    assert line.row is not None
    whole = " ".join((*line.row.header, line.row.caption, *line.passage.section[-1:]))
    agent = next(
        (a for a in study.names.agents(line.text) if a.role in (Role.THIS, Role.MOLECULE)), None
    ) or table_agent(study, line)
    margins = []
    for head, cell in zip(line.row.header, line.row.cells, strict=True):
        value = re.fullmatch(
            rf"(?:about |ca\. |~|<|>)?({WRITTEN})(?:[\s-]?fold|\s?[x×])?", cell.strip(), re.IGNORECASE
        )
        if not (COLUMN.search(head) and value and (PEOPLE.search(whole) or STRONG.search(whole))):
            continue
        if agent is not None and agent.role is not Role.THIS:
            return [], [
                Rejected(
                    f"{number(value[1])}-fold",
                    guard_name(study, line, agent),
                    f"margin of {agent.name} ({study_label(study)})",
                )
            ]
        species = next(
            (name for _, name in species_in(" ".join((line.text, whole))) if name not in ("human", "animal")),
            "",
        )
        margins.append(Margin(number(value[1]), species, study, line, True))
    return margins, []


def stated_none(read: Sequence[Study]) -> tuple[Study, Line] | None:
    """The statement that there is no margin."""
    for study in read:
        for line in study.lines:
            if (
                wording("no_margin").search(line.text)
                and about_this(study, line)
                and not wording("margin_denial").search(line.text)
            ):
                return study, line
    return None


def no_margin(name: str, study: Study, line: Line, rejected: Sequence[Rejected]) -> Draft:
    """The draft for a stated absence of a margin."""
    short = f"No margin of safety: {line.text}"
    fields = (
        text_field("margin", "none", [line]),
        text_field("basis", line.text, [line], study_label(study)),
    )
    return Draft(
        True,
        short,
        f"The archive states that there is no margin of safety for {name}.",
        claims_of([line]),
        fields,
        tuple(rejected),
    )


def draft(name: str, found: Sequence[Margin], rejected: Sequence[Rejected]) -> Draft:
    """One margin a species, from the weightiest document; what differs is a conflict."""
    ordered = sorted(found, key=lambda margin: margin.rank, reverse=True)
    chosen: dict[str, Margin] = {}
    leading = ordered[0].study
    for margin in ordered:
        if margin.species or margin.study is leading:
            chosen.setdefault(margin.species, margin)
    if any(chosen) and "" in chosen:
        del chosen[""]
    margins = sorted(
        chosen.values() or ordered[:1],
        key=lambda margin: margin.amount,
    )
    basis = basis_of(ordered)
    kind = "; ".join(
        filter(
            None,
            [
                f"basis: {basis}" if basis else "",
                listed(list(dict.fromkeys(study_label(m.study) for m in margins))),
            ],
        )
    )
    short = f"{listed([m.text for m in margins])} ({kind})"
    fields = [text_field("margin", f"{m.value}-fold", [m.line], m.species) for m in margins]
    fields += [text_field("species", m.species, [m.line]) for m in margins if m.species]
    fields += [text_field("basis", basis, [margins[0].line])] if basis else []
    lines = [*(m.line for m in margins), *(m.line for m in ordered)]
    return Draft(
        True,
        short,
        f"The margin of safety of {name} is {short}.",
        claims_of(lines, 6),
        tuple(fields),
        tuple(rejected),
        conflicts(chosen, ordered),
    )


def basis_of(margins: Sequence[Margin]) -> str:
    """What was compared, in the words of the sentences and table heads; the most exact one."""
    said = " ".join(
        " ".join((m.line.text, *(m.line.row.header if m.line.row else ()))) for m in margins
    ).lower()
    return next((basis for basis in BASES if basis.lower() in said), "")


def conflicts(chosen: dict[str, Margin], ordered: Sequence[Margin]) -> tuple[str, ...]:
    """Documents that give another ratio for the same species."""
    notes = []
    for margin in ordered:
        best = chosen.get(margin.species)
        if best and best.value != margin.value:
            notes.append(
                f"{study_label(margin.study)} gives {margin.text}; "
                f"{study_label(best.study)} with {best.text} was followed."
            )
    return tuple(dict.fromkeys(notes))
