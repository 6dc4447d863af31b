"""Target, mechanism of action, class and indication of a molecule."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.document import AnnotatedDocument, MoleculeRole
from agents.archive.research.documents.lines import Line
from agents.archive.research.drafting import absent, stated, text_fields
from agents.archive.research.patterns.species import POPULATION
from agents.archive.values import Draft, ResearchInput
from agents.text.rows import under
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
NO_ACTION = re.compile(r"[.;]|\b(?:which|whether|if|not|no)\b")
"""What between molecule and verb shows that the verb does not tell its action."""
SICK_WITH = re.compile(r"\b(?:with|suffering from|who have)\s+")
CLASS_HEAD = re.compile(
    r"(?:(?:drug |pharmacological )?class|(?:mechanism|mode)(?: of action)?)", re.IGNORECASE
)
FOR_INDICATION = re.compile(r"^(?!.*\b(?:target|mechanism|class)\b).*\bindicat(?:ions?|ed)\b", re.IGNORECASE)
"""A question for the indication and nothing else."""
INDICATION_HEAD = re.compile(r"(?:target )?indications?", re.IGNORECASE)
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


@dataclass(frozen=True, slots=True)
class Statement:
    """What a line says the molecule is, does, or is for."""

    text: str
    line: Line


def extract(research_input: ResearchInput) -> Draft:
    """What a molecule is, what it acts on, and for which illness it was developed."""
    documents = annotated_documents(research_input)
    name = research_input.molecule.name
    lines = [line for document in documents for line in document.lines if line.names_this]
    kinds = each_once(most_said([said for line in lines for said in classes(line)]))
    acts = most_said([said for line in lines for said in actions(line)])
    listed = [said for line in lines for said in cells_under(INDICATION_HEAD, line)]
    illnesses = most_said([*indications(documents), *listed])[:4]
    if not illnesses and FOR_INDICATION.search(research_input.question):
        return absent(f"The archive does not state the indication of {name}.")
    if not kinds and not acts:
        return absent(f"The archive does not state the target or mechanism of {name}.")
    return draft(name, kinds, acts, illnesses)


def cells_under(head: re.Pattern[str], line: Line) -> Iterator[Statement]:
    """What a row of a table of molecules gives under a head, where it names no other molecule."""
    if line.row is None or any(drug.is_of_archive and not drug.is_this for drug in line.drugs):
        return
    yield from (Statement(cell, line) for cell in under(line.row, head) if re.search(r"[a-z]{3}", cell))


def classes(line: Line) -> Iterator[Statement]:
    """ "X is a selective Y inhibitor", "the Y inhibitor X", "X (Y inhibitor, illness)"; of rows too."""
    if line.row is not None:
        yield from cells_under(CLASS_HEAD, line)
        return
    for drug in line.drugs:
        ahead, behind = line.text[: drug.start], line.text[drug.end :]
        for found in (BEHIND.match(behind), BRACKET.match(behind), AHEAD.search(ahead)):
            if found is None or not drug.is_this:
                continue
            said = found["class"].strip()
            text = FIRST_WORDS.sub("", said).split(",")[0].strip()
            if len(text.split()) > 1:
                yield Statement(text, line)


def actions(line: Line) -> Iterator[Statement]:
    """ "X stimulates insulin secretion": the verb stands right behind the molecule."""
    for drug in line.drugs if line.row is None else ():
        found = VERB.search(line.text, drug.end) if drug.is_this else None
        between = line.text[drug.end : found.start()] if found else ""
        if found and len(between) <= 60 and not NO_ACTION.search(between):
            yield Statement(found["action"].strip(), line)


def indications(documents: Sequence[AnnotatedDocument]) -> Iterator[Statement]:
    """Illnesses of titles of studies in patients."""
    for document in documents:
        if document.role is not MoleculeRole.SUBJECT:
            continue
        for heading in document.lines[:1]:
            for people in POPULATION.finditer(heading.text):
                if SICK_WITH.search(people[0]):
                    yield Statement(SICK_WITH.split(people[0], maxsplit=1)[-1].strip(), heading)


def most_said(said: Sequence[Statement]) -> list[Statement]:
    """Statements by how often they are made, each wording once."""
    counted = Counter(item.text.lower() for item in said)
    first = {item.text.lower(): item for item in reversed(said)}
    return [first[text] for text, _ in sorted(counted.items(), key=lambda item: (-item[1], item[0]))]


def each_once(said: Sequence[Statement]) -> list[Statement]:
    """Classes without those that another one before them says in other words: "P2X3 antagonist" behind
    "antagonist of the P2X3 receptor".
    """
    kept: dict[frozenset[str], Statement] = {}
    for item in said:
        words = content_words(item.text)
        if not any(words <= other or other <= words for other in kept):
            kept[words] = item
    return list(kept.values())


def draft(
    name: str, kinds: Sequence[Statement], acts: Sequence[Statement], illnesses: Sequence[Statement]
) -> Draft:
    """The class said most often, what it does, and the illnesses."""
    main = (kinds or acts)[0]
    action = acts[0].text if acts and kinds else ""
    studied = f"studied in: {', '.join(one.text for one in illnesses)}" if illnesses else ""
    told = [("class", one.text, one.line) for one in kinds[:3]]
    told += [("target", target_of(one.text), one.line) for one in kinds[:1]]
    told += [("action", one.text, one.line) for one in acts[:2]]
    told += [("indication", one.text, one.line) for one in illnesses]
    fields = [field for label, text, line in told for field in text_fields([line], **{label: text})]
    lines = [one.line for one in (*kinds[:3], *acts[:2], *illnesses[:2])]
    return stated(f"{name}:", main.text, (action, studied), lines, fields)


def target_of(text: str) -> str:
    """What the class acts on: "gamma-secretase" of "selective gamma-secretase inhibitor"."""
    found = OF_TARGET.search(text) or TARGET.search(text)
    return QUALIFIERS.sub("", f"{found['target']} ").strip() if found else ""
