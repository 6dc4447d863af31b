"""What kind of document this is, by its title page and form, and by body words only in a study's report.

Minutes speak of interactions, registers of pharmacokinetics, and corrections of what they correct: such words
in their body make none of them a report on that.
"""

import re
from pathlib import PurePosixPath

from retrieval.ingest.correspondence import MAIL, SENDER, form
from retrieval.ingest.record_rules import Rules, rules_of
from retrieval.ingest.self_description import CORRECTION, PROTOCOL_NUMBER, TITLE_LINE, tells_results
from retrieval.ingest.title import LABEL_SECTION, SHEETS
from retrieval.markdown import NUMBERED_LEVEL, BlockKind, blocks, cells
from retrieval.passages import plain

HEAD = 800
"""Characters in which a document says what it is."""
OPENING = 3000
"""Characters of the beginning that speak about the document as a whole."""
FIRST_LINES, FIRST_SENTENCE = 3, re.compile(r"\.(?:\s|$)")
"""Paragraphs at the beginning whose first sentence can say the form, and where it ends."""

REGISTRY_RECORD = rules_of("registry_record")
FORMS = (("Correction", re.compile(CORRECTION, re.I)), *rules_of("form"))
CONTENTS = rules_of("content")
PLAIN_TYPES = rules_of("plain_type")

SECTION_OF_LABEL = re.compile(
    r"\bhighlights of prescribing information\b|\A\W*(?:full )?prescribing information\b|"
    r"\bto report suspected adverse reactions, contact\b|"
    r"\bsee\s+(?:warnings and precautions|dosage and administration|adverse reactions|clinical studies|"
    r"use in specific populations|clinical pharmacology|contraindications|boxed warning)\s*\(\s*\d",
    re.I,
)
"""What only the text of a drug's label says: references to its numbered sections."""
LABEL_FILE = re.compile(
    r"(?<!open[- ])(?:\blabel(?:ling|ing)?|\bprescribing information|\bpackage insert)\Z", re.I
)
"""The end of a file's name that is a label's, if its text begins with a section of one."""
MEMO_HEAD = re.compile(
    r"^(?:.{1,60} [—–|-] )?\W*(?:[\w/-]+[ ]){0,3}(?:memo(?:randum)?)\b.{0,120}$", re.I | re.M
)
"""The line that heads a memo, above its "From" and "To"."""

OF_A_STUDY = re.compile(
    r"\b(?:study|trial|project|report|protocol) (?:number|no\b|code|id\b|director|site|title)|"
    r"\breport (?:date|issued)|\b(?:study|final|interim|technical) report\b|\bsponsor\b|"
    r"\btest (?:facility|site)|\bprincipal investigator|\bprüfleit|\bprüfbericht|\bdirecteur de l['’]étude",
    re.I,
)
"""What the beginning of a study's report says, so that the words in it tell what it is about."""
REGISTER_HEADS = (
    re.compile(r"\W*(?:study|trial)(?:[ _](?:no\.?|number|id|code))?\W*", re.I),
    re.compile(r"\W*(?:status|state|phase|species|type|design)\b.*", re.I),
)
"""Heads of a table that lists studies: of the first column, and of another one."""
IN_MAN = re.compile(
    r"\b(?:patients?|patienten|volunteers?|probanden|healthy|clinical|clinique|phase)\b", re.I
)
"""What tells a protocol in man."""
DRUG_LABEL = "Drug label"
TYPES = tuple(
    sorted(
        {MAIL, DRUG_LABEL, "Article"}.union(
            name for table in (REGISTRY_RECORD, FORMS, CONTENTS, PLAIN_TYPES) for name, _ in table
        )
    )
)
"""All types that a document can be found to have."""


def document_type(text: str, title: str, path: str) -> str:
    """The kind of a document; "" where neither its title page nor its text tells it.

    In order: what only a registry, a mail, a letter, a drug's label or a sheet of studies has; the form that
    the title, the title page or the file's name says; what the title says that it is about; what the
    beginning of a study's report says.
    """
    written = form(text)
    if written == MAIL and _is_memo(text):
        return "Memorandum"
    if written:
        return written
    stem = PurePosixPath(path).stem.replace("_", " ")
    head = f"{stem}\n{text[:HEAD]}"
    found = (
        _first(REGISTRY_RECORD, text)
        or _drug_label(text, stem)
        or ("Study list" if path.lower().endswith(SHEETS) and _lists_studies(text) else "")
        or next(filter(None, (_first(FORMS, line) for line in (title, *_forms(text), stem))), "")
        or _first(CONTENTS, title)
        or (_first(CONTENTS, head) if OF_A_STUDY.search(head) else "")
        or _first(PLAIN_TYPES, head)
    )
    in_man = IN_MAN.search(text[:OPENING])
    return "Study protocol" if found == "Clinical study protocol" and not in_man else found


def _forms(text: str) -> list[str]:
    """The lines of a title page; of a report without the number of the protocol that it followed."""
    page = _title_page(text)
    if not any(map(PROTOCOL_NUMBER.fullmatch, page)) or not tells_results(text.splitlines()):
        return page
    return [line for line in page if not PROTOCOL_NUMBER.fullmatch(line)]


def _title_page(text: str) -> list[str]:
    """Headings, lines of their own and short first sentences ("Memorandum TX-1.") at the beginning."""
    kinds = (BlockKind.HEADING, BlockKind.PARAGRAPH)
    shown = [one for one in blocks(text[:HEAD]) if one.kind in kinds and one.level < NUMBERED_LEVEL]
    lines = [plain(text[slice(*block.lines[0])]) for block in shown]
    alone = [
        len(block.lines) == 1 and not line.endswith(".") for block, line in zip(shown, lines, strict=True)
    ]
    opening = [FIRST_SENTENCE.split(line)[0] for line in lines[:FIRST_LINES]]
    return [
        *(line for line in opening if len(line) <= TITLE_LINE // 2),
        *(line for line, one in zip(lines, alone, strict=True) if one and len(line) <= TITLE_LINE),
    ]


def _lists_studies(text: str) -> bool:
    """Whether the first table of a document lists studies."""
    table = next((block for block in blocks(text[:OPENING]) if block.kind is BlockKind.TABLE), None)
    if table is None:
        return False
    first, *others = cells(text[slice(*table.lines[0])]) or ("",)
    number, fact = REGISTER_HEADS
    return bool(number.fullmatch(first)) and any(fact.fullmatch(one) for one in others)


def _drug_label(text: str, stem: str) -> str:
    """A drug's label where the opening refers to a label's sections, or file and first line say so."""
    opening = text[:OPENING]
    section = LABEL_SECTION.fullmatch(opening.strip().partition("\n")[0])
    return DRUG_LABEL if (LABEL_FILE.search(stem) and section) or SECTION_OF_LABEL.search(opening) else ""


def _is_memo(text: str) -> bool:
    """Whether a line above the sender says that this is a memo."""
    sender = SENDER.search(text)
    return sender is not None and MEMO_HEAD.search(text[: sender.start()]) is not None


def _first(table: Rules, text: str) -> str:
    return next((name for name, pattern in table if pattern.search(text)), "")
