"""The chart of a report: endpoints by lines of evidence, as a heat map of facts that the report cites.

It is drawn by rules, once in light and once in dark, and told in words. What a table tells has no chart.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from agents.reports.drawing import DARK, LIGHT, Picture, Theme, drawn, frame, saved
from agents.safety.order import SafetyOrder
from agents.safety.sections.wish import read_wishes
from agents.safety.synthesis.findings import LINES, RANKED
from agents.safety.synthesis.risks import main_of, shown, title_of
from agents.safety.synthesis.wording import rated
from agents.safety.values import CitedFact, Risk, Strength

SECTION = "risks"
"""Where it stands."""
DOTS = 170
"""Dots per inch: sharp in print."""
WIDE, HIGH = 4.3, 3.4
"""Inches: read on a phone, and on the same page as the end of the table before it."""
TITLE = "Evidence for each endpoint by line"
HEAD = "Evidence by line: W weak, M moderate, S strong"
LETTERS = {1: "W", 2: "M", 3: "S"}
SHADES = {
    LIGHT: ("#ffffff", "#fde8d7", "#f59e57", "#b03a06"),
    DARK: ("#0d1117", "#3a2413", "#a4561d", "#ffa657"),
}
"""Strength from none to strong."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Both pictures, and the facts that they show."""

    light: Picture
    dark: Picture
    facts: tuple[CitedFact, ...]


def chart_of(order: SafetyOrder, rated: Sequence[Risk]) -> Chart | None:
    """The heat map: each field has the strength of the best finding of that line.

    None where nothing was found, and for a revision of another section.
    """
    wish = read_wishes(order.wide(SECTION), order.own(SECTION))
    risks = [shown(one, order.direction) for one in rated if one.endpoint not in wish.left_out]
    if order.section not in ("", SECTION) or not any(one.findings for one in risks):
        return None
    light, dark = (_picture(risks, theme) for theme in (LIGHT, DARK))
    facts = tuple(dict.fromkeys(one.cited for risk in risks for one in risk.findings[:2]))
    return Chart(light, dark, facts)


def _picture(risks: Sequence[Risk], theme: Theme) -> Picture:
    colors: Any = import_module("matplotlib.colors")
    names = [*RANKED, "all together"]
    rows = [[*(_best(risk, line) for line in RANKED), int(risk.strength)] for risk in risks]
    with drawn(theme, WIDE, HIGH) as (figure, axes):
        axes.imshow(rows, cmap=colors.ListedColormap(SHADES[theme]), vmin=0, vmax=3, aspect="auto")
        axes.set_xticks(range(len(names)), names, rotation=90)
        axes.set_yticks(range(len(risks)), [title_of(one.endpoint).replace(" / ", "/") for one in risks])
        axes.set_xticks([place + 0.5 for place in range(len(names))], minor=True)
        axes.set_yticks([place + 0.5 for place in range(len(risks))], minor=True)
        axes.grid(which="minor", color=theme.faint, linewidth=0.6)
        axes.tick_params(which="both", length=0)
        for row, values in enumerate(rows):
            for column, value in enumerate(values):
                if value:
                    ink = "#000000" if (value == 3) == (theme is DARK) else "#ffffff"
                    axes.text(column, row, LETTERS[value], ha="center", va="center", color=ink, fontsize=8)
        frame(axes, theme, "")
        figure.suptitle(HEAD, x=0.01, ha="left", fontsize=9, color=theme.ink)
        png = saved(figure, DOTS)
    return Picture("risk_heat_map", TITLE, png, _alt_text(risks))


def _alt_text(risks: Sequence[Risk]) -> str:
    """The ratings in words, in the order of the table."""
    told = rated(main_of(risks, None))
    return (
        f"{told}. The others have weak evidence or none."
        if told
        else "None of these endpoints has more than weak evidence."
    )


def _best(risk: Risk, line: str) -> int:
    own = [one.strength for one in risk.findings if LINES[one.cited.fact.topic] == line]
    return int(max(own, default=Strength.NONE))
