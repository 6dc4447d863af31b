"""Mails and letters: what tells them from reports, and what they are about."""

import re

OPENING = 1_500
"""Characters in which a mail or letter shows that it is one."""
CLOSING = 1_200
_FIELD = r"[#>*\s]*(?:{0})[*\s]*:"
SENDER = re.compile(rf"^{_FIELD.format('from|von|de')}.*\n", re.I | re.M)
OTHER_FIELD = re.compile(rf"^{_FIELD.format('to|sent|date|cc|an|gesendet|subject|betreff')}", re.I | re.M)
DEAR = re.compile(
    r"^[*\s]*(?:dear|sehr geehrte\w*|madame|monsieur|to whom it may concern)\b.{0,80}$", re.I | re.M
)
YOURS = re.compile(
    r"\b(?:yours (?:sincerely|faithfully|truly)|sincerely(?: yours)?|(?:kind|best|with) (?:kind )?regards|"
    r"mit freundlichen grüßen)\b",
    re.I,
)
SUBJECT = re.compile(
    rf"^(?:{_FIELD.format('subject|betreff|objet|concerning')}|[#*\s]*(?=(?:re|aw|fwd?|wg)\s*:))\s*(?P<text>\S.*)$",
    re.I | re.M,
)
REPLY = re.compile(r"(?:(?:re|aw|fwd?|wg|tr)\s*:\s*)+", re.I)
MAIL, LETTER = "E-mail", "Letter"


def form(text: str) -> str:
    """ "E-mail" or "Letter" for a text that is one, else ""."""
    head = text[:OPENING]
    sender = SENDER.search(head)
    if sender and len(OTHER_FIELD.findall(head[sender.end() : sender.end() + 400])) >= 1:
        return MAIL
    return LETTER if DEAR.search(head) and YOURS.search(text[-CLOSING:]) else ""


def subject(text: str) -> str:
    """What a mail or letter says that it is about, without the signs of a reply; "" where it does not."""
    found = SUBJECT.search(text[:OPENING])
    return REPLY.sub("", found["text"], count=1).strip(" *#") if found else ""
