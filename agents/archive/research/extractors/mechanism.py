"""Target, mechanism of action, class and indication of a molecule."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.document import AnnotatedDocument, MoleculeRole
from agents.archive.research.documents.lines import DrugMention, Line
from agents.archive.research.drafting import absent, claims_of
from agents.archive.research.patterns.species import POPULATION
from agents.archive.values import Draft, DraftField, ResearchInput
from agents.text.words import content_words

ACTION = (
    r"(?:inhibitors?|(?:inverse |partial |full )?agonists?|antagonists?|blockers?|openers?|modulators?|"
    r"activators?|stimulators?|antibod(?:y|ies)|"
    r"degraders?|stabili[sz]ers?|vaccine|prodrug|analogues?|vasodilators?|antisense oligonucleotide|siRNA|"
    r"sensiti[sz]ers?|substitutes?|releasers?)"
)
CLASS = (
    rf"(?P<class>(?:[\w/+&'’.-]+[ ,]{{1,2}}(?:\([^()]{{1,20}}\) )?){{0,10}}?{ACTION}(?: with [\w/ -]{{3,40}}?"
    rf"(?= against| directed))?(?: (?:of|against|"
    rf"for|directed against) (?:the )?[\w /-]{{3,50}}?)?(?: of the [\w -]{{3,40}} type)?)"
)
BEHIND = re.compile(
    rf"^(?:\s\([^()]{{1,40}}\))?(?:\s(?:hydrochloride|sodium|mesylate))?,?\s?(?:(?:is|was|are) |, )?(?:an?|"
    rf"the|selective|potent|novel|new)\s{CLASS}"
    r"(?=\s?[.,;:()]|\s(?:with|that|which|and|for|in|under|of|to|at|by|was|is|has|given|developed|discovered|intended)\b|$)",
    re.IGNORECASE,
)
BRACKET = re.compile(rf"^\s\((?P<class>[^()]*{ACTION}[^()]*)\)", re.IGNORECASE)
AHEAD = re.compile(
    rf"(?:\b(?:an?|the|of|oral|selective|with|inhibitor,?)\s)?(?P<class>(?:[\w/-]+ ){{0,4}}?{ACTION}),?\s$",
    re.IGNORECASE,
)
VERB = re.compile(
    r"\b(?P<action>(?:may |is thought to |selectively |potently |reproducibly )*(?:inhibits?|blocks?|"
    r"activates?|stimulates?|binds? to|targets?|antagoni[sz]es|"
    r"modulates?|attenuates?|suppresses|stop the growth of [\w ]+ by blocking)\s[^.;]{4,120})", re.IGNORECASE,
)  # fmt: skip
LAST_ARTICLE = re.compile(r"\b(?:and|or) the\s|^[\w\s-]*?\b(?:of|with|for|to) (?:the|an?)\s(?=[^.;]*$)")
CLASS_HEAD = re.compile(
    r"\s*(?:(?:drug |pharmacological )?class|(?:mechanism|mode)(?: of action)?)\s*", re.IGNORECASE
)
INDICATION_HEAD = re.compile(r"\s*(?:target )?indications?\s*", re.IGNORECASE)
FIRST_WORDS = re.compile(
    r"^(?:(?:an?|the|of|with|is|and|to|study|new|novel|effect|effects|safety|efficacy|trial|phase|in|for|"
    r"oral|orally active|orally|given|best|dose|side|giving)\s)+",
    re.IGNORECASE,
)
TARGET = re.compile(
    rf"(?P<target>[\w/+.-]+(?: [\w/+.-]+){{0,4}}?)(?: \([^()]*\))?[ -]{ACTION}", re.IGNORECASE
)
OF_TARGET = re.compile(
    rf"\b{ACTION} (?:of|at|to) (?:the )?(?P<target>[\w/+.-]+(?: [\w/+.-]+){{0,3}})$", re.IGNORECASE
)
"""A class that names its target behind what is done to it: "antagonist of the P2X3 receptor"."""
QUALIFIERS = re.compile(
    r"^(?:(?:selective|potent|high affinity|oral|orally|active|reversible|irreversible|competitive|novel|"
    r"new|humani[sz]ed|monoclonal|long-acting|dual|a|an)\s)+",
    re.IGNORECASE,
)
FOR_ILLNESS = re.compile(
    r"\b(?:for|in|to) (?:the )?(?:treat(?:ment)?(?: of)?|improv\w+|control(?: of)?|"
    r"prevention of)\s(?P<illness>[^.;,()]{4,70})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class MechanismStatement:
    """What a line says the molecule is or does."""

    kind: str
    text: str
    document: AnnotatedDocument
    line: Line


def extract(research_input: ResearchInput) -> Draft:
    """What a molecule is, what it acts on, and for which illness it was developed."""
    documents = annotated_documents(research_input)
    name = research_input.molecule.name
    said = [
        item
        for document in documents
        for line in document.lines
        if line.names_this
        for item in statements(document, line)
    ]
    if not any(item.kind in ("class", "action") for item in said):
        return absent(f"The archive does not state the target or mechanism of {name}.")
    listed = (item for item in said if item.kind == "indication")
    return draft(name, said, [*indications(documents), *listed])


def statements(document: AnnotatedDocument, line: Line) -> Iterator[MechanismStatement]:
    """Class and action that a line gives for the molecule; of a row, its cells under such heads."""
    if line.row is not None:
        yield from cells_of(document, line)
        return
    for drug in line.drugs:
        if drug.is_this:
            yield from classes(document, line, drug)
            yield from actions(document, line, drug)


def cells_of(document: AnnotatedDocument, line: Line) -> Iterator[MechanismStatement]:
    """Class and indication in a row of a table of molecules, where it names no other one."""
    assert line.row is not None
    if any(drug.is_of_archive and not drug.is_this for drug in line.drugs):
        return
    for head, cell in zip(line.row.header, line.row.cells, strict=True):
        for kind, pattern in (("class", CLASS_HEAD), ("indication", INDICATION_HEAD)):
            if pattern.fullmatch(head) and re.search(r"[a-z]{3}", cell):
                yield MechanismStatement(kind, cell.strip(), document, line)


def classes(document: AnnotatedDocument, line: Line, drug: DrugMention) -> Iterator[MechanismStatement]:
    """ "X is a selective Y inhibitor", "the Y inhibitor X", "X (Y inhibitor, illness)"."""
    for found in (
        BEHIND.match(line.text[drug.end :]),
        BRACKET.match(line.text[drug.end :]),
        AHEAD.search(line.text[: drug.start]),
    ):
        if found is not None:
            said = found["class"].strip()
            last = said if OF_TARGET.search(said) else LAST_ARTICLE.split(said)[-1]
            text = FIRST_WORDS.sub("", last).split(",")[0].strip()
            if len(text.split()) > 1:
                yield MechanismStatement("class", text, document, line)


def actions(document: AnnotatedDocument, line: Line, drug: DrugMention) -> Iterator[MechanismStatement]:
    """ "X stimulates insulin secretion": the verb stands right behind the molecule."""
    found = VERB.search(line.text, drug.end)
    if (
        found is not None
        and found.start() - drug.end <= 60
        and not re.search(r"[.;]|\b(?:which|whether|if|not|no)\b", line.text[drug.end : found.start()])
    ):
        yield MechanismStatement("action", found["action"].strip(), document, line)


def indications(documents: Sequence[AnnotatedDocument]) -> Iterator[MechanismStatement]:
    """Illnesses of titles of studies in patients, and "for the treatment of"."""
    for document in documents:
        if document.role is not MoleculeRole.SUBJECT:
            continue
        heading = document.lines[0] if document.lines else None
        if (
            heading is not None
            and (found := POPULATION.search(heading.text))
            and "healthy" not in found[0].lower()
        ):
            yield MechanismStatement(
                "indication",
                re.split(r"\b(?:with|suffering from|who have)\s+", found[0], maxsplit=1)[-1].strip(),
                document,
                heading,
            )
        for line in document.lines:
            if line.names_this and (illness := FOR_ILLNESS.search(line.text)):
                yield MechanismStatement("indication", illness["illness"].strip(), document, line)


def most_said(said: Sequence[MechanismStatement]) -> list[MechanismStatement]:
    """Statements by how often they are made, each wording once."""
    counted = Counter(item.text.lower() for item in said)
    first = {item.text.lower(): item for item in reversed(said)}
    return [first[text] for text, _ in sorted(counted.items(), key=lambda item: (-item[1], item[0]))]


def each_once(said: Sequence[MechanismStatement]) -> list[MechanismStatement]:
    """Classes without those that another one before them says in other words: "P2X3 antagonist" behind
    "antagonist of the P2X3 receptor".
    """
    kept: list[MechanismStatement] = []
    for item in said:
        words = content_words(item.text)
        others = [content_words(other.text) for other in kept]
        if not any(words <= other or other <= words for other in others):
            kept.append(item)
    return kept


def draft(name: str, said: Sequence[MechanismStatement], illnesses: Sequence[MechanismStatement]) -> Draft:
    """The class said most often, what it does, and the illnesses."""
    kinds = each_once(most_said([item for item in said if item.kind == "class"]))
    acts = most_said([item for item in said if item.kind == "action"])
    diseases = most_said(illnesses)[:4]
    main = (kinds or acts)[0]
    also = "; ".join(
        [
            *(item.text for item in acts[:1] if item is not main),
            *([f"studied in: {', '.join(d.text for d in diseases)}"] if diseases else []),
        ]
    )
    short = main.text + (f" ({also})" if also else "")
    fields = [DraftField("class", item.text, passages=(item.line.passage,)) for item in kinds[:3]]
    fields += [
        DraftField("target", target, passages=(item.line.passage,))
        for item in kinds[:1]
        if (target := target_of(item.text))
    ]
    fields += [DraftField("action", item.text, passages=(item.line.passage,)) for item in acts[:2]]
    fields += [DraftField("indication", item.text, passages=(item.line.passage,)) for item in diseases]
    lines = [item.line for item in (*kinds[:3], *acts[:2], *diseases[:2])]
    return Draft(True, short, f"{name}: {short}.", claims_of(lines, 6), tuple(fields))


def target_of(text: str) -> str:
    """What the class acts on: "gamma-secretase" of "selective gamma-secretase inhibitor"."""
    found = OF_TARGET.search(text) or TARGET.search(text)
    return QUALIFIERS.sub("", f"{found['target']} ").strip() if found else ""
