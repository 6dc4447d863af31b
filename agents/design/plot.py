"""The candidates as pictures: how well each fits the brief against how new it is, with the Pareto front, and
how far they lie from each other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from agents.chemistry.similarity import similarities
from agents.design.lab import molecule_of, starts
from agents.design.values import Brief, Sheet
from agents.minds.debate import Floor
from agents.reports.drawing import DARK, LIGHT, Picture, Theme, drawn, frame, saved

TITLE = "Fit to the brief against novelty; the line joins what nothing beats in both"
MAP = "Diversity: molecules far from each other are unlike"
AXES = ("novelty: 1 - similarity to the nearest known molecule", "desirability")
PLANE = ("first coordinate of 1 - Tanimoto similarity", "second coordinate")
MARKS = "osD^vP*X<>hp"
Point = tuple[str, float, float]
"""Id, and place across and up: of a candidate novelty and desirability."""


@dataclass(frozen=True, slots=True)
class Plot:
    """Points with who proposed each (`by`), and those that are `named`, which a `line` may join."""

    name: str
    title: str
    axes: tuple[str, str]
    points: Sequence[Point]
    by: Mapping[str, str]
    named: Sequence[Point]
    text: str
    line: str = "none"


def pictured(floor: Floor[Brief], sheet: Sheet, novelty: Mapping[str, float]) -> tuple[Picture, Picture]:
    """Fit against novelty in light and in dark."""
    points = [(row.entry, novelty[row.entry], row.desirability) for row in sheet.rows if row.entry in novelty]
    best = front(points)
    told = f"On the front, from the best fit to the newest: {', '.join(entry for entry, _, _ in best)}."
    return _both(Plot("candidates", TITLE, AXES, points, proposers(floor), best, told, "solid"))


def charted(floor: Floor[Brief], told: str) -> tuple[Picture, Picture]:
    """The candidates and what was begun with laid out by how unlike they are, in light and in dark."""
    begun = {name: smiles for smiles, name in starts(floor.task).items()}
    by = proposers(floor) | dict.fromkeys(begun, "the start")
    points = laid_out({one.id: one.proposal.what for one in floor.candidates} | begun)
    named = [one for one in points if one[0] in (*floor.standing, *begun)]
    return _both(Plot("diversity", MAP, PLANE, points, by, named, f"{told}."))


def proposers(floor: Floor[Brief]) -> dict[str, str]:
    """Who proposed each entry."""
    return {one.id: one.proposal.by for one in floor.entries}


def laid_out(smiles: Mapping[str, str]) -> list[Point]:
    """Molecules by name in the plane, their distances near 1 - similarity (classical scaling, Torgerson
    1952).
    """
    molecules = [molecule_of(one) for one in smiles.values()]
    squared = (1 - np.array([similarities(one, molecules) for one in molecules])) ** 2
    centred = squared - squared.mean(0) - squared.mean(1, keepdims=True) + squared.mean()
    values, vectors = np.linalg.eigh(-centred / 2)
    places = np.zeros((len(molecules), 2))
    places[:, : len(values)] = (vectors * np.sqrt(values.clip(0)))[:, :-3:-1]
    return [(name, float(x), float(y)) for name, (x, y) in zip(smiles, places, strict=True)]


def front(points: Sequence[Point]) -> list[Point]:
    """The points that no other beats in both, the newest last."""
    best, kept = -1.0, []
    for point in sorted(points, key=lambda one: (-one[1], -one[2])):
        if point[2] > best:
            best = point[2]
            kept.append(point)
    return kept[::-1]


def _both(plot: Plot) -> tuple[Picture, Picture]:
    return _picture(plot, LIGHT), _picture(plot, DARK)


def _picture(plot: Plot, theme: Theme) -> Picture:
    names = list(dict.fromkeys(plot.by[name] for name, _, _ in plot.points))
    with drawn(theme, 6.4, 4.2) as (figure, axes):
        across, up = [x for _, x, _ in plot.named], [y for _, _, y in plot.named]
        axes.plot(across, up, color=theme.missing, linewidth=0.8, linestyle=plot.line)
        for at, name in enumerate(names):
            own = [(x, y) for entry, x, y in plot.points if plot.by[entry] == name]
            axes.scatter(*zip(*own, strict=True), 26, marker=MARKS[at % len(MARKS)], label=name)
        for entry, x, y in plot.named:
            axes.annotate(entry, (x, y), xytext=(3, 3), textcoords="offset points")
        axes.set(xlabel=plot.axes[0], ylabel=plot.axes[1])
        axes.grid(color=theme.faint, linewidth=0.5)
        axes.set_axisbelow(True)
        figure.legend(loc="outside lower center", ncols=3, frameon=False)
        frame(axes, theme, plot.title)
        png = saved(figure)
    return Picture(plot.name, plot.title, png, plot.text)
