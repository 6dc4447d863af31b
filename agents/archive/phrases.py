"""Phrases by which a follow-up refers to the question before it, and those that may stand for one another."""

import re

AUXILIARY = r"(?:is|are|was|were|did|does|do|has|have|had|can|could|will|would|should)"
PREPOSITION = r"(?:of|in|for|at|on|from|by|with|during|after|to|under|between|about|as)"
TELLING = r"(?:list|name|show|give|tell|compare|summari[sz]e|describe|explain)"


def phrase(*parts: str) -> re.Pattern[str]:
    """A pattern of several parts, in small or capital letters."""
    return re.compile("".join(parts), re.IGNORECASE)


LEAD = phrase(
    r"^\W*(?:(?:and|but|or|also|ok(?:ay)?|so|now|then|well|what about|how about|what of|as for",
    r"|(?:no|nope|sorry)(?=[,.;:]|,? (?:i|we) mean)|(?:i|we) mean(?:t)?(?: to (?:ask|say|write))?(?: about)?",
    r"|(?:wrong|not the (?:right|same)) (?:dose|number|value|study|animal|species|molecule|drug)(?=[,.;:])",
    r"|(?:the )?same(?: question| thing)?(?: for| in| with| of)?)\b[\s,:]*)+",
)
TAIL = phrase(r"(?:\s*\b(?:too|as well|then|please|instead))?\W*$")
SHORT_IS = phrase(r"\b(what|who|where|when|why|how)['’]s\b")
ASKS = phrase(
    r"^(?:(?:in|at|on|by|for|from|since|until|of|to|with|after|under|during) )?",
    rf"(?:(?:who|whom|whose|what|which|when|where|why|how)\b|{AUXILIARY}\b)|^{TELLING}\b",
)
TOLD_TO = phrase(rf"{TELLING}\b")
DOSE = phrase(
    r"\bthe (?:highest|lowest|maximum|maximal|minimum|top|starting|first|largest|smallest)",
    r" (?:[\w-]+ ){0,3}?dose\b",
)
AT_THAT_DOSE = phrase(
    r"\b(at|on|with|after|got|received|took|tolerated) (?:it|(?:that|this) (?:dose|level))\b"
)
"""How a follow-up to a question for a dose speaks of that dose."""
VERB = phrase(
    rf"\b(?:{AUXILIARY}|(?:decid|report|stat|sign|writ|conclud|caus|happen|mean|show|say|said|wrote|found",
    r"|chair|approv|led|made|took|particip|complet|enrol|receiv|given|gave|got)\w*)\b",
)
REQUEST = phrase(
    rf"^(?:please )?(?:{TELLING}|rank|count|draw|find|tabulate|plot|sort|order",
    r"|search|look|get|make|write|create|prepare|brief|sum up",
    r"|(?:an? |the )?(?:table|list|overview|matrix|ranking) of)\b",
)
"""A request that stands by itself."""
WANTED = phrase(r"^(?:please )?(?:tell|give|show) (?:me|us) the\b")
"""A request for a thing of the molecule that a thread is about, if it names none."""
OVER_ALL = phrase(
    r"\b(?:all|every|each|molecules|compounds|drugs|studies|trials|documents|reports|minutes|table|list)\b"
)
"""Words of a request for more than one thing that a thread is about."""
YES_NO = phrase(rf"^(?P<aux>{AUXILIARY})\s+(?P<rest>.+)")
BY_ADVERB = phrase(
    r"^(?:why|when|where|by whom|since when|(?:for )?how(?: long| often| much| frequently)?",
    rf"|{PREPOSITION} (?:which|what|how many) [\w-]+(?: [\w-]+)?)\s+(?P<aux>{AUXILIARY})\s+(?P<rest>.+)",
)
ABOUT = phrase(r"^.*, about: ")
"""What stands before a question that was asked again in other words."""
BY_NOUN = phrase(
    rf"^(?:what|which)\s+(?P<noun>(?!{AUXILIARY}\b)[\w-]+(?: [\w-]+){{0,3}}?)",
    rf"\s+(?P<aux>{AUXILIARY})\s+(?P<rest>.+)",
)
WHO_SAID_THAT = phrase(rf"^who \w+ that (?P<subject>.+?) (?P<aux>{AUXILIARY})\s+(?P<rest>.+)")
WHO_DID = phrase(r"^(?:who|what|which \w+) (?P<verb>\w+ed)\s+(?P<rest>.+)")
BY_WHAT = phrase(rf"^(?:what|which)\s+(?P<aux>{AUXILIARY})\s+(?P<rest>the .+)")
PASSIVE = phrase(r"^(?P<subject>.+?)\s+(?P<participle>\w+(?:ed|en|un|one|wn|de|nt))\b(?P<rest>.*)$")
ENDS = phrase(
    r"^(?P<subject>.+?)\s+(?P<verb>stop|end|start|begin|finish|close|fail)\b(?P<rest>.*)$",
)
PAST = {"stop": "stopped", "begin": "began", "close": "closed"}
"""Past forms of these verbs that are not made by "ed"."""
TOPIC = phrase(rf"\bthe (?P<topic>(?!{PREPOSITION}\b).+?)(?=\s+(?:{PREPOSITION}|{AUXILIARY}|\w+ed)\b|\?|$)")
HAD = phrase(rf"\b(?:had|have|show(?:ed)?|with)\s+(?P<topic>.+?)(?=\s+{PREPOSITION}\b|\?|$)")
MORE = phrase(
    r"(?:tell me )?(?:some )?more(?: details?)?(?: about (?:it|that|this))?",
    r"|what else.*|anything else.*|details?",
)
ITS = phrase(r"\bits\s+(?P<noun>[\w-]+(?: [\w-]+)?)(?=\s*(?:\?|$|\bin\b|\bat\b|\bof\b))")
IT = phrase(r"\b(?:it|(?:this|that|the) (?:drug|molecule|compound|substance))\b")
THEY = phrase(r"\b(?:they|them|those|these)\b(?! \w+s\b)")
PLURAL = phrase(
    r"\b(?:how many|which|what) (?:of the )?",
    r"(?P<noun>(?:[\w-]+ ){0,2}?(?:[\w-]{3,}s|men|women|mice|children|people))\b",
)
LISTED = phrase(
    r"\b(?:molecules|compounds|drugs|candidates|projects|programmes|studies|trials|reports|documents)$"
)
"""Things of which an archive holds a list: "they" are those of the answer, which a question cannot say."""
WHICH_ONES = phrase(rf"^which (?:ones |of (?:them|these|those) )?(?P<rest>{AUXILIARY}\b.+)")
MEASURED = phrase(
    rf"\b(?:what|which) {AUXILIARY} (?P<thing>the (?:(?!{PREPOSITION}\b)[\w-]+ ){{0,4}}?",
    r"(?:dos(?:e|es|age)|level|noael|loael|concentration|exposure|half-life|cmax|auc|clearance|bioavailability",
    r"|margin|value|result)\b.*)$",
)
"""A question for a dose or another measure: its whole phrase."""
OF_MEASURES = phrase(
    r"\b(?:given|administered|dosed|used|taken|chosen|selected|measured|determined|calculated|based|reached",
    r"|observed|seen|found|tolerated|safe|toxic|exceeded|repeated|lower|higher|reported)\b",
)
"""What a dose or another measure can be, and a molecule as well."""
THAT = phrase(r"\b(?:that|this)\b(?=\s*(?:\?|$|,))")
THAT_DOCUMENT = phrase(
    r"\b(?:that|this|the same|the) ",
    r"(?P<noun>study|trial|report|document|protocol|meeting|memo(?:randum)?|experiment)\b",
    r"(?! (?:number|director|drug)\b)(?! (?:of|about|on|in|with)\b)",
)
THERE = phrase(r"\bthere\b(?=\s*(?:\?|$|,))|\bin (?:it|there)\b")
HOW_MANY_THERE = phrase(r"^how many (?P<aux>were|are) (?:there|used|in (?:it|there))\W*$")
OF_WRITING = phrase(r"\b(?:wrote|written|signed|issued|published|authored|dated)\b")
WHEN_WAS_THAT = phrase(
    r"^(?P<word>when|where|why|how)\s+(?:was|is|did|were)\s+(?:that|this)\b",
    r"(?: (?:done|decided|so|happen))?\W*$",
)
COMPARED = phrase(r"\bcompar\w+|\bversus\b|\bvs\b")
CODE = re.compile(r"\b[A-Z]{2,}[-A-Z]*-?\d")
BARE_LINK = phrase(rf"^\W*(?:{PREPOSITION}|and|the)\W*$")
LINKS = phrase(rf"\b(?:{PREPOSITION}|the|a|an)\b|\W")
OF_DEGREE = phrase(
    r"(?:the )?(?:high|low|max|min|large|small|first|last|long|short|most|least|mean|median|aver)"
)
EVENT = phrase(
    r"\bthe (?:[\w-]+ ){0,3}?(?:meeting|study|trial|report|protocol|minutes|memo(?:randum)?|decision)\b",
    r"(?! (?:director|number|drug))(?: [\w-]*\d[\w-]*)?(?: (?:of|about|on|in|for|with) [\w-]+(?: [\w-]+)?)?",
)
OF_EVENTS = phrase(
    r"^(?:when|where|who|how long|on (?:what|which) (?:day|date))\b",
    r"|\b(?:signed|written|issued|dated|wrote|approved|chaired|published|held)\b",
)
GROUP = phrase(
    r"(?<![\w-])(?:sprague-dawley rats?|rats?|dogs?|beagle dogs?|beagles?|mouse|mice",
    r"|(?:cynomolgus |rhesus )?monkeys?|rabbits?|(?:mini|guinea )?pigs?|hamsters?|ferrets?|animals?|humans?",
    r"|man|men|women|patients|(?:healthy )?volunteers?|subjects|children|adults|infants|elderly)(?![\w-])",
)
AMOUNT = phrase(
    r"\d+(?:[.,]\d+)? ?(?:mg|µg|ug|mcg|g|ml|l|iu|%)(?:/\w+){0,2}(?: (?:bid|tid|qd|once daily|twice daily))?"
)
KINDS: tuple[re.Pattern[str], ...] = (
    GROUP,
    *(
        phrase(rf"(?<![\w-])(?:{words})(?![\w-])")
        for words in (
            r"males?|females?",
            r"orally|oral|by mouth|intravenous(?:ly)?|i\.?v\.?|inhaled|by inhalation"
            r"|subcutaneous(?:ly)?|topical(?:ly)?|dermal(?:ly)?",
            r"highest|lowest|maximum|minimum|largest|smallest|first|last|longest|shortest"
            r"|(?:most|least) frequent",
            r"mean|median|average",
            r"phase (?:i{1,3}v?|iv|[1-4])[ab]?",
            AMOUNT.pattern,
            r"(?:day|week|month|year|cycle|visit|cohort|group|part|period) \d+"
            r"|\d+ (?:days|weeks|months|years|hours)",
            r"(?:19|20)\d\d",
        )
    ),
)
"""Kinds of phrases of which one may stand for another: groups of animals or people first."""
