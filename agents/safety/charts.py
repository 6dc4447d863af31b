"""Charts of a report: tissue expression, constraint, ortholog identity, adverse events, the risk heat map.

Each is drawn by rules from facts that the report cites, once in light and once in dark, and told in words.
"""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from agents.databases.facts import Topic
from agents.reports.drawing import DARK, LIGHT, Picture, Theme, drawn, frame, saved
from agents.safety.material import Material
from agents.safety.sections.tables import number_of, tells_levels, value_of
from agents.safety.synthesis.findings import LINES
from agents.safety.synthesis.risks import title_of
from agents.safety.synthesis.wording import STRENGTHS
from agents.safety.values import CitedFact, Risk, Strength

MOST_BARS = 15
"""More would not stand on a page beside the text that they belong to."""
FEWEST_BARS = 3
NAME, LONGEST = 24, 44
"""Characters of a line of a label, and of a label: a longer one is broken, and shortened in its middle."""
TITLE = 56
"""Characters of a line of a title."""
DOTS = 170
"""Dots per inch: sharp in print."""
WIDE = 4.3
"""Inches of a chart: on a phone its text is still read."""
HEAT = 3.4
"""Inches of the heat map from top to bottom: behind a table that ends on a page it stands on the same one."""
HEAD = "Evidence by line: W weak, M moderate, S strong"
ACCENT = {LIGHT: "#1d4ed8", DARK: "#7dabff"}
SHADES = {
    LIGHT: ("#ffffff", "#fde8d7", "#f59e57", "#b03a06"),
    DARK: ("#0d1117", "#3a2413", "#a4561d", "#ffa657"),
}
"""Strength from none to strong."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart for a section: what it is called, both pictures, and the facts that it shows."""

    section: str
    light: Picture
    dark: Picture
    facts: tuple[CitedFact, ...]


def charts_of(material: Material) -> Iterator[Chart]:
    """Every chart for which there is enough to show; of a revision those of its section alone."""
    only = material.order.section
    for section, topic, title in (
        ("expression", Topic.EXPRESSION, "Expression by tissue"),
        ("genetics", Topic.CONSTRAINT, "Constraint in human populations"),
        ("homology", Topic.HOMOLOGY, "Identity with the human protein"),
        ("clinical", Topic.ADVERSE_EVENT, "Adverse events"),
    ):
        for facts in _measured(material.of(topic), topic) if only in ("", section) else ():
            yield _bars(section, title, facts)
    if only in ("", "risks") and any(one.findings for one in material.risks):
        yield heat_map(material.risks)


def _measured(facts: Sequence[CitedFact], topic: Topic) -> Iterator[tuple[CitedFact, ...]]:
    """Facts with a number that may stand side by side: of one source, with one measure and unit."""
    groups: dict[tuple[str, str, str], dict[str, CitedFact]] = {}
    for one in facts:
        fact = one.fact
        if value_of(one) and fact.term and not fact.measure.startswith("number of ph"):
            measure = "" if topic is Topic.CONSTRAINT else fact.measure
            groups.setdefault((one.source, measure, fact.unit), {}).setdefault(_label(one), one)
    fewest = 1 if topic in (Topic.CONSTRAINT, Topic.HOMOLOGY) else FEWEST_BARS
    for group in groups.values():
        if len(group) >= fewest and tells_levels(topic, tuple(group.values())):
            ranked = sorted(group.values(), key=lambda one: -(one.fact.value or 0.0))
            yield tuple(ranked[:MOST_BARS])


def _bars(section: str, title: str, facts: tuple[CitedFact, ...]) -> Chart:
    first = facts[0]
    axis = " ".join(filter(None, (first.fact.measure, f"({first.fact.unit})" if first.fact.unit else "")))
    whole = f"{title} ({first.source})"
    light, dark = (_bar_picture(section, whole, axis, facts, theme) for theme in (LIGHT, DARK))
    return Chart(section, light, dark, facts)


def _bar_picture(section: str, title: str, axis: str, facts: Sequence[CitedFact], theme: Theme) -> Picture:
    values = [one.fact.value or 0.0 for one in facts]
    lines = sum(1 + _label(one).count("\n") for one in facts)
    with drawn(theme, WIDE, 0.9 + 0.13 * (lines + len(facts))) as (figure, axes):
        axes.barh(range(len(facts)), values, color=ACCENT[theme], height=0.7)
        axes.set_yticks(range(len(facts)), [_label(one) for one in facts])
        axes.set_ylim(len(facts) - 0.4, -0.6)
        axes.set_xlim(0, max((max(values) or 1.0) * 1.18, _ceiling(facts)))
        axes.set_xlabel(axis)
        axes.bar_label(axes.containers[0], [number_of(one) for one in facts], padding=3, color=theme.ink)
        axes.tick_params(length=0)
        axes.grid(axis="x", color=theme.faint, linewidth=0.5)
        axes.set_axisbelow(True)
        frame(axes, theme, "")
        _head(figure, theme, textwrap.fill(title, TITLE))
        svg, png = saved(figure, DOTS)
    told = "; ".join(f"{_name(one)} {value_of(one)}" for one in facts)
    return Picture(f"{section}_{_slug(facts[0].source)}", title, svg, png, f"From high to low: {told}.")


def heat_map(risks: Sequence[Risk]) -> Chart:
    """Endpoints by lines of evidence; each field has the strength of the best finding of that line."""
    lines = tuple(dict.fromkeys(LINES.values()))
    strengths = [[_best(risk, line) for line in lines] for risk in risks]
    light, dark = (_heat_picture(risks, lines, strengths, theme) for theme in (LIGHT, DARK))
    shown = tuple(dict.fromkeys(one.cited for risk in risks for one in risk.findings[:2]))
    return Chart("risks", light, dark, shown)


def _heat_picture(
    risks: Sequence[Risk], lines: Sequence[str], strengths: list[list[int]], theme: Theme
) -> Picture:
    colors: Any = import_module("matplotlib.colors")
    title = "Evidence for each endpoint by line"
    names = [*lines, "all together"]
    rows = [[*row, int(risk.strength)] for row, risk in zip(strengths, risks, strict=True)]
    with drawn(theme, WIDE, HEAT) as (figure, axes):
        axes.imshow(rows, cmap=colors.ListedColormap(SHADES[theme]), vmin=0, vmax=3, aspect="auto")
        axes.set_xticks(range(len(names)), names, rotation=90)
        axes.set_yticks(range(len(risks)), [_short(one.endpoint) for one in risks])
        axes.set_xticks([place + 0.5 for place in range(len(names))], minor=True)
        axes.set_yticks([place + 0.5 for place in range(len(risks))], minor=True)
        axes.grid(which="minor", color=theme.faint, linewidth=0.6)
        axes.tick_params(which="both", length=0)
        for row, values in enumerate(rows):
            for column, value in enumerate(values):
                if value:
                    ink = (
                        "#000000"
                        if (value == 3) == (theme is DARK) or (theme is LIGHT and value < 3)
                        else "#ffffff"
                    )
                    axes.text(column, row, _WORDS[value], ha="center", va="center", color=ink, fontsize=8)
        frame(axes, theme, "")
        _head(figure, theme, HEAD)
        svg, png = saved(figure, DOTS)
    return Picture("risk_heat_map", title, svg, png, _heat_text(risks))


def _heat_text(risks: Sequence[Risk]) -> str:
    """The ratings in words, the strongest first."""
    ranked = sorted(
        (one for one in risks if one.strength >= Strength.MODERATE), key=lambda one: -one.strength
    )
    told = "; ".join(f"{title_of(one.endpoint)}: {STRENGTHS[one.strength]}" for one in ranked)
    rest = "The others have weak evidence or none."
    return f"{told}. {rest}" if told else "No endpoint has more than weak evidence."


_WORDS = {1: "W", 2: "M", 3: "S"}


def _short(endpoint: str) -> str:
    """The name of an endpoint on one line."""
    return title_of(endpoint).replace(" / ", "/")


def _best(risk: Risk, line: str) -> int:
    own = [one.strength for one in risk.findings if LINES[one.cited.fact.topic] == line]
    return int(max(own, default=Strength.NONE))


def _ceiling(facts: Sequence[CitedFact]) -> float:
    return 100.0 if facts[0].fact.unit == "%" else 0.0


def _label(one: CitedFact) -> str:
    name = _name(one)
    half = LONGEST // 2
    name = name if len(name) <= LONGEST else f"{name[:half].rstrip()} … {name[-half + 3 :].lstrip()}"
    lines = textwrap.wrap(name, NAME, break_long_words=False)
    return "\n".join((lines[0], " ".join(lines[1:]))) if lines[1:] else name


def _head(figure: Any, theme: Theme, text: str) -> None:
    """The title over the whole picture, from its left edge."""
    figure.suptitle(text, x=0.01, ha="left", fontsize=9, color=theme.ink)


def _name(one: CitedFact) -> str:
    """What a bar stands for."""
    fact = one.fact
    return {Topic.HOMOLOGY: fact.species, Topic.CONSTRAINT: fact.measure}.get(fact.topic, fact.term)


def _slug(text: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in text.lower())
