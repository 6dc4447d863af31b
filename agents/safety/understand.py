"""A message as an order: "safety ADRB2", "what are the liabilities of inhibiting PCSK9 with an antibody?"."""

import re
from dataclasses import replace

from agents.errors import WrongOrder
from agents.kinds import Certainty, Named, ThreadContext, Understood, UserMessage, chosen
from agents.safety.order import Direction, Modality, SafetyOrder

_TARGET = r"(?:the\s+)?(?P<target>[A-Za-z][\w.:-]{1,30}|\d{2,9})"
_DOING = r"(?:inhibit|block|antagoni|activat|agoni|stimulat|target|modulat)\w*"
_OF = rf"(?:{_DOING}|of|for|on|against|about|with)"
_REPORT = r"(?:report|assessment|profile|review|dossier)"
_NATURAL = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\btarget[- ]safety(?: {_REPORT})?\s+{_OF}\s+(?:{_DOING}\s+)?{_TARGET}",
        rf"\b(?:safety\s+)?(?:liabilit\w+|risks?)\s+{_OF}\s+{_DOING}\s+{_TARGET}",
        rf"\b(?:safety\s+)?liabilit\w+\s+{_OF}\s+{_TARGET}",
        rf"\bsafety\s+{_REPORT}\s+{_OF}\s+(?:the\s+target\s+)?(?:{_DOING}\s+)?{_TARGET}",
        rf"\bTSA\s+(?:{_REPORT}\s+)?{_OF}\s+{_TARGET}",
    )
)
_NO_TARGET = frozenset(
    ("a", "an", "this", "that", "our", "its", "target", "drug", "compound", "molecule", "it")
)
_DIRECTIONS = (
    (Direction.INHIBITION, r"inhibit\w*|block\w*|antagoni\w+|knock(?:ing)?[- ]?down|silenc\w+|loss"),
    (Direction.ACTIVATION, r"activat\w+|agoni\w+|stimulat\w*|overexpress\w*|gain"),
)
_MODALITIES = (
    (Modality.SMALL_MOLECULE, r"small[- ]molecules?"),
    (Modality.ANTIBODY, r"antibod(?:y|ies)|mAbs?|biologics?"),
    (Modality.OLIGONUCLEOTIDE, r"oligonucleotides?|antisense|siRNAs?|ASOs?"),
    (Modality.GENE_THERAPY, r"gene[- ]therap(?:y|ies)|AAV|CRISPR"),
    (Modality.CELL_THERAPY, r"cell[- ]therap(?:y|ies)|CAR[- ]?Ts?(?: cells?)?"),
)
_AREA = re.compile(
    r"\b(?:in|therapeutic area:?)\s+(?!(?:a|an|the)\b)([A-Za-z][\w /-]{2,60}?)\s*(?=$|[,;:.?])", re.IGNORECASE
)
_LEAD = re.compile(r"\s*(?:(?:report|assessment)(?:\s+|$))?(?:(?:of|for|on)(?:\s+|$))?", re.IGNORECASE)
_ALONE = re.compile(r"/?(?:safety|tsa)[:.!?]?", re.IGNORECASE)
"""The command word without a target."""
NO_NAME = "Name a target, as in `safety ADRB2, inhibition, small molecule, in asthma`."
_TARGET_ENDS = re.compile(
    r"[,;\n]|:\s|\s+(?:by|in|with|as|without|(?:inhibit|block|antagoni|activat|agoni|stimulat)\w*)\b",
    re.IGNORECASE,
)
_WITHOUT = re.compile(r"\bwithout\s+([\w-]+(?:(?:\s*,|\s+(?:and|or)\b)\s*[\w-]+)*)", re.IGNORECASE)
"""What shall be left out: tools and sections by their names, or things in words."""
_NAMED = re.compile(r"(,|^|\band\b|\bor\b)\s*(?!(?:and|or)\b)([\w-]+)", re.IGNORECASE)
_OTHER_MODALITIES = re.compile(
    r"\b(peptides?|macrocycles?|protacs?|degraders?|molecular glues?|vaccines?|cell[- ]therap(?:y|ies)"
    r"|car[- ]?t|antibody[- ]drug conjugates?|adcs?|radioligands?|mrna)\b",
    re.IGNORECASE,
)
"""Medicines of kinds that no section knows of."""
_INSTRUCTIONS = re.compile(r"[;:]\s+|\n+")


def understand(
    message: UserMessage, thread: ThreadContext[SafetyOrder, SafetyOrder]
) -> Understood[SafetyOrder] | None:
    """The order, where a message is one. A reply that picks a target offered last asks again with it."""
    choice = chosen(message.text, thread.last.options) if thread.last else ""
    if choice and (thread.remembered or thread.earlier):
        before = thread.remembered or thread.earlier[0]
        return Understood(replace(before, target=choice.split(" ")[0]), Certainty.SURE)
    if _ALONE.fullmatch(message.text.strip()):
        raise WrongOrder(NO_NAME)
    if message.asked_for:
        return Understood(commanded(message.text), Certainty.SURE)
    for pattern in _NATURAL:
        found = pattern.search(message.text)
        if found and found["target"].casefold() not in _NO_TARGET:
            sure = certainty(found["target"].casefold(), message.named)
            return Understood(read(found["target"], message.text), sure) if sure else None
    return None


def certainty(target: str, named: Named) -> Certainty | None:
    """How surely a name is a target; None for a molecule of the archive that is no gene.

    A gene is one, unless a molecule or class of drugs is called so too. What no list of genes knows may be.
    """
    of_class = any(target in one.split() for one in named.classes)
    if target in (named.genes or ()):
        return Certainty.POSSIBLE if target in named.molecules or of_class else Certainty.SURE
    if target in named.molecules:
        return None
    return Certainty.SURE if named.genes is None and not of_class else Certainty.POSSIBLE


def commanded(text: str) -> SafetyOrder:
    """The order behind the command word: the target first, then how, in any words.

    Raises `WrongOrder` where no target is named, and for a tool, section or modality that there is not.
    """
    text = _LEAD.sub("", text, count=1)
    end = _TARGET_ENDS.search(text)
    target, how = (text[: end.start()], text[end.start() :]) if end else (text, "")
    if not target.strip("?., \"'"):
        raise WrongOrder(NO_NAME)
    from agents.safety.choices import checked  # it knows every database: no other message waits for that

    _refuse_other_modalities(how)
    return checked(read(target, how))


def read(target: str, text: str) -> SafetyOrder:
    """The order for a target with what a text says of direction, modality and area.

    What follows a semicolon, a colon or a line break is an instruction for the whole report.
    """
    how, *rest = _INSTRUCTIONS.split(text, maxsplit=1)
    area = _AREA.search(how)
    ways = [way for way, words in _DIRECTIONS if _says(how, words)]
    kinds = [kind for kind, words in _MODALITIES if _says(how, words)]
    without, wishes = _left_out(how)
    return SafetyOrder(
        target.strip("?., \"'"),
        kinds[0] if len(kinds) == 1 else None,
        ways[0] if len(ways) == 1 else None,
        area[1].strip() if area else "",
        "\n".join((*wishes, *(one.strip() for one in rest if one.strip()))),
        without,
    )


def _left_out(how: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tools and sections that are left out, and wishes to leave out other things.

    What is written as names of tools are ("open_targets") is meant as one, whether there is one or not.
    """
    known: list[str] = []
    wishes: list[str] = []
    for found in _WITHOUT.findall(how):
        from agents.safety.choices import LEFT_OUT

        for joint, name in _NAMED.findall(found):
            if name.casefold() in LEFT_OUT or "_" in name:
                known.append(name)
            elif joint == ",":
                break
            else:
                wishes.append(f"leave out {name}")
    return tuple(known), tuple(wishes)


def _refuse_other_modalities(how: str) -> None:
    """Raises `WrongOrder` for a kind of medicine that reports do not know, with those that they do."""
    if other := _OTHER_MODALITIES.search(_INSTRUCTIONS.split(how, maxsplit=1)[0]):
        raise WrongOrder(
            f"{other[1]!r} is no modality of a safety report. Modalities: {', '.join(Modality)}."
        )


def _says(text: str, words: str) -> bool:
    return bool(re.search(rf"\b(?:{words})\b", text, re.IGNORECASE))
