"""Thanks, greetings and the like: a short reply and no run."""

import re
from collections.abc import Sequence

_POLITE_END = (
    r"(?:[\s,]+(?:pestle|everyone|all|there|again|then|for (?:now|today|that|this|your help|the help)"
    r"|so much|very much|a lot))*"
)
_HELLO = "Hello. What would you like to know? `help` shows all that can be asked."
_ABOUT_ME = "I am Pestle."
_WELCOME = (
    r"hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day)|hallo|moin|servus"
    r"|guten (?:tag|morgen|abend)|bonjour|bonsoir|salut|hola|buen[oa]s (?:d[ií]as|tardes)|ciao|buongiorno|olá"
)
_ABOUT_IN_OTHERS = (
    r"was kannst du(?: alles| so)?(?: (?:tun|machen))?|w(?:er|as) bist du|kannst du mir helfen|hilfe"
    r"|que (?:peux|sais)[ -]tu faire|qu['’]est-ce que tu (?:peux|sais) faire|qui es[ -]tu|aide(?:-moi)?"
    r"|qu[eé] (?:puedes|sabes) hacer|qui[eé]n eres|ayuda|(?:che )?cosa (?:puoi|sai) fare|chi sei|aiuto"
    r"|o que (?:voc[eê] )?(?:pode|podes|sabe) fazer|quem [eé] voc[eê]|ajuda"
)
"""The same question in German, French, Spanish, Italian and Portuguese."""
_FAREWELL = "Goodbye. This thread stays; ask on whenever you like."
_REPLIES: tuple[tuple[str, str], ...] = (
    (rf"(?:{_WELCOME})", _HELLO),
    (
        r"(?:(?:ok(?:ay)?|great|perfect|super|good|cool|excellent)[\s,.!]+)?"
        r"(?:(?:many )?thanks?(?: you)?|thank you|thx|ty|cheers|much appreciated"
        r"|danke|merci|gracias|grazie|obrigado)",
        "You are welcome.",
    ),
    (
        r"(?:bye(?:[ -]?bye)?|good ?bye|see you(?: later)?|ciao ciao|exit|good night"
        r"|have a (?:nice|good) (?:day|evening|weekend)|that(?:'s| is| was) all|i(?:'m| am) done"
        r"|tsch[uü]ss|au revoir|adios)",
        _FAREWELL,
    ),
    (
        rf"(?:(?:{_WELCOME})(?: there| pestle)?[\s,.!]+)?(?:(?:who|what) are you|what is (?:pestle|your name)"
        r"|are you (?:a )?(?:bot|robot|human|real|an? ai)|who (?:made|built) you|how does this work"
        r"|(?:what|which questions) can (?:you|i) (?:do|ask)(?: (?:you|here|for me))*|what do you (?:do|know)"
        rf"|(?:how )?can you help(?: me)?|{_ABOUT_IN_OTHERS})",
        _ABOUT_ME,
    ),
    (
        r"(?:ok(?:ay)?|great|perfect|super|good|cool|nice|excellent|wonderful|awesome|got it"
        r"|understood|i see|alright|all right|well done|good (?:job|bot|work)|very (?:good|helpful)"
        r"|that(?:'s| is| was) (?:great|good|helpful|perfect|all i needed))",
        "Good. Ask on whenever you like.",
    ),
    (r"(?:sorry|my bad|oops|never mind that|test(?:ing)?|ping)", "No harm done. Ask on whenever you like."),
)
_TALK = tuple((re.compile(words + _POLITE_END, re.IGNORECASE), reply) for words, reply in _REPLIES)
_LONGEST = 80


def small_talk(text: str, about: Sequence[str] = ()) -> str:
    """A friendly reply to a message that asks nothing; "" for any other. `about` are the kinds' own words."""
    plain = " ".join(text.strip().strip("!.?…¿¡:)-🙂😊👋 ").split())
    if not plain or len(plain) > _LONGEST:
        return ""
    reply = next((reply for words, reply in _TALK if words.fullmatch(plain)), "")
    told = (*(f"I {one}." for one in about), "`help` shows all that can be asked.")
    return " ".join((reply, *told)) if reply == _ABOUT_ME else reply


def opens_a_talk(reply: str) -> bool:
    """Whether a reply is to somebody who has not asked yet, and may want to know what."""
    return reply.startswith((_HELLO, _ABOUT_ME))


def is_farewell(text: str) -> bool:
    """Whether somebody takes leave."""
    return small_talk(text) == _FAREWELL
