"""What introduces a table: "Table 3", "Appendix Table A-2", "Supplementary table: body weights"."""

import re

_BEFORE = r"(?:(?:in[- ])?text|supplementa(?:ry|l)|supporting|appendix|annex|additional|online|extended data)"
_TABLE = r"(?:tables?|tab\.|tabelle|tableau|tabla)"
_NUMBERED = r"\s*(?:[A-Z]{1,2}[-.]?)?(?:\d|[IVX]+\b)[\w.\-]*(?=$|[\s.:,;()|*_–—-])"
CAPTION = re.compile(
    rf"[*_ ]*(?:{_BEFORE}[- ]+{_TABLE}(?:{_NUMBERED}|\s*[:.–—])|{_TABLE}(?:{_NUMBERED}|\s*:))", re.IGNORECASE
)
"""The beginning of a caption, with a number, or with a colon where tables are not numbered."""
FIGURE = re.compile(rf"[*_ ]*(?:{_BEFORE}[- ]+)?(?:figure|fig\.|abbildung|abb\.){_NUMBERED}", re.IGNORECASE)
"""The beginning of a figure's caption."""
_SIGNS = "A-Za-zµμ%°·×^*.\\d⁰¹²³⁴⁵⁶⁷⁸⁹⁻ -"
_RATIO = rf"[{_SIGNS}]{{0,12}}/[{_SIGNS}/()]{{1,16}}"
_SINGLE = (
    r"%|[µμnmkp]?[gLlMm]|mcg|cm|mm|°C|h|hours?|min|minutes?|days?|weeks?|years?|m?s|mm ?Hg|bpm|[mk]?U|IU|"
    r"[nµμm]mol|ratio|score|grade"
)
UNIT = re.compile(rf"[(\[]\s*(?:units?\s*:?\s*)?(?:{_RATIO}|{_SINGLE})\s*[)\]]")
"""A unit in brackets, as it stands alone at a corner of a table or in a second row of heads."""
LONGEST = 300
"""Characters of the longest paragraph that is taken for a caption where nothing else tells it."""


def is_caption(text: str) -> bool:
    """Whether a paragraph is a table's caption."""
    return len(text) < LONGEST and CAPTION.match(text) is not None
