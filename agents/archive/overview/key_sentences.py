"""The sentences in which a report tells its purpose, design, results, safety and end, and the row of its
tables that tells most of its main result.
"""

import re
from collections.abc import Sequence

from agents.archive.tools import LoadedDocument
from agents.trust.quantities import parse_quantities
from retrieval.captions import CAPTION
from retrieval.molecules.codes import is_generic
from retrieval.molecules.lookup import mentions
from retrieval.values import Molecule, Passage, PassageKind

ROLES = (
    (
        "Purpose",
        1,
        r"\b(?:objectives?|purpose|aims?|investigated?|to (?:assess|evaluate|determine|compare|examine))\b",
    ),
    (
        "Design",
        2,
        r"\b(?:randomi[sz]ed|double-blind|open-label|cross-?over|groups? of|placebo-controlled|received|"
        r"(?:was|were) (?:given|administered|treated|dosed|enrolled)|cohort|sample)\b",
    ),
    (
        "Results",
        3,
        r"\b(?:conclu\w+|results?|showed|shown|found|significant\w*|increase[sd]?|decrease[sd]?|reduced|"
        r"no (?:\w+ )?(?:effects?|changes?|difference)|NOAEL|tolerated|associated with|observed)\b",
    ),
    (
        "Safety",
        1,
        r"\b(?:adverse|serious|side effects?|toxicity|NOAEL|no[- ]observed|tolera\w+|safety|deaths?|died|"
        r"elevat\w+|raised|dose[- ]limiting)\b",
    ),
    ("End", 1, r"\b(?:terminated|stopped early|discontinued|withdrawn|status:)"),
)
"""What a summary of a study tells: heading, sentences at most, and the words by which they are known."""
TELLING = re.compile(
    r"summary|abstract|conclusion|result|synopsis|objective|purpose|discussion|key (?:finding|point)", re.I
)
CONCLUDING = re.compile(r"\b(?:conclusions?|interpretation|key (?:findings?|points?))\b", re.I)
"""Headings below which every sentence tells what came out of a study."""
SHORTEST, LONGEST, OPENING = 25, 600, 30
EFFECT = re.compile(
    r"\b(?:primary|endpoint|change|reduction|responses?|responders?|remission|survival|efficacy|improvement|"
    r"decrease|inhibition)\b",
    re.I,
)
"""Words of a row or its heads by which a table tells an effect."""
NO_EFFECT = re.compile(
    r"\b(?:demograph\w*|baseline characteristics|disposition|stability|storage|batch\w*|body weight|"
    r"change of (?:name|code)|amendments?|planned|sample size)\b",
    re.I,
)
BOILERPLATE = re.compile(
    r"\b(?:trials|studies) are conducted under\b|\bcannot be directly compared\b|"
    r"\bmay not reflect the rates\b|\ball rights reserved\b|"
    r"\bthis (?:document|report) (?:is|contains) (?:the )?(?:confidential|property|proprietary)",
    re.I,
)
"""What every label or report says, and what tells nothing of its own drug."""
POINTING = re.compile(
    r"^\W*(?:this|these|those|they|it|its|he|she|such|others?|both|however|also|therefore|thus|in addition|"
    r"moreover|furthermore|in contrast|the (?:latter|former|same))\b",
    re.I,
)
"""Beginnings of sentences that do not stand by themselves."""
POINTS = 1.5
"""What such a sentence tells less."""
NUMBER = re.compile(r"\d")
WORD, NUMBERS = re.compile(r"[^\W\d_]{2,}"), re.compile(r"\d+(?:[.,]\d+)*")
"""A line with more numbers than words, and with no verb, is a row of a table that was read as text.
"Weight decreased" is the name of an event, and has no verb.
"""
VERB = re.compile(
    r"(?<=\d )randomi[sz]ed\b|"
    r"\b(?:is|are|was|were|has|have|had|did|occurred|died|survived|showed|developed|rose|fell|reached|averaged|"
    r"remained|ranged|led|(?:in|de)creased (?:by|from|to|in|at|with)|received)\b",
    re.I,
)
FEWEST_NUMBERS = 2


def key_passages(
    loaded: LoadedDocument,
    roles: Sequence[str] = ("Purpose", "Design", "Results", "Safety", "End"),
    most: int = 8,
    own: Sequence[Molecule] = (),
    registry: Sequence[Molecule] = (),
) -> list[Passage]:
    """The sentences that tell purpose, design, results, safety and end, in the order of the text.

    With a `registry`, those that begin with a drug that is not its `own` are left out: what a comparator did
    is no result of this one.
    """
    chosen: dict[int, Passage] = {}
    sentences = [
        (place, p)
        for place, p in enumerate(loaded.passages)
        if _is_sentence(p) and not (registry and _of_another(p.text, own, registry))
    ]
    for name, count, pattern in ROLES:
        if name not in roles:
            continue
        words = re.compile(pattern, re.I)
        scored = [
            (_telling(p, place, words, len(loaded.passages)), -place, p)
            for place, p in sentences
            if words.search(p.text) or (name == "Results" and _concludes(p))
        ]
        scored.sort(key=lambda item: item[:2], reverse=True)
        for _, place, passage in [item for item in scored if -item[1] not in chosen][: min(count, most)]:
            chosen[-place] = passage
    return [chosen[place] for place in sorted(chosen)][:most]


def key_rows(
    loaded: LoadedDocument, own: Sequence[Molecule], registry: Sequence[Molecule], most: int = 1
) -> list[Passage]:
    """The rows that tell most of the main result: of the primary endpoint, else of the highest doses of the
    first table of an effect; none where no table tells an effect. What a comparator did is left out.
    """
    rows = [
        passage
        for passage in loaded.passages
        if _tells_effect(passage)
        and not _of_another(passage.row.cells[0] if passage.row else "", own, registry)
    ]
    if primary := [one for one in rows if re.search(r"\bprimary\b", one.text, re.I)]:
        return primary[:1]
    dosed = [(one.row.header, _dose_of(one), one) for one in rows if one.row and _dose_of(one)]
    first = [(dose, -one.start, one) for heads, dose, one in dosed if heads == dosed[0][0]]
    return [row for *_, row in sorted(first, key=lambda item: item[:2], reverse=True)[:most]]


def _tells_effect(passage: Passage) -> bool:
    """Whether a row has several numbers, and its heads or its label tell an effect."""
    row = passage.row
    if row is None or row.cells == row.header or not any(row.header):
        return False
    about = " | ".join((row.caption, *row.header, *row.cells[:1], *passage.section[-1:]))
    numbers = sum(bool(NUMBER.search(cell)) for cell in row.cells[1:])
    return numbers >= FEWEST_NUMBERS and EFFECT.search(about) is not None and not NO_EFFECT.search(about)


def _dose_of(passage: Passage) -> float:
    """The dose, as it is written, that a row is labelled with; 0 for another label."""
    label = passage.row.cells[0] if passage.row else ""
    return max((found.high for found in parse_quantities(label)), default=0.0)


def _of_another(text: str, own: Sequence[Molecule], registry: Sequence[Molecule]) -> bool:
    """Whether a sentence begins with a drug that is not this one."""
    named = [name for _, _, name in mentions(text[:OPENING], registry)]
    if named:
        return named[0] not in {molecule.name for molecule in own}
    first = text.lstrip("-* ").split()[:1]
    return bool(first and is_generic(first[0].strip(".,:;")))


def _is_sentence(passage: Passage) -> bool:
    kinds = (PassageKind.SENTENCE, PassageKind.ITEM)
    return (
        passage.kind in kinds
        and SHORTEST <= len(passage.text) <= LONGEST
        and passage.text.rstrip()[-1:] in ".;)"
        and not CAPTION.match(passage.text)
        and not BOILERPLATE.search(passage.text)
        and not is_row_as_text(passage.text)
    )


def is_row_as_text(text: str) -> bool:
    """Whether a line is a row of a table: "Deaths occurred in 0/10, 1/10 and 3/10 rats" is a sentence."""
    return len(WORD.findall(text)) <= len(NUMBERS.findall(text)) and VERB.search(text) is None


def _concludes(passage: Passage) -> bool:
    """Whether a sentence stands below the heading of a conclusion."""
    return any(CONCLUDING.search(heading) for heading in passage.section)


def _telling(passage: Passage, place: int, words: re.Pattern[str], total: int) -> float:
    """How much a sentence tells: cues, the heading above it, and whether it has numbers."""
    cues = min(3, len(words.findall(passage.text)))
    headed = 2.0 * any(TELLING.search(heading) for heading in passage.section)
    headed += 2.0 * _concludes(passage) - POINTS * bool(POINTING.match(passage.text))
    return cues + headed + 0.5 * bool(re.search(r"\d", passage.text)) - place / max(1, total)
