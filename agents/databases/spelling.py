"""British and American spelling of medical words.

american("haemorrhage")  # "hemorrhage"
british("fecal infection")  # "faecal infection"
"""

import re

AMERICAN = tuple(
    (re.compile(part), instead)
    for part, instead in (
        ("gastro-?oesoph", "gastroesoph"),
        ("(?<!gastr)oesoph", "esoph"),
        ("(?<!angi)oedema", "edema"),
        ("aemia", "emia"),
        ("haem", "hem"),
        ("rrhoea", "rrhea"),
        ("pnoea", "pnea"),
        ("aesthe", "esthe"),
        ("anaes", "anes"),
        ("tumour", "tumor"),
        ("foet", "fet"),
        ("paed", "ped"),
        ("caec", "cec"),
        ("faec", "fec"),
        ("gynaec", "gynec"),
        ("oestr", "estr"),
        ("leuco", "leuko"),
        ("behaviour", "behavior"),
        ("discolour", "discolor"),
        ("fibre", "fiber"),
    )
)
"""Parts of British words, and what Americans write for them ("angioedema" is American)."""
BRITISH = tuple(
    (re.compile(part), instead)
    for part, instead in (
        (r"(?<!a)emia(?=s?\b)", "aemia"),
        (r"(?:(?<=\ban)|(?<=\bur)|(?<=vol)|(?<=glyc|isch|leuk))emic", "aemic"),
        (r"\bhem(?=[ao])|hem(?=oglob|orrh)", "haem"),
        (r"(?<!o)edema", "oedema"),
        (r"rrhea", "rrhoea"),
        (r"pnea", "pnoea"),
        (r"(?<!\bo)(?<!oo)esoph", "oesoph"),
        (r"(?<!a)esthe(?=si|ti)", "aesthe"),
        (r"tumor", "tumour"),
        (r"\bfet(?=al|us|o)|(?<=o)fet(?=al)", "foet"),
        (r"\bped(?=iat)|(?<=\bortho)ped", "paed"),
        (r"cec(?=al\b|um\b|itis\b)", "caec"),
        (r"\bfec(?=al|es)|(?<=\bde)fec(?=at)", "faec"),
        (r"gynec", "gynaec"),
        (r"\bestr(?=og|adiol|iol|one\b|us\b)|(?<=anti)estr(?=og)", "oestr"),
        (r"behavior", "behaviour"),
        (r"discolor", "discolour"),
        (r"fiber", "fibre"),
    )
)
"""Parts of American words where Britons write otherwise, bound to the words that have them: "fec" of "fecal"
and not of "infection", "hem" of "hemorrhage" and not of "chemotherapy".
"""


def american(text: str) -> str:
    """A text in small letters in American spelling."""
    for part, instead in AMERICAN:
        text = part.sub(instead, text)
    return text


def british(text: str) -> str:
    """A text in small letters in British spelling, as preferred terms have it."""
    for part, instead in BRITISH:
        text = part.sub(instead, text)
    return text
