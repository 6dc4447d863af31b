"""A message as an order: "design JNK3 inhibitors like CCO, brain-penetrant, not like c1ccccc1".

What looks like a structure is found here by its letters; whether it is a molecule is seen when the run reads
it. "Make M2 more soluble" goes on from a molecule of the thread's last design.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from agents.design.values import Brief, Memory, Order
from agents.errors import WrongOrder
from agents.kinds import Certainty, ThreadContext, Understood, UserMessage
from agents.late import late
from agents.text.words import EMPTY_WORDS

edited = late("agents.design.brief:edited")
with_smiles = late("agents.design.uploads:with_smiles")
"""They load rdkit, which a message to another kind does not need."""

_WHAT = (
    r"molecules?|compounds?|inhibitors?|ligands?|agonists?|antagonists?|analog(?:ue)?s?|binders?|modulators?|"
    r"blockers?|degraders?|activators?|leads?|candidates?|derivatives?|replacements?|bioisosteres?|scaffolds?"
)
_POLITE = r"^(?:please |can you |could you |help (?:me |us )?(?:to )?)*"
_ASKS = re.compile(
    rf"{_POLITE}(?:design|invent|come up with)\b(?=.*\b(?:{_WHAT})\b)", re.IGNORECASE | re.DOTALL
)
_MAY_ASK = re.compile(
    rf"{_POLITE}(?:propose|generate|suggest|optimi[sz]e)\b(?=.*\b(?:{_WHAT})\b)", re.IGNORECASE | re.DOTALL
)
"""What asks for molecules only if it gives a structure: "suggest which compounds …" is a question."""
_NOT_OURS = re.compile(
    r"^(?:of\b|and\b)|\b(?:study|studies|trials?|protocol|experiment|phase [1-4i]+)\b", re.IGNORECASE
)
"""What "design …" speaks of when it means no molecule."""
_MAKE = re.compile(
    r"^(?:please )?(?:make|design|turn|get|take)\s+"
    r"(?P<which>this(?: one| molecule)?|these|it|M\d+|number \d+|the (?:first|best)(?: one)?)\b(?P<wish>.*)",
    re.IGNORECASE | re.DOTALL,
)
_TRY = re.compile(r"^try\b", re.IGNORECASE)
"""What proposes a molecule in a debate; before one it says too little."""
WISH = (
    "What is wished of these molecules? Write it in the same message, as `make this more soluble` or `design "
    "JNK3 inhibitors like these, brain-penetrant`."
)
_GO_ON = re.compile(
    r"^(?:go on|continue|another round|more rounds|keep going|again)\b(?P<wish>.*)", re.IGNORECASE | re.DOTALL
)
_SMILES = re.compile(
    r"(?:\[[^\[\]\s]{1,40}\]|Br|Cl|[BCNOPSFIbcnops]|%\d\d|[\d()=#+/\\.:~$*@-]){3,1000}|InChI=\S+"
)
_BONDED = re.compile(r"[=#\[\]()]|[cnos]\d|[CNO]\d[CNO]")
_BEFORE_NAME = re.compile(
    r"(?:\b(?:like|from|of|wie|von|aus|smiles|seeds?|start|unlike|avoid|avoiding)|:)\s*$", re.IGNORECASE
)
"""What stands before a SMILES of letters alone ("CCO")."""
_AVOID = re.compile(
    r"(?:\bnot\s+(?:like|similar to)|\bunlike|\bavoid(?:ing)?|\baway from|\bdifferent from|"
    r"\bnicht\s+(?:ähnlich\s+)?wie|\banders\s+als)[^.;]*$",
    re.IGNORECASE,
)
_TARGET = re.compile(
    r"\b(?P<target>[A-Za-z][\w/βαγδκ-]*(?:[ -](?:receptor|kinase|protease|channel|synthase))?)(?:\s+|-)"
    r"(?:[Ii]nhibitor(?:s|en)?|[Ll]igand(?:s|en)?|agonists?|antagonists?|Agonisten|Antagonisten|[Hh]emmer|binders?|"
    r"modulators?|blockers?|degraders?|activators?)\b"
)
_NO_TARGET = frozenset(
    re.findall(
        r"[\w-]+",
        "new novel some better potent selective good kinase protease brain-penetrant oral soluble small safe "
        "more the reversible covalent allosteric competitive inverse partial full design invent propose "
        "generate suggest optimise optimize make entwirf entwerfe neue bessere",
    )
)
_SPARED = frozenset(("over", "than", "versus", "vs", "against"))
_THESE = frozenset(("this", "these", "those", "that", "them"))
"""What stands for molecules that a message gives besides."""
_COUNT = {
    "rounds": (re.compile(r"\b(\d{1,2}) rounds?\b", re.IGNORECASE), 20),
    "scientists": (re.compile(r"\b(\d{1,2}) (?:scientists|agents)\b", re.IGNORECASE), 12),
    "proposals": (re.compile(r"\b(\d{1,2}) proposals?\b", re.IGNORECASE), 10),
    "voters": (re.compile(r"\b(?:poll|vote) of (\d{1,2})\b|\b(\d{1,2}) (?:voters|people vote)\b", re.I), 50),
    "wanted": (re.compile(r"\b(?:until|stop at) (\d{1,3}) candidates\b", re.IGNORECASE), 1000),
}
_WEIGHT = re.compile(r"\bpeople(?:'s votes)? count (\d+(?:\.\d+)?)", re.IGNORECASE)
_NAMES = re.compile(r"\b(?:with|show|by) (?:their |the )?names\b", re.IGNORECASE)
EXAMPLE = (
    "Say what is to be designed and from which molecule, as `design JNK3 inhibitors like "
    "Nc1ncc(-c2ccccc2)cn1, brain-penetrant`."
)


def understand(message: UserMessage, thread: ThreadContext[Order, Memory]) -> Understood[Order] | None:
    """The order, where a message is one. Raises `WrongOrder` for a command that means no molecule."""
    text = with_smiles(message.text) if "M  END" in message.text else message.text
    text = " ".join(text.split())
    if _TRY.match(text) and any(structures(text)):
        raise WrongOrder(WISH)
    if (again := _again(text, thread, asked=message.asked_for)) is not None:
        return Understood(again, Certainty.SURE)
    if message.asked_for and _NOT_OURS.search(text) and not any(structures(text)):
        raise WrongOrder(f"`design …` designs molecules. {EXAMPLE} For a question, begin with `ask`.")
    if message.asked_for:
        return Understood(ordered(text), Certainty.SURE)
    if _NOT_OURS.search(text):
        return None
    if any(structures(text)):
        asked = _ASKS.search(text) or _MAY_ASK.search(text) or _MAKE.match(text)
        return Understood(ordered(text), Certainty.SURE) if asked else None
    return Understood(ordered(text), Certainty.LIKELY) if _ASKS.search(text) else None


def ordered(text: str) -> Order:
    """The order of a text, with the numbers and settings that it names."""
    told: dict[str, Any] = {
        name: max(1, min(int(next(filter(None, found.groups()))), most))
        for name, (pattern, most) in _COUNT.items()
        if (found := pattern.search(text))
    }
    return Order(text, names=bool(_NAMES.search(text)), **told)


def people_weight(order: Order) -> float:
    """How many ballots of a scientist a person's counts for: as the order says, else as its channel wishes
    (`remember: people count 2`), else one.
    """
    said = (_WEIGHT.search(one) for one in (order.text, *reversed(order.wishes)))
    return next((float(one[1]) for one in said if one), 1.0)


def structures(text: str) -> Iterator[tuple[str, bool]]:
    """What looks like a structure in a text, and whether it is one to keep away from."""
    for word in re.finditer(r"[^\s,;\"'`“”<>|]+", text):
        written = word[0].rstrip(".:!?").removeprefix("(")
        if written.count("(") < written.count(")"):
            written = written.rstrip(")")
        before = text[: word.start()]
        if _SMILES.fullmatch(written) and (
            (len(written) >= 5 and _BONDED.search(written)) or _BEFORE_NAME.search(before)
        ):
            yield written, bool(_AVOID.search(before))


def named_molecules(text: str) -> tuple[tuple[str, bool], ...]:
    """Names that stand where a structure could ("like imatinib", "not like SP600125")."""
    found = re.finditer(
        r"\b(?:(?P<no>not like|unlike|not similar to|avoiding|nicht (?:ähnlich )?wie|anders als)|"
        r"from (?:our|the) archive[:,]|like|from|similar to|wie(?! möglich| dies)|"
        r"(?:ausgehend|analoga|derivate|varianten) (?:von|aus)(?! dies)|"
        r"(?:analog(?:ue)?|derivative|version|variant)s? (?:of|to)|"
        r"(?:alternative|replacement)s? (?:of|to|for)) "
        r"(?P<names>[A-Za-z][\w-]{3,}(?:,? (?:or|oder) [A-Za-z][\w-]{3,})*)",
        text,
        re.IGNORECASE,
    )
    named = ((name, bool(one["no"])) for one in found for name in re.split(r",? (?:or|oder) ", one["names"]))
    return tuple(
        (name, no) for name, no in named if not _SMILES.fullmatch(name) and name.lower() not in _THESE
    )


def target_of(text: str) -> str:
    """The target that a text names, with up to two words before it ("factor Xa"); "" for none. One that the
    molecules should spare ("selective over D2 antagonists") is none.
    """
    for found in _TARGET.finditer(text):
        name, *before = [found["target"], *text[: found.start()].split()[:-3:-1]]
        if name.casefold() in _NO_TARGET or (before and before[0].casefold() in _SPARED):
            continue
        for word in before:
            if word.casefold() in _NO_TARGET | EMPTY_WORDS or not re.fullmatch(r"[\w-]+", word):
                break
            name = f"{word} {name}"
        return name
    return ""


def without_structures(text: str) -> str:
    """A text in which the structures are left out, for words to be read in."""
    for written, _ in structures(text):
        text = text.replace(written, "…")
    return text


def _again(text: str, thread: ThreadContext[Order, Memory], *, asked: bool) -> Order | None:
    """An order that goes on from the thread's last design, or from a molecule of its last report; or None.
    `asked` tells whether a command says that it is a design: then also a wish that is not read.
    """
    memory = thread.remembered
    if memory is None:
        return _from_drawn(text, thread.drawn)
    if (found := _MAKE.match(text)) and not any(structures(text)):
        smiles = _meant(found["which"], memory.molecules)
        if smiles and (asked or _wishes(found["wish"], memory.brief)):
            return replace(ordered(text), start=(smiles,), brief=_from(memory.brief, smiles, found["wish"]))
    if found := _GO_ON.match(text):
        seeds = tuple(smiles for _, smiles in memory.molecules[:3])
        return (
            replace(ordered(text), start=seeds, brief=edited(memory.brief, found["wish"])) if seeds else None
        )
    return None


def _from_drawn(text: str, drawn: Sequence[str]) -> Order | None:
    found = _MAKE.match(text)
    if found is None or not drawn or any(structures(text)) or not _wishes(found["wish"]):
        return None
    return replace(ordered(text), start=(drawn[0],))


def _wishes(words: str, *briefs: Brief) -> bool:
    """Whether words ask for something: a wish that a brief has already is asked for again of a molecule."""
    return any(edited(one, words) != one for one in (Brief(""), *briefs))


def _from(brief: Brief, smiles: str, wish: str) -> Brief:
    changed: Brief = edited(replace(brief, seeds=(smiles,), keeps=True), wish)
    return replace(changed, aim=f"{brief.aim}; {wish.strip()}")


def _meant(which: str, molecules: Sequence[tuple[str, str]]) -> str:
    """The molecule that words mean: by its id, or the best one."""
    if number := re.search(r"\d+", which):
        return dict(molecules).get(f"M{number[0]}", "")
    return molecules[0][1] if molecules else ""
