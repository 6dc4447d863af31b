"""The candidates as a picture: how well each fits the brief against how new it is, with the Pareto front."""

from collections.abc import Mapping, Sequence

from agents.design.values import Brief, Sheet
from agents.minds.debate import Floor
from agents.reports.drawing import DARK, LIGHT, Picture, Theme, drawn, frame, saved

TITLE = "Fit to the brief against novelty; the line joins what nothing beats in both"
MARKS = "osD^vP*X<>hp"
COLOURS = {
    LIGHT: ("#1d4ed8", "#c2410c", "#15803d", "#7e22ce", "#b45309", "#0e7490"),
    DARK: ("#7dabff", "#fb923c", "#4ade80", "#c084fc", "#fbbf24", "#22d3ee"),
}
Point = tuple[str, float, float]
"""Id, novelty and desirability of a candidate."""


def pictured(floor: Floor[Brief], sheet: Sheet, novelty: Mapping[str, float]) -> tuple[Picture, Picture]:
    """The picture in light and in dark."""
    points = [(row.entry, novelty[row.entry], row.desirability) for row in sheet.rows if row.entry in novelty]
    by = {one.id: one.proposal.by for one in floor.entries}
    light, dark = (_picture(points, by, theme) for theme in (LIGHT, DARK))
    return light, dark


def front(points: Sequence[Point]) -> list[Point]:
    """The points that no other beats in both, the newest last."""
    best, kept = -1.0, []
    for point in sorted(points, key=lambda one: (-one[1], -one[2])):
        if point[2] > best:
            best = point[2]
            kept.append(point)
    return kept[::-1]


def _picture(points: Sequence[Point], by: Mapping[str, str], theme: Theme) -> Picture:
    names = list(dict.fromkeys(by[name] for name, _, _ in points))
    best = front(points)
    with drawn(theme, 6.4, 4.2) as (figure, axes):
        axes.plot([x for _, x, _ in best], [y for _, _, y in best], color=theme.missing, linewidth=0.8)
        for at, name in enumerate(names):
            own = [(x, y) for entry, x, y in points if by[entry] == name]
            colour = COLOURS[theme][at % len(COLOURS[theme])]
            places = ([x for x, _ in own], [y for _, y in own])
            axes.scatter(*places, 26, color=colour, marker=MARKS[at % len(MARKS)], label=name)
        for entry, x, y in best:
            axes.annotate(entry, (x, y), xytext=(3, 3), textcoords="offset points", color=theme.ink)
        axes.set_xlabel("novelty: 1 - similarity to the nearest known molecule")
        axes.set_ylabel("desirability")
        axes.grid(color=theme.faint, linewidth=0.5)
        axes.set_axisbelow(True)
        legend = figure.legend(loc="outside lower center", ncols=3, frameon=False)
        for text in legend.get_texts():
            text.set_color(theme.ink)
        frame(axes, theme, TITLE)
        svg, png = saved(figure)
    told = f"On the front, from the best fit to the newest: {', '.join(entry for entry, _, _ in best)}."
    return Picture("candidates", TITLE, svg, png, told)
