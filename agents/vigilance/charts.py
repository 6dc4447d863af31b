"""The heat map of a table: the effect as a colour, its confidence as a size."""

from collections.abc import Sequence

from agents.counts import shortened
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


def heat_map(cells: Sequence[CategoryVerdict], theme: Theme) -> Picture:
    """The picture, with what it shows in words."""
    classes = list(dict.fromkeys(one.category for one in cells))
    outcomes = list(dict.fromkeys(one.outcome for one in cells))

    def places(own: Sequence[CategoryVerdict]) -> tuple[list[int], list[int]]:
        return [outcomes.index(one.outcome) for one in own], [classes.index(one.category) for one in own]

    width, height = 3.2 + 0.42 * len(outcomes), 2.2 + 0.34 * len(classes)
    with drawn(theme, width, height) as (figure, axes):
        for effect, colour in COLOURS[theme].items():
            own = [one for one in cells if one.effect is effect and one.covered]
            sizes = [SMALLEST + (LARGEST - SMALLEST) * one.confidence for one in own]
            filled = "none" if effect is Effect.NO_EFFECT else colour
            axes.scatter(
                *places(own),
                sizes,
                facecolors=filled,
                edgecolors=colour,
                label=WORDS[effect],
            )
        unread = [one for one in cells if not one.covered]
        axes.scatter(
            *places(unread),
            20.0,
            marker="x",
            color=theme.missing,
            linewidths=0.8,
            label="no label read",
        )
        axes.set_xticks(
            range(len(outcomes)), [shortened(name, NAME) for name in outcomes], rotation=45, ha="right"
        )
        axes.set_yticks(range(len(classes)), [shortened(name, NAME) for name in classes])
        axes.set_xlim(-0.6, len(outcomes) - 0.4)
        axes.set_ylim(len(classes) - 0.4, -0.6)
        axes.grid(color=theme.faint, linewidth=0.5)
        axes.set_axisbelow(True)
        axes.tick_params(length=0)
        legend = figure.legend(loc="outside lower center", ncols=4, frameon=False, markerscale=0.6)
        for text in legend.get_texts():
            text.set_color(theme.ink)
        frame(axes, theme, TITLE)
        png = saved(figure)
    return Picture("vigilance", TITLE, png, alt_text(cells))


def alt_text(cells: Sequence[CategoryVerdict]) -> str:
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
