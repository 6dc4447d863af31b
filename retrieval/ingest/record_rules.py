"""Rules that read a document's metadata from its words (DiscoVerse, Appendix A.2).

What words say a type of study, a stage or a status stands in `record_rules.toml`.
"""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

from retrieval.values import Domain, StudyStatus

Rules = Sequence[tuple[str, re.Pattern[str]]]

_FILE = tomllib.loads(Path(__file__).with_name("record_rules.toml").read_text(encoding="utf-8"))


def rules_of(table: str, flags: re.RegexFlag = re.I) -> Rules:
    """A table of the file: what is found, and a pattern of all words for it."""
    return tuple((name, re.compile("|".join(words), flags)) for name, words in _FILE[table].items())


SEVERAL_STUDIES = re.compile(
    r"minutes|overview|brochure|list|competitor note|\bregister\b|inventory|memo|notice|nomination|"
    r"presentation|portfolio|project report|letter|e-mail|\bdrug label\b",
    re.I,
)
"""Document types that speak of many studies, so that a phase or status in their text is not their own."""
OF_NO_PHASE = re.compile(r"minutes|memo|e-mail|letter|\bdrug label\b", re.I)
"""Document types whose title, too, names a phase only as what is discussed."""

_NUMBER = r"((?=[\w/.-]*\d)[A-Za-z0-9][\w/.-]{2,40}[A-Za-z0-9])"
STUDY_NUMBER = re.compile(
    rf"\b(?:(?:study|protocol|trial|project|report|bericht|studien|rapport|étude)[ -]?"
    r"(?:number|no\.?|nr\.?|n°|nummer|id|identifier|code|#)|NCT number)"
    rf"[*\s]*[:|#]?[|*\s]*{_NUMBER}",
    re.I,
)
NUMBER_FIRST = re.compile(r"((?=[A-Z0-9-]*\d{3})[A-Z]{1,5}[-–]?\d{2,6}(?:[-–]\d{2,6})*)(?=[\s_:,.(]|$)")
"""A number at the beginning of a title or of a file's name."""
REPORT_NUMBER = re.compile(
    r"\b(?:[Rr]eport|[Pp]rotocol|[Ss]tudy|[Tt]rial|(?:[Pp]rüf|[Ss]tudien)?[Bb]ericht|[Pp]rüfplan|[Ss]tudie|[Rr]apport|"
    r"[Pp]rotocole|[Éé]tude)\s+(?=[A-Z0-9/.-]*\d)([A-Z][A-Z0-9]*(?:[-/.]?[A-Z0-9]+){1,6})(?![\w-])"
)
"""A study's number behind its label, and one behind a mere word, which must be in capitals."""

STUDY_TYPES = rules_of("study_type")
NO_STUDY = ("minutes", "brochure", "overview", "closure")
"""Those that are no study."""
OF_DISCUSSION = ("minutes", "closure")
"""What minutes, memos and letters are of these."""

STAGES: Sequence[tuple[Domain, re.Pattern[str], int]] = tuple(
    (Domain(name), re.compile("|".join(stage["said"]), re.I), stage["needed"])
    for name, stage in _FILE["stage"].items()
)
"""Stage, its words, and how many of them a body needs; one in the title is enough."""
STATUSES = tuple((StudyStatus(name), pattern) for name, pattern in rules_of("status", re.I | re.S))
"""In order: what prevents dosing outranks what was planned."""
STATUS_WORDS = tuple((StudyStatus(name), words) for name, words in _FILE["status_word"].items())
"""Words of registries and front matter, in order."""

STATUS_LABEL = re.compile(
    r"^[*_\s]*(?:overall |study |current |recruitment )?status[*_]*\s*:[*_]*\s*([^\n.;|]+)", re.I | re.M
)
STATUS_INLINE = re.compile(
    r"\b(?:overall |study |recruitment )status\s*:\s*([^\n.;|]+)|[.;|(]\s*status:\s*([^\n.;|]+)", re.I
)
STOP_REASON_LABEL = re.compile(
    r"\b(?:reason[^.:\n]{0,60}(?:stopp|terminat|withdr|discontinu)[^:\n]{0,50}|why stopped)\s*:\s*([^\n]+)",
    re.I,
)
STOP_REASON = re.compile(
    r"\b(?:terminated|stopped|discontinued|withdrawn|halted|cancelled|abandoned)\b[^.]{0,80}?"
    r"\b(?:because|due to|owing to|on account of|as a result of|for (?:reasons?|lack)|on the ground)|"
    r"\bcriterion of futility\b|\breasons? (?:is|was|are|were)\b[^.]*",
    re.I,
)

STUDY_PHASE = re.compile(
    r"(?<!for )(?<!to )(?<!before )(?<!after )(?<!later )(?<!future )(?<!next )(?<!planned )"
    r"\bphase[- ]?(IV|I{1,3}|[1-4])[abc]?(?:\s?(?:/|-|–|"
    r"and|or)\s?(?:phase[- ]?)?"
    r"(IV|I{1,3}|[1-4])[abc]?)?\b(?=[^.;]{0,60}\b(?:study|trial|"
    r"investigation)\b)(?![^.;]{0,80}\b(?:is|are) (?:planned|foreseen))",
    re.I,
)
"""A phase that a text gives to the study it describes, not to one that follows or went before."""
PHASE = re.compile(
    r"\bphase[- ]?(IV|I{1,3}|[1-4])[abc]?(?:\s?(?:/|-|–|to|and|or)\s?(?:phase[- ]?)?(IV|I{1,3}|"
    r"[1-4])[abc]?)?\b",
    re.I,
)
PHASE_FIELD = re.compile(
    r"\bphase[*_\s]*[:|][*_|\s]*(?:phase[- ]?)?((?:IV|I{1,3}|[1-4])[abc]?\b[^.\n]*)|"
    r"^[ \t#*_]*phase[ -]((?:IV|I{1,3}|[1-4])[abc]?(?: ?/ ?(?:IV|I{1,3}|[1-4])[abc]?)?)[ \t*_]*$",
    re.I | re.M,
)
"""A field, or a line of its own, that gives the phase of the study described."""
ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4}
