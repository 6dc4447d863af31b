"""The record of a document: what is known about it as a whole (DiscoVerse, Appendix A.2).

Front matter is taken where it can be understood; where it is silent, rules read title, file name, opening and
body. Front matter is foreign data: values of unexpected shape are ignored.
"""

import datetime as dt
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from retrieval.ingest import record_rules as rules
from retrieval.ingest.dates import document_date
from retrieval.ingest.document_type import HEAD, OPENING, document_type
from retrieval.ingest.status import own_status, stop_reason
from retrieval.ingest.title import title_of
from retrieval.ingest.versions import signature
from retrieval.language import language
from retrieval.markdown import NUMBERED_LEVEL, blocks
from retrieval.molecules.beside import without_beside
from retrieval.molecules.codes import code_key, find_codes, is_code, is_unusual
from retrieval.molecules.lookup import canonical, mentions
from retrieval.molecules.registry import build_registry, document_names
from retrieval.passages import plain
from retrieval.text.species import SPECIES
from retrieval.values import Document, DocumentRecord, Domain, Molecule, ParsedFile, StudyStatus

MOLECULES_SET = "molecules"
"""The field under which an expert sets a document's molecules."""
RARELY_NAMED = 8_000
"""Characters of a document for each of which a molecule that it is about is named once, at least."""
OFTEN_NAMED = 6
"""Mentions that are enough in a document of any length."""
EMPTY_VALUES = ("", "null", "none", "n/a", "na", "unknown", "-", "nan")
READ = 1_000_000
"""Characters of a text that rules of records read: some 350 pages. Its molecules are looked for in all."""
_BLANKS, _EMPTY_LINES = re.compile(r"[ \t]{9,}"), re.compile(r"(?:[ \t]*\n){5,}")
STUDY_STATED = 8_000
"""Characters of the beginning in which a document gives the number of its study."""


def describe(parsed: ParsedFile, path: str, sha256: str) -> DocumentRecord:
    """The record of a parsed file; `path` is relative to the archive's root, with forward slashes."""
    facts = _Facts(replace(parsed, text=as_read(parsed.text)), path)
    names = document_names(facts.text, facts.title, facts.metadata)
    status = facts.status()
    record = DocumentRecord(
        doc_id=facts.value("doc_id", "document_id") or str(PurePosixPath(path).with_suffix("")),
        path=path,
        sha256=sha256,
        format=PurePosixPath(path).suffix.lstrip(".").lower(),
        title=facts.title,
        document_type=facts.document_type,
        study_type=facts.study_type(),
        phase=facts.phase(),
        species=facts.species(),
        stages=facts.stages(status),
        date=facts.date(),
        status=status,
        keywords=facts.keywords(),
        language=language(parsed.text),
        page_count=len(parsed.pages),
        warnings=parsed.warnings,
        names=names.groups,
        unsupported=names.unsupported,
        studies=names.studies,
        study_id=facts.study_id(),
        signature=signature(parsed.text),
        stop_reason=facts.stop_reason(status),
    )
    return assign(record, parsed.text, build_registry([record]))


def as_read(text: str) -> str:
    """What rules read of a text: its beginning, without long runs of blanks and empty lines, at each of which
    a pattern would look through the rest of the run.
    """
    return _EMPTY_LINES.sub("\n" * 4, _BLANKS.sub(" " * 8, text))[:READ]


def document(parsed: ParsedFile, path: str, sha256: str) -> Document:
    """A parsed file as a document, with its record."""
    return Document(describe(parsed, path, sha256), parsed.text, parsed.pages)


def assign(record: DocumentRecord, text: str, registry: Sequence[Molecule]) -> DocumentRecord:
    """The record with `molecules` and `main_molecules` as `registry` names them.

    Main are the molecules of the title; without any there, those named at least half as often as the one
    named most; those that an expert has set come before all. What stands beside another molecule - a
    comparator, a vehicle, a reagent - is not main, and neither is what a long text hardly names, or what it
    names by a common name alone and no more than a house's molecule.
    """
    found = mentions(text, registry)
    counts = Counter(name for _, _, name in found)
    titled = mentions(record.title, registry)
    in_title = without_beside(record.title, titled)
    in_title = in_title or [name for _, _, name in titled]
    known = ([name for one in group if (name := canonical(one, registry))] for group in record.names)
    own = [group[0] for group in known if group]
    themselves = Counter(without_beside(text, found))
    least = max((*themselves.values(), 2 * min(len(text) // RARELY_NAMED, OFTEN_NAMED)))
    often = [name for name, count in themselves.items() if count * 2 >= least and count * 2 >= counts[name]]
    often = _without_partners(often, themselves, registry)
    by_hand = any(field == MOLECULES_SET for field, _, _ in record.edits)
    main = tuple(dict.fromkeys(own if by_hand else in_title or often))
    return replace(record, molecules=tuple(dict.fromkeys((*main, *counts, *own))), main_molecules=main)


def _without_partners(
    names: Sequence[str], counts: Mapping[str, int], registry: Sequence[Molecule]
) -> list[str]:
    """What a text names often, without common names alone that it has no more often than a house's own."""
    housed = _housed(registry)
    most = max((counts[name] for name in names if name in housed), default=0)
    return [name for name in names if name in housed or counts[name] > most]


def _housed(registry: Sequence[Molecule]) -> set[str]:
    """The molecules that have a code or several names, as a house gives its own."""
    return {one.name for one in registry if one.aliases or is_code(one.name) or is_unusual(one.name)}


class _Facts:
    """Reads one parsed file."""

    def __init__(self, parsed: ParsedFile, path: str) -> None:
        self.text = parsed.text
        self.path = path
        self.opening = parsed.text[:OPENING]
        self.metadata = _flat(parsed.metadata)
        self.title = title_of(self.text, self.value("title", "study_title"), path)
        self.document_type = self.value("document_type", "doc_type", "type") or document_type(
            self.text, self.title, path
        )

    def value(self, *fields: str) -> str:
        """The first of these metadata fields that holds a short text, date or number."""
        for field in fields:
            value = self.metadata.get(field)
            if isinstance(value, str | int | float | dt.date) and not isinstance(value, bool):
                text = " ".join(str(value).split())
                if text.lower() not in EMPTY_VALUES:
                    return text[:500]
        return ""

    def study_id(self) -> str:
        """The number of the one study that a document is about; "" where it is about none or several."""
        given = self.value(
            "study_id", "study_number", "study_no", "nct_id", "protocol_number", "report_number"
        )
        if given or rules.SEVERAL_STUDIES.search(f"{self.document_type}\n{self.title}"):
            return given
        beginning = self.text[:STUDY_STATED]
        if found := rules.STUDY_NUMBER.search(beginning):
            return found[1].rstrip(".-/")
        for name in (PurePosixPath(self.path).stem, self.title, _first_heading(self.text)):
            if (found := rules.NUMBER_FIRST.match(name)) and self._is_number_of_study(found[1]):
                return found[1]
        found = rules.REPORT_NUMBER.search(beginning)
        return found[1].rstrip(".-/") if found else ""

    def _is_number_of_study(self, number: str) -> bool:
        """Whether the text has a number, and never doses it or the like as it would a drug."""
        beside = (code for code in find_codes(self.text) if code_key(code.text) == code_key(number))
        spelled = re.search(rf"(?<!\w){re.escape(number)}(?!\w)", self.text[:STUDY_STATED])
        return spelled is not None and not any(code.weight > 0 for code in beside)

    def study_type(self) -> str:
        """The study type with the most weight: the title weighs 8, the type 3, each word of the opening 1.

        The opening counts in a document of one study that has a type; others tell of many. Minutes, memos,
        letters and labels discuss studies, and a correction those of its report.
        """
        if given := self.value("study_type"):
            return given
        discussed = rules.OF_NO_PHASE.search(self.document_type) is not None
        several = not self.document_type or rules.SEVERAL_STUDIES.search(self.document_type)
        opening = "" if several else self.opening
        weights = {
            name: 8 * bool(pattern.search(self.title))
            + 3 * bool(pattern.search(self.document_type))
            + min(4, len(pattern.findall(opening)))
            for name, pattern in rules.STUDY_TYPES
            if name in rules.OF_DISCUSSION or not discussed
        }
        best = max(weights, key=lambda name: weights[name])
        return best if weights[best] >= 2 else ""

    def phase(self) -> str:
        """ "Phase 1" to "Phase 4" or "Phase 1/2", from front matter, title or type, else the opening.

        Minutes, memos, letters and labels have none but what their front matter gives.
        """
        discussed = rules.OF_NO_PHASE.search(self.document_type) is not None
        given = self.value("phase", "study_phase")
        given = given if not given or "phase" in given.lower() else f"phase {given}"
        for text in (given, *(() if discussed else (self.title, self.document_type))):
            if found := rules.PHASE.search(text):
                return phase_of(found)
        if rules.SEVERAL_STUDIES.search(self.document_type) or rules.SEVERAL_STUDIES.search(self.title):
            return ""
        labelled = rules.PHASE_FIELD.search(self.text)
        found = (
            rules.PHASE.search(f"phase {labelled[1] or labelled[2]}")
            if labelled
            else rules.STUDY_PHASE.search(self.opening)
        )
        return phase_of(found) if found else ""

    def species(self) -> tuple[str, ...]:
        """Species in the title, or named at least twice, most frequent first."""
        counts = {name: len(pattern.findall(self.text)) for name, pattern in SPECIES.items()}
        titled = {name for name, pattern in SPECIES.items() if pattern.search(self.title)}
        kept = [name for name in counts if name in titled or counts[name] >= 2]
        return tuple(sorted(kept, key=lambda name: (name not in titled, -counts[name])))

    def stages(self, status: StudyStatus | None) -> tuple[Domain, ...]:
        """Stages that the document speaks about; all of them if it names none, so that no filter hides it."""
        head = f"{self.title}\n{self.document_type}"
        found = tuple(
            stage
            for stage, pattern, needed in rules.STAGES
            if pattern.search(head) or len(pattern.findall(self.text)) >= needed
        )
        stopped = status in (StudyStatus.TERMINATED, StudyStatus.WITHDRAWN)
        if stopped and found and Domain.STRATEGIC not in found:
            return (*found, Domain.STRATEGIC)
        return found or tuple(Domain)

    def date(self) -> str:
        """ISO 8601, as exact as stated: front matter, else what title and text say."""
        given = self.value("date", "document_date", "report_date", "issued", "published")
        if iso := re.match(r"(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?(?=$|[ T])", given):
            return iso[0]
        return document_date(self.text, self.title, given)

    def status(self) -> StudyStatus | None:
        """The status of the study described, if the document says it of its own."""
        given = self.value("status", "overall_status", "study_status")
        return own_status(self.text, self.title, self.document_type, given)

    def stop_reason(self, status: StudyStatus | None) -> str:
        """Why it was stopped, as far as it is told."""
        given = self.value("stop_reason", "why_stopped", "reason_stopped", "termination_reason")
        return stop_reason(self.text, status, given)

    def keywords(self) -> tuple[str, ...]:
        """Keywords of the front matter or of the file's properties."""
        given = self.metadata.get("keywords")
        if isinstance(given, str):
            given = re.split(r"[,;]", given)
        words = map(str, given) if isinstance(given, list | tuple) else ()
        return tuple(word.strip() for word in words if word.strip())[:20]


def _flat(metadata: Mapping[str, object]) -> dict[str, object]:
    """Front matter with normal field names; the fields of one nested mapping count as its own."""
    flat: dict[str, object] = {}
    for key, value in metadata.items():
        if isinstance(value, Mapping):
            flat.update({re.sub(r"\W+", "_", str(k).lower()): v for k, v in value.items()})
        flat[re.sub(r"\W+", "_", str(key).lower())] = value
    return flat


def _first_heading(text: str) -> str:
    found = next((b for b in blocks(text[:HEAD]) if 0 < b.level < NUMBERED_LEVEL), None)
    return plain(text[found.start : found.end]) if found else ""


def phase_of(found: re.Match[str]) -> str:
    """A phase as records write it: "Phase 1/2"."""
    numbers = [rules.ROMAN.get(part.upper()) or int(part) for part in found.groups() if part]
    return "Phase " + "/".join(str(number) for number in sorted(set(numbers)))
