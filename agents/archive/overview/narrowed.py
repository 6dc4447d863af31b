"""What narrows a question over records down: molecules, phase, status, species, kind of study, dates, types
of documents, and any other words, which must stand in a record's title or, failing that, in its text.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from retrieval.ingest import record_rules as rules
from retrieval.molecules.lexicon import words
from retrieval.text.stems import stem
from retrieval.values import DocumentRecord, StudyStatus

Test = Callable[[DocumentRecord], bool]


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition: in words, what it tests, and the records of which it can be told."""

    told: str
    holds: Test
    known: Test


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The conditions of a question, and the words that none of them took."""

    conditions: tuple[Condition, ...]
    words: tuple[str, ...]

    @property
    def told(self) -> str:
        """The conditions in words."""
        words = [f"“{' '.join(self.words)}”"] if self.words else []
        return ", ".join([*(condition.told for condition in self.conditions), *words])


SAID = words("""
    a about above across additional administered advanced agent agents all also an and any archive are
    area as at available be been begun being between both by came can candidate candidates carried
    clinical collection complete compound compounds concern concerning conducted contain contained
    contains cover covers current currently data database deal dealing deals describe described describes
    describing developed development did different discuss discussed discusses distinct do document
    documented documents does done drug drugs each ended enter entered evaluated evaluating ever every
    examined exist existing exists experiment experiments failed far file files find first for found from
    full give given go gone got had has have held help her his hold holds how human humans i in include
    included includes including individuals into investigate investigated investigates investigating
    involve involved involving is it its know known least list listed look looked made main many me
    medicine medicines mention mentioned mentions molecule molecules more most much my name named names no
    non nonclinical not of on once one only or other our out over overall part participants patients
    people performed phase please portfolio preclinical present progressed project projects provide reach
    reached receive received recorded records refer regarding register registered relate related report
    reported reports run say says search separate set show single so some stand started still studied
    studies study studying subjects substance substances such tell tested testing than that the their them
    there these they this those to together total treated treatment trial trials two under up us use used
    using was we were what when where which who whose why will with within without worked you your
""")
"""Words of questions that narrow nothing down."""
STATUS = (
    (
        StudyStatus.TERMINATED,
        r"terminat\w+|stopped|discontinued|halted|ended early|cut short|abandoned|aborted|closed early",
    ),
    (StudyStatus.WITHDRAWN, r"withdrawn|cancelled|canceled|never started"),
    (StudyStatus.COMPLETED, r"completed|finished|concluded|finali[sz]ed"),
    (StudyStatus.ONGOING, r"ongoing|on-going|active|recruiting|running|still open|in progress"),
    (StudyStatus.PLANNED, r"planned|not (?:yet )?(?:started|recruiting)"),
)
REPORTED = re.compile(r"^(?!.*\binterim\b).*\b(?:reported|report (?:signed|issued|final))\b", re.I)
NO_MORE_RECRUITING = re.compile(r"\bactive,? (?:but )?not recruiting\b", re.I)
"""A study that goes on with the patients that it has."""
ENDED = (StudyStatus.TERMINATED, StudyStatus.WITHDRAWN)
PLANS = re.compile(rf"\b(?:{dict(STATUS)[StudyStatus.PLANNED]})\b", re.I)
DENIED = re.compile(
    r"\b(?:not|never|to be|pending|awaiting|awaited|due|no (?:longer|report|final report))\b", re.I
)
"""What says that a status is not reached, or no longer held."""
ROMAN = {"i": "1", "ii": "2", "iii": "3", "iv": "4"}
PHASE = re.compile(
    r"\bphases?[ -]?(iv|i{1,3}|[1-4])[ab]?(?:\s?(?:/|and|or|-)\s?(?:phase )?(iv|i{1,3}|[1-4])[ab]?)?\b", re.I
)
NONCLINICAL = re.compile(r"\b(?:non-?clinical|pre-?clinical|animal)\b", re.I)
CLINICAL = re.compile(
    r"(?<!non)(?<!non-)(?<!pre)(?<!pre-)\bclinical\b|"
    r"\bin (?:healthy )?(?:humans|man|people|volunteers|patients)\b|"
    r"\bhuman\b",
    re.I,
)
PERIOD = re.compile(
    r"\b(?:(?P<how>since|after|before|until|from|in|during|of|dated|between)\s+(?:the year )?)?"
    r"(?P<first>(?:19|20)\d\d)(?:\s*(?:-|–|and|to|until)\s*(?P<last>(?:19|20)\d\d))?\b",
    re.I,
)
TYPES = (
    ("minutes", r"\bminutes\b", r"minutes"),
    ("memoranda", r"\bmemos?\b|\bmemorand\w+", r"memo"),
    ("protocols", r"\bprotocols?\b", r"protocol"),
    ("brochures", r"\bbrochures?\b", r"brochure"),
    ("toxicology", r"\btox(?:icity|icology|icological)?\b", r"toxic"),
    ("study reports", r"\bstudy reports?\b|\bfinal reports?\b|\bclinical reports?\b", r"report"),
)
DESIGNS = (
    ("single ascending dose", r"single[- ](?:ascending|rising)[- ]dose|\bSAD\b", r"single ascending"),
    ("multiple ascending dose", r"multiple[- ](?:ascending|rising)?[- ]?dose|\bMAD\b", r"multiple ascending"),
    ("first-in-human", r"first[- ]in[- ](?:hu)?man", r"first[- ]in[- ](?:hu)?man|first administration"),
    ("bioavailability", r"bio-?availability|bioequivalence|food[- ]effect", r"bioavailab|bioequiv|food"),
    ("drug interaction", r"(?:drug[- ]){0,2}interaction", r"interaction"),
    ("genotoxicity", r"genotox\w*|mutagen\w*", r"genotox|mutagen"),
    ("safety pharmacology", r"safety pharmacology", r"safety pharmacology|respiratory function|telemetr"),
)  # fmt: skip
LEAST_WORD = 3


def narrow(rest: str, molecules: Sequence[str], spellings: Iterable[str]) -> Narrowed:
    """The conditions in a question's words; `spellings` are the molecules' names as it writes them."""
    text = re.sub(r"\bPK\b", "pharmacokinetics", rest)
    for name in sorted(spellings, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text, flags=re.I)
    found: list[Condition] = [_of_molecule(name) for name in molecules]
    for reader in (_phase, _status, _kind, _period, _type, _design, _species):
        conditions, text = reader(text)
        found += conditions
    left = [word for word in re.findall(r"[^\W_][\w'-]*", text.casefold()) if word not in SAID]
    kept = tuple(word for word in left if len(word) >= LEAST_WORD or any(c.isdigit() for c in word))
    return Narrowed(tuple(found), kept)


def stems_of(text: str) -> set[str]:
    """Stems of a text's words."""
    return {stem(word) for word in re.findall(r"[^\W_]+", text.casefold())}


def has_words(text: str, words: Iterable[str]) -> bool:
    """Whether a text has all the words, in any inflection."""
    there = stems_of(text)
    return all(stem(part) in there for word in words for part in re.findall(r"[^\W_]+", word))


def _of_molecule(name: str) -> Condition:
    return Condition(f"of {name}", lambda record: name in record.molecules, lambda _: True)


def _phase(text: str) -> tuple[list[Condition], str]:
    match = PHASE.search(text)
    if match is None:
        return [], text
    wanted = {ROMAN.get(part.lower(), part) for part in match.groups() if part}
    told = f"in Phase {'/'.join(sorted(wanted))}"
    made = Condition(
        told, lambda record: bool(wanted & phases_of(record)), lambda record: bool(phases_of(record))
    )
    return [made], PHASE.sub(" ", text)


def phases_of(record: DocumentRecord) -> set[str]:
    """The phases of a study; an ascending-dose study in volunteers is Phase 1 by its design."""
    stated = set(re.findall(r"[1-4]", record.phase))
    design = re.search(
        r"single ascending|multiple ascending|first[- ]in[- ]human",
        f"{record.study_type} {record.title}",
        re.I,
    )
    return stated or ({"1"} if design and is_clinical(record) else set())


def _status(text: str) -> tuple[list[Condition], str]:
    for status, pattern in STATUS:
        match = re.search(rf"\b(?:{pattern})(?: (?:early|prematurely))?\b", text, re.I)
        if match:
            return [_with_status(status)], text[: match.start()] + " " + text[match.end() :]
    return [], text


def status_in(text: str) -> StudyStatus | None:
    """The status that a few words tell, such as a cell of a register; None where they tell another one, or
    deny one ("not completed") but by a plan ("not yet started").

    A study that is "reported" was completed, if not in an interim report and not ended before ("stopped").
    """
    text = NO_MORE_RECRUITING.sub("active", text)
    unplanned = PLANS.sub(" ", text)
    if DENIED.search(unplanned):
        return None
    told = next((s for s, pattern in STATUS if re.search(rf"\b(?:{pattern})\b", unplanned, re.I)), None)
    planned = unplanned != text
    if told in ENDED:
        return None if planned else told
    if REPORTED.search(text):
        return StudyStatus.COMPLETED if told in (None, StudyStatus.COMPLETED) and not planned else None
    if planned:
        return StudyStatus.PLANNED if told is None else None
    return told


def _with_status(status: StudyStatus) -> Condition:
    return Condition(
        status.value,
        lambda record: record.status is status,
        lambda record: record.status is not None,
    )


def _kind(text: str) -> tuple[list[Condition], str]:
    if NONCLINICAL.search(text):
        made = Condition("nonclinical", lambda record: not is_clinical(record), lambda _: True)
        return [made], NONCLINICAL.sub(" ", text)
    if CLINICAL.search(text):
        return [Condition("clinical", is_clinical, lambda _: True)], CLINICAL.sub(" ", text)
    return [], text


def is_clinical(record: DocumentRecord) -> bool:
    """Whether a study was done in humans."""
    kind = f"{record.document_type} {record.study_type}".lower()
    if re.search(
        r"non-?clinical|pre-?clinical|toxicity|toxicology|safety pharmacology|genotox|in vitro", kind
    ):
        return False
    in_man = re.search(r"clinical|registry|phase|ascending", kind) or record.phase
    return bool(in_man) or species_of(record) == ("human",)


def species_of(record: DocumentRecord) -> tuple[str, ...]:
    """The species of a study: those of its title, or the one that its text names most."""
    titled = tuple(name for name, pattern in rules.SPECIES if pattern.search(record.title))
    return titled or record.species[:1]


def _species(text: str) -> tuple[list[Condition], str]:
    found = []
    for name, pattern in rules.SPECIES:
        if name != "human" and pattern.search(text):
            found.append(_in_species(name))
            text = pattern.sub(" ", text)
    return found, text


def _in_species(name: str) -> Condition:
    return Condition(
        f"in the {name}", lambda record: name in species_of(record), lambda record: bool(record.species)
    )


def _period(text: str) -> tuple[list[Condition], str]:
    match = PERIOD.search(text)
    if match is None:
        return [], text
    first, last = match["first"], match["last"] or match["first"]
    how = (match["how"] or "in").lower()
    if how in ("since", "after") and not match["last"]:
        first, last = (first if how != "after" else str(int(first) + 1)), "9999"
    elif how in ("before", "until"):
        first, last = "0000", str(int(match["first"]) - (how == "before"))
    made = Condition(
        match[0].strip(), lambda record: first <= record.date[:4] <= last, lambda record: bool(record.date)
    )
    return [made], text[: match.start()] + " " + text[match.end() :]


def _type(text: str) -> tuple[list[Condition], str]:
    for told, asked, written in TYPES:
        if re.search(asked, text, re.I):
            return [_of_type(told, written)], re.sub(asked, " ", text, flags=re.I)
    return [], text


def _of_type(told: str, written: str) -> Condition:
    pattern = re.compile(written, re.I)
    return Condition(
        told,
        lambda record: bool(pattern.search(f"{record.document_type} {record.study_type} {record.title}")),
        lambda record: bool(record.document_type or record.title),
    )


def _design(text: str) -> tuple[list[Condition], str]:
    for told, asked, written in DESIGNS:
        if re.search(asked, text, re.I):
            return [_of_type(told, written)], re.sub(asked, " ", text, flags=re.I)
    return [], text
