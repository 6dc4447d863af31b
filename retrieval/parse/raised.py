"""Raised characters, so that 10⁶ is not read as 106 nor 12.5ᵃ as 12.5a."""

import re

SUPERSCRIPT = str.maketrans(
    "0123456789+-−–abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"
)
POWER = re.compile(r"[+\-−–]?\d+[+\-−–]?(?:[,\-–]\d+)*")
"""A power, a charge, an isotope, or the numbers of notes."""
LETTERS = re.compile(r"[a-pr-z](?:, ?[a-pr-z])*")
"""The letters of notes; there is no raised q."""
VALUE_END = re.compile(r"[\d%)]\Z")


def raised(text: str, before: str) -> str:
    """Raised text as it stands in the canonical text behind `before`.

    Digits and the letters of notes become superscripts, letters behind a value with a blank, so that the
    value stays a number. Signs such as * and †, words ("hi" of CD24hi) and ordinals ("th") stay as they are.
    """
    mark = text.strip()
    if POWER.fullmatch(mark):
        return text.replace(mark, mark.translate(SUPERSCRIPT))
    if LETTERS.fullmatch(mark):
        return f"{' ' * bool(VALUE_END.search(before))}{mark.translate(SUPERSCRIPT)}"
    return text
