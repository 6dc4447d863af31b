"""Names and passwords of accounts. Passwords are kept as argon2id hashes (RFC 9106, 64 MiB, three passes)."""

import re
import unicodedata
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST, LONGEST = 12, 1_000
"""Characters of a password."""
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
RESERVED = ("you", "somebody")
"""Names that stand for whoever sits at this machine."""

_hasher = PasswordHasher()


def plain_name(text: str) -> str:
    """A name as it is kept, or "" for one that cannot be."""
    name = text.strip().lower()
    return name if NAME.fullmatch(name) and name not in RESERVED else ""


def weakness(name: str, password: str) -> str:
    """Why a password is not taken, with what would be; "" if it is."""
    if not SHORTEST <= len(password) <= LONGEST:
        return f"A password has {SHORTEST} to {LONGEST:,} characters. A few words that you make up will do."
    if len(set(password)) < 5 or name in password.lower():
        return "This password is easy to guess: it repeats itself, or has the name in it. Take another one."
    if any(0xD800 <= ord(sign) <= 0xDFFF or sign < " " for sign in password):
        return "This password has characters that no keyboard writes. Take another one."
    return ""


def hashed(password: str) -> str:
    """The hash to keep. Takes some 50 ms and 64 MiB."""
    return _hasher.hash(_normal(password))


def fits(password: str, secret: str) -> bool:
    """Whether this is the password. Without a `secret` it is not, after the same time."""
    try:
        return _hasher.verify(secret or _nobody(), _normal(password)) and bool(secret)
    except (VerificationError, InvalidHashError, UnicodeEncodeError):
        return False


@cache
def _nobody() -> str:
    """A hash for names without an account, so that an answer takes as long as for others."""
    return _hasher.hash("nobody has this password")


def _normal(password: str) -> str:
    """One form of letters that can be written in several ways."""
    return unicodedata.normalize("NFKC", password)
