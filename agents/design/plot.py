"""The candidates as a picture: how well each fits the brief against how new it is, with the Pareto front."""

from collections.abc import Mapping, Sequence

from agents.design.values import Brief, Sheet
from agents.minds.debate import Floor
from agents.reports.drawing import DARK, LIGHT, Picture, Theme, drawn, frame, saved

TITLE = "Fit to the brief against novelty; the line joins what nothing beats in both"
AXES = ("novelty: 1 - similarity to the nearest known molecule", "desirability")
MARKS = "osD^vP*X<>hp"
Point = tuple[str, float, float]
"""Id, novelty and desirability of a candidate."""


def pictured(
    floor: Floor[Brief], sheet: Sheet, novelty: Mapping[str, float], spread: str
) -> tuple[Picture, Picture]:
    """Fit against novelty in light and in dark. `spread` tells how far the candidates lie from each other."""
    points = [(row.entry, novelty[row.entry], row.desirability) for row in sheet.rows if row.entry in novelty]
    by = {one.id: one.proposal.by for one in floor.entries}
    best = ", ".join(entry for entry, _, _ in front(points))
    told = f"On the front, from the best fit to the newest: {best}. Of all, {spread}."
    return _picture(points, by, told, LIGHT), _picture(points, by, told, DARK)


def front(points: Sequence[Point]) -> list[Point]:
    """The points that no other beats in both, the newest last."""
    best, kept = -1.0, []
    for point in sorted(points, key=lambda one: (-one[1], -one[2])):
        if point[2] > best:
            best = point[2]
            kept.append(point)
    return kept[::-1]


def _picture(points: Sequence[Point], by: Mapping[str, str], told: str, theme: Theme) -> Picture:
    with drawn(theme, 6.4, 4.2) as (figure, axes):
        best = front(points)
        axes.plot([x for _, x, _ in best], [y for _, _, y in best], color=theme.missing, linewidth=0.8)
        for at, name in enumerate(dict.fromkeys(by[entry] for entry, _, _ in points)):
            own = [(x, y) for entry, x, y in points if by[entry] == name]
            axes.scatter(*zip(*own, strict=True), 26, marker=MARKS[at % len(MARKS)], label=name)
        for entry, x, y in best:
            axes.annotate(entry, (x, y), xytext=(3, 3), textcoords="offset points")
        axes.set(xlabel=AXES[0], ylabel=AXES[1])
        axes.grid(color=theme.faint, linewidth=0.5)
        axes.set_axisbelow(True)
        figure.legend(loc="outside lower center", ncols=3, frameon=False)
        frame(axes, theme, TITLE)
        png = saved(figure)
    return Picture("candidates", TITLE, png, told)
