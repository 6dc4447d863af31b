"""What the label's drug does not do, although the label says that something causes it.

An illness that the drug treats does it: "Blood clots can cause a stroke" is no harm of an anticoagulant. The
illness is the subject of the sentence, and what it may cause is named behind the verb. Whether the drug
treats it, the label says where it tells what the drug is for. Or another substance does it: "insulin-induced
hypoglycemia" in the label of a beta blocker.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from agents.databases.labels import LabelPassage
from agents.vigilance.outcomes import is_known, outcome_of
from agents.vigilance.reading.mentions import Mention, mentions
from agents.vigilance.reading.sections import weight_of
from agents.vigilance.values import Outcome

_LEFT_ALONE = (
    r"(?:(?:untreated|uncontrolled|unmanaged|(?:poorly|inadequately) (?:controlled|treated|managed)"
    r"|long-?(?:standing|term)|chronic|severe|having|your|the|this|these) )*"
)
_JOINED = r"(?:(?:because|since|as|that|but|and|if|when) )"
_VERB = (
    r"(?:cause|lead to|result in|bring on|trigger|progress to|damage|(?:increase|raise)s? (?:the|your) "
    r"(?:risk|chance)s? (?:of|for)|make \w+ more likely to)"
)
SUBJECT = re.compile(
    rf"(?:(?:^|[,:?!>]\s*){_JOINED}?|\b{_JOINED}){_LEFT_ALONE}"
    r"(?P<illness>[a-z][a-z' /-]{2,50}?)"
    r"(?: (?:that|which|if) (?:is|are|it is|they are)? ?(?:left |not )?(?:un)?(?:treated|controlled))?"
    rf" (?:(?:can|may|could|might|will|often|also|sometimes|eventually) )*{_VERB}s?\b"
    r"(?P<caused>[^.;:]*)$"
)
"""The subject of what is said to cause something; behind the verb the sentence goes on up to the mention."""
ANOTHER_CAUSE = re.compile(r"\b(?:can|may|could|might|will|which|that|who|if|when|because)\b")
"""Words behind the verb that begin another statement."""
FOR = re.compile(
    r"\b(?:treat(?:s|ing|ment of)?|indicated (?:for|in)|manag(?:e|es|ing|ement of)|relief of|prevent\w*"
    r"|prophylaxis(?: and treatment)? of"
    r"|(?:low|reduc|decreas)\w* (?:in )?(?:the |your )?(?:risk|chance)s? (?:of|for)"
    r"|(?:people|patients|adults|children) with)"
    r" (?:(?!with\b|by\b|using\b)[\w-]+,? ){0,6}$"
)
"""How a label says what the drug is for, right before the illness."""
ITS_USE = frozenset({"indication", "medguide", "medication_guide", "patient"})
"""The sections that tell what a drug is for."""
IS_USED = re.compile(r"\b(?:used|indicated|prescribed|approved)\b")
TAKEN_TOO = re.compile(r"\b(?:tak(?:e|es|ing)|if you|medicines used|drugs used)\b")
"""What a text for patients says of the drug itself, and of others: it also tells how the drug's own harm is
treated ("treat low blood sugar at once").
"""
THE_DRUG = frozenset(
    [
        *("drug", "drugs", "medicine", "medicines", "medication", "treatment", "therapy", "use", "using"),
        *("tablet", "tablets", "capsule", "capsules", "injection", "dose", "doses", "overdose", "taking"),
        *("stopping", "it", "this", "they", "side", "effects", "withdrawal", "alcohol"),
        *("inhibitor", "blocker", "antagonist", "agonist", "antibiotic", "be", "not", "by", "have", "been"),
    ]
)
"""Words that are no illness, and no other substance."""
INDUCED = re.compile(r"\b(?P<cause>[a-z]{3,})[- ]induced (?:\w+ )?$")
"""What a label names as a cause right before a mention."""
CALLED_SO = (
    r"\b(?:(?:other|like|all|an?) {0}|{0}s|{0} (?:agents?|drugs?|medi(?:a|um))"
    r"|is an? (?:[\w-]+ ){{1,5}}{0})\b(?!.induced)"
)
"""How a label calls its own drug by the name of its class."""
EFFECT = re.compile(
    r"(?:[aeu]mia|ythmia|penia|uria|cardia|ension|[eo]sis|lysis|itis|rrhea|pathy|pression|dilation|usion)\Z"
)
"""How a word ends that is an effect, mostly of the drug, and no substance."""


def done_by_another(
    passage: LabelPassage, mention: Mention, label: Sequence[LabelPassage], drug: str = ""
) -> bool:
    """Whether a mention is the work of an illness that the drug treats, or of another substance."""
    before = " ".join(passage.text[mention.first : mention.start].lower().split()) + " "
    names = " ".join((drug, passage.title, *passage.ingredients)).lower()
    return _of_another_drug(before, label, names) or _of_illness(before, label, names)


def _of_another_drug(before: str, label: Sequence[LabelPassage], names: str) -> bool:
    """Whether the words right before a mention name another substance as its cause."""
    named = INDUCED.search(before)
    if named is None or named["cause"] in THE_DRUG or named["cause"] in names:
        return False
    if is_known(named["cause"]) or EFFECT.search(named["cause"]):
        return False
    calls = re.compile(CALLED_SO.format(re.escape(named["cause"])), re.I)
    return not any(calls.search(one.text) for one in label)


def _of_illness(before: str, label: Sequence[LabelPassage], names: str) -> bool:
    """Whether the sentence before a mention says that an illness causes it, which the drug treats."""
    said = SUBJECT.search(before)
    if said is None or ANOTHER_CAUSE.search(said["caused"]):
        return False
    illness = said["illness"].strip()
    if set(illness.split()) & (THE_DRUG | set(names.split())):
        return False
    meant = outcome_of(illness)
    named = replace(meant, terms=(*meant.terms, illness))
    return any(_treated(one, named) for one in label)


def _treated(passage: LabelPassage, illness: Outcome) -> bool:
    """Whether a passage says that the drug is for an illness."""
    kind = weight_of(passage.section).kind
    if kind not in ITS_USE:
        return False
    text = passage.text
    told = (" ".join(text[one.first : one.start].lower().split()) + " " for one in mentions(text, illness))
    return any(FOR.search(one) and (kind == "indication" or _of_the_drug(one)) for one in told)


def _of_the_drug(before: str) -> bool:
    """Whether the sentence that names an illness in a text for patients says what the drug is used for."""
    return IS_USED.search(before) is not None and TAKEN_TOO.search(before) is None
