"""The heat map of a table (the effect as a colour, its confidence as a size), and a reliability curve."""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.reports.drawing import DARK, LIGHT, Picture, Theme, drawn, frame, saved
from agents.vigilance.values import CategoryVerdict, Effect

TITLE = "Effects of drug classes on outcomes; the larger a dot, the surer"
COLOURS = {
    LIGHT: {Effect.INCREASE: "#c2410c", Effect.DECREASE: "#1d4ed8", Effect.NO_EFFECT: "#8c959f"},
    DARK: {Effect.INCREASE: "#fb923c", Effect.DECREASE: "#7dabff", Effect.NO_EFFECT: "#6e7681"},
}
WORDS = {
    Effect.INCREASE: "raises the risk",
    Effect.DECREASE: "lowers the risk",
    Effect.NO_EFFECT: "no effect",
}
LARGEST = 220.0
"""Area of the dot of a certain effect, in square points."""
SMALLEST = 12.0
NAME = 34


def heat_map(cells: Sequence[CategoryVerdict]) -> tuple[Picture, Picture]:
    """The picture in light and in dark, with what it shows in words."""
    light, dark = (_picture(cells, theme) for theme in (LIGHT, DARK))
    return light, dark


def _picture(cells: Sequence[CategoryVerdict], theme: Theme) -> Picture:
    classes = list(dict.fromkeys(one.category for one in cells))
    outcomes = list(dict.fromkeys(one.outcome for one in cells))
    width, height = 3.2 + 0.42 * len(outcomes), 2.2 + 0.34 * len(classes)
    with drawn(theme, width, height) as (figure, axes):
        for effect, colour in COLOURS[theme].items():
            own = [one for one in cells if one.effect is effect and one.covered]
            places = [(outcomes.index(one.outcome), classes.index(one.category)) for one in own]
            sizes = [SMALLEST + (LARGEST - SMALLEST) * one.confidence for one in own]
            filled = "none" if effect is Effect.NO_EFFECT else colour
            axes.scatter(
                [x for x, _ in places],
                [y for _, y in places],
                sizes,
                facecolors=filled,
                edgecolors=colour,
                label=WORDS[effect],
            )
        unread = [one for one in cells if not one.covered]
        axes.scatter(
            [outcomes.index(one.outcome) for one in unread],
            [classes.index(one.category) for one in unread],
            20.0,
            marker="x",
            color=theme.missing,
            linewidths=0.8,
            label="no label read",
        )
        axes.set_xticks(range(len(outcomes)), [_short(name) for name in outcomes], rotation=45, ha="right")
        axes.set_yticks(range(len(classes)), [_short(name) for name in classes])
        axes.set_xlim(-0.6, len(outcomes) - 0.4)
        axes.set_ylim(len(classes) - 0.4, -0.6)
        axes.grid(color=theme.faint, linewidth=0.5)
        axes.set_axisbelow(True)
        axes.tick_params(length=0)
        legend = figure.legend(loc="outside lower center", ncols=4, frameon=False, markerscale=0.6)
        for text in legend.get_texts():
            text.set_color(theme.ink)
        frame(axes, theme, TITLE)
        svg, png = saved(figure)
    return Picture("vigilance", TITLE, svg, png, told(cells))


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Cells whose probability lies in one band: the mean of what was said, the share that holds, how many."""

    said: float
    observed: float
    cells: int


def reliability_curve(bins: Sequence[ReliabilityBin], learnt_on: str = "") -> tuple[Picture, Picture]:
    """What share of the cells holds at each probability of harm that was said, in light and in dark."""
    light, dark = (_curve(bins, learnt_on, theme) for theme in (LIGHT, DARK))
    return light, dark


def _curve(bins: Sequence[ReliabilityBin], learnt_on: str, theme: Theme) -> Picture:
    title = "Probability of harm: said, and seen"
    words = "; ".join(f"said {one.said:.2f}, seen {one.observed:.2f} ({one.cells} cells)" for one in bins)
    with drawn(theme, 4.2, 3.8) as (figure, axes):
        colour = COLOURS[theme][Effect.DECREASE]
        axes.plot([0, 1], [0, 1], color=theme.missing, linewidth=0.8, linestyle="--", label="as said")
        said, seen = [one.said for one in bins], [one.observed for one in bins]
        axes.plot(said, seen, color=colour, linewidth=1.2)
        largest = max((one.cells for one in bins), default=1)
        sizes = [SMALLEST + (LARGEST - SMALLEST) * one.cells / largest for one in bins]
        axes.scatter(said, seen, sizes, color=colour, label="seen; the larger, the more cells")
        for one in bins:
            axes.annotate(str(one.cells), (one.said, one.observed), (6, -9), textcoords="offset points")
        axes.set_xlim(-0.03, 1.03)
        axes.set_ylim(-0.03, 1.06)
        axes.set_xlabel("probability that was said")
        axes.set_ylabel("share of cells with harm")
        axes.grid(color=theme.faint, linewidth=0.5)
        axes.set_axisbelow(True)
        legend = axes.legend(loc="upper left", frameon=False, markerscale=0.5)
        for text in legend.get_texts():
            text.set_color(theme.ink)
        frame(axes, theme, title)
        svg, png = saved(figure)
    note = f" The scale was learnt on {learnt_on}." if learnt_on else ""
    return Picture("reliability", title, svg, png, f"{words}.{note}")


def told(cells: Sequence[CategoryVerdict]) -> str:
    """The table in words: what each class raises and lowers."""
    lines = []
    for name in dict.fromkeys(one.category for one in cells):
        own = [one for one in cells if one.category == name]
        parts = [
            f"{word} {', '.join(hits)}"
            for effect, word in ((Effect.INCREASE, "raises"), (Effect.DECREASE, "lowers"))
            if (hits := [one.outcome for one in own if one.effect is effect])
        ]
        if opposed := [one.outcome for one in own if one.opposed]:
            parts.append(f"opposite effects on {', '.join(opposed)}")
        if not any(one.covered for one in own):
            parts = ["no label read"]
        lines.append(f"{name}: {'; '.join(parts) or 'no effect found'}")
    return f"{'. '.join(lines)}."


def _short(name: str) -> str:
    return name if len(name) <= NAME else f"{name[: NAME - 1]}…"
