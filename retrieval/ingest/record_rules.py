"""Rules that read a document's metadata from its words (DiscoVerse, Appendix A.2).

Each table maps a value of the record to a pattern; the first or most frequent match wins, as the table says.
"""

import re
from collections.abc import Sequence

from retrieval.values import Domain, StudyStatus

Rules = Sequence[tuple[str, re.Pattern[str]]]


def rules_of(*pairs: tuple[str, str]) -> Rules:
    """A table, its patterns in any case."""
    return tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in pairs)


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
NUMBER_OF_BOTH = re.compile(r"([A-Z]{1,5}(?:[-–][A-Z0-9]{1,4})?[-–]?\d{2,6}(?:[-–]\d{2,6})*)(?=[\s_:,.(]|$)")
"""A number, also a short one, with which title and file's name both begin."""
OF_A_CODE = re.compile(
    r"\b(?:of|with|on|in) (?:the )?(?:[a-z]+ \()?(?=[^\s(]*\d)[A-Za-z0-9][^\s()]{3,}", re.I
)
"""What a study is of, in its title."""
REPORT_NUMBER = re.compile(
    r"\b(?:[Rr]eport|[Pp]rotocol|[Ss]tudy|[Tt]rial|(?:[Pp]rüf|[Ss]tudien)?[Bb]ericht|[Pp]rüfplan|[Ss]tudie|[Rr]apport|"
    r"[Pp]rotocole|[Éé]tude)\s+(?=[A-Z0-9/.-]*\d)([A-Z][A-Z0-9]*(?:[-/.]?[A-Z0-9]+){1,6})(?![\w-])"
)
"""A study's number behind its label, and one behind a mere word, which must be in capitals."""

TITLE_NUMBER = re.compile(r"(?:[Rr]eport |[Ss]tudy )?(?=\S*\d)([A-Z]{2,}(?:/[\w-]+)+)(?=\s*[—–:-]\s)")
"""A number of several parts with which a title begins ("TX/dog/211: ...")."""

STUDY_TYPES = rules_of(
    (
        "single ascending dose",
        r"single[- ](?:ascending|rising|escalating|increasing)[- ](?:\w+ )?doses?|\bSAD\b|"
        r"first[- ](?:trial[- ]|study[- ])?(?:in|administration)[- ](?:to )?(?:hu)?man|"
        r"single (?:\w+ )?doses? (?:\w+ )?in (?:healthy )?(?:men|volunteers|subjects)",
    ),
    (
        "multiple ascending dose",
        r"multiple[- ](?:ascending|rising|escalating|increasing)?[- ]?(?:\w+ )?dos(?:e|ing)s?|"
        r"\bMAD\b|"
        r"repeated[- ]dose study in (?:healthy )?(?:volunteers|subjects|men)",
    ),
    (
        "repeated-dose toxicity",
        r"(?:repeated?[- ]dose|(?:week|month|day|sub)\w*(?:acute|"
        r"chronic)?)[- ](?:\w+ ){0,3}toxicity|"
        r"\bchronic toxicity|sub(?:acute|chronic) toxicity|(?:\d+|two|four|six|thirteen|"
        r"twenty\S*)[- ](?:week|month|day)\S* (?:\(?\w+\)? ){0,3}toxicity",
    ),
    (
        "acute toxicity",
        r"\b(?:acute|akuten?|aiguë) (?:\w+ )?toxi(?:city|zität)|"
        r"\btoxicité (?:\w+ )?aiguë|\bLD50\b|single[- ]dose toxicity",
    ),
    (
        "genotoxicity",
        r"genotox|mutagen|reverse mutation|\bames\b|micronucle|chromosom\w+ aberration|comet assay",
    ),
    ("carcinogenicity", r"carcinogen|oncogenicity"),
    (
        "reproductive toxicity",
        r"teratogen|embryo|reproduct\w+ toxic|fertility study|peri-?(?:and )?postnatal",
    ),
    ("safety pharmacology", r"safety pharmacology|\bhERG\b|telemetr|respiratory (?:safety|function)|irwin"),
    (
        "drug interaction",
        r"(?:drug[- ])?(?:drug )?interactions? (?:study|of|with|between)|co-?administration with",
    ),
    (
        "bioavailability",
        r"bioavailability|bioequivalence|food[- ]effect|effect of food|formulations? (?:study|"
        r"comparison)",
    ),
    (
        "pharmacokinetics",
        r"pharmacokinetic|toxicokinetic|\bADME\b|plasma levels?|mass balance|"
        r"absorption, distribution",
    ),
    (
        "pharmacology",
        r"\bpharmacolog(?:y|ical)\b|mode of action|mechanism of action|receptor binding|"
        r"in vitro (?:activity|profile)",
    ),
    ("Phase III", r"phase (?:III|3)[ab]?\b(?!/)|pivotal (?:study|trial)"),
    ("Phase II", r"phase (?:II|2)[ab]?\b(?!/)|dose[- ]finding|proof[- ]of[- ]concept"),
    ("Phase I", r"phase (?:I|1)[ab]?\b(?!/)"),
    ("Phase I/II", r"phase (?:I|1)[ab]?\s?/\s?(?:phase )?(?:II|2)[ab]?\b"),
    ("Phase IV", r"phase (?:IV|4)\b|post-?marketing|surveillance survey"),
    ("observational", r"observational|retrospective|registry study|survey\b|cohort study"),
    ("minutes", r"\bminutes of (?:the|a|our|meeting)\b"),
    ("brochure", r"brochure|information for investigators"),
    ("overview", r"\boverview\b|\blist of studies\b"),
    ("closure", r"project closure|termination of (?:the )?(?:development|project)"),
)
"""The one with the most weight wins; a match in the title weighs most. Ties go to the first."""
NO_STUDY = ("minutes", "brochure", "overview", "closure")
"""Those that are no study."""
OF_DISCUSSION = ("minutes", "closure")
"""What minutes, memos and letters are of these."""

STAGES: Sequence[tuple[Domain, re.Pattern[str], int]] = (
    (
        Domain.PRECLINICAL,
        re.compile(
            r"\b(?:rats?|dogs?|mice|mouse|monkeys?|rabbits?|minipigs?|guinea[- ]pigs?|NOAEL|ames|in vitro|"
            r"animals?|IC50)\b|no[- ](?:observed[- ])?(?:adverse[- ])?effect level|without toxic effect|"
            r"micronucle|mutagen|preclinical|nonclinical|non-clinical|toxicolog|histopatholog",
            re.I,
        ),
        2,
    ),
    (
        Domain.CLINICAL,
        re.compile(
            r"\b(?:patients?|volunteers?|participants?|in man|placebo|humans?)\b|"
            r"\bclinical (?:trial|stud|report|phase)|\bphase (?:I|\d)|healthy (?:men|subjects|adults)",
            re.I,
        ),
        2,
    ),
    (
        Domain.STRATEGIC,
        re.compile(
            r"\bportfolio\b|\bminutes\b|\bcommittee\b|\bboard\b|\bnominat|\bterminat(?:ed|ion)\b|"
            r"\bdiscontinu(?:ed|ation) of "
            r"(?:the )?(?:development|project|programme)|\bdevelopment (?:of|is|was)\b.{0,40}(?:stopped|"
            r"terminated)|\bmarket"
            r"(?:ing)?\b|\bcommercial|\bpatent\b|\bcompetit|\bsunk cost|\bbudget\b|\bstrateg|"
            r"\bback-?up\b|\bfollow-up compound|"
            r"\brenamed\b|\bacquired\b|\blicen[cs]",
            re.I,
        ),
        3,
    ),
)
"""Stage, its words, and how many of them a body needs; one in the title is enough."""

STATUSES: Sequence[tuple[StudyStatus, re.Pattern[str]]] = tuple(
    (status, re.compile(pattern, re.IGNORECASE | re.DOTALL))
    for status, pattern in (
        (
            StudyStatus.WITHDRAWN,
            r"(?:withdrawn|stopped|cancelled|terminated|halted|ended)[^.]{0,40} (?:before|"
            r"prior to) (?:the )?(?:first )?"
            r"(?:participant|patient|subject|volunteer|enrol|dosing|start)|no (?:participants?|"
            r"patients?|subjects?) (?:was|were|has been|have been) "
            r"(?:ever )?(?:enrolled|dosed)|study was (?:cancelled|withdrawn)|will not be (?:started|"
            r"conducted|carried out)",
        ),
        (
            StudyStatus.TERMINATED,
            r"(?:study|trial|dosing|recruitment|enrol?ment) (?:was|has been|is|"
            r"were) (?:(?!not|never)\w+ )?(?:terminated|stopped|discontinued|"
            r"halted|abandoned)|\b(?:study|trial|recruitment|enrol?ment)\b[^.;|\n]{0,60}"
            r"(?:terminated|stopped|discontinued|ended) (?:early|prematurely)|(?:early|"
            r"premature) termination of the "
            r"(?:study|trial)",
        ),
        (
            StudyStatus.PLANNED,
            r"planned, not (?:yet )?started|has not (?:yet )?(?:started|begun)|not yet recruiting|"
            r"\bstatus: planned",
        ),
        (
            StudyStatus.ONGOING,
            r"\b(?:study|trial)\b[^.]{0,60}\b(?:is|are) (?:still )?(?:ongoing|in progress|recruiting|"
            r"under way|blinded)|"
            r"currently (?:recruiting|enrolling)|\bby \d[^.]{0,60}had been randomi[sz]ed",
        ),
        (
            StudyStatus.COMPLETED,
            r"(?:study|trial) (?:was|has been|is) completed|"
            r"\bfinal report\b(?! (?:is|was|will|shall|has|due|expected|planned))|\bsigned \d|"
            r"\bsigned report\b|all subjects "
            r"completed|\(final\)",
        ),
    )
)
"""In order: what prevents dosing outranks what was planned."""

STATUS_WORDS = (
    (StudyStatus.WITHDRAWN, ("withdrawn", "cancelled", "canceled", "never started")),
    (StudyStatus.TERMINATED, ("terminated", "stopped", "discontinued", "halted", "aborted")),
    (StudyStatus.PLANNED, ("not yet", "planned", "not started", "draft", "approved")),
    (
        StudyStatus.ONGOING,
        ("recruiting", "ongoing", "active", "in progress", "enrolling", "running", "suspended"),
    ),
    (StudyStatus.COMPLETED, ("completed", "final", "finished", "signed", "closed")),
)
"""Words of registries and front matter."""

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
