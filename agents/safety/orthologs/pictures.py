"""The identity matrix and the alignment as pictures, in light and dark: the same data give the same bytes."""

from typing import Any

from agents.reports.drawing import DARK, LIGHT, Picture, Theme, drawn, frame, saved
from agents.safety.orthologs.matrix import IdentityMatrix
from agents.safety.orthologs.views import STRETCH, AlignmentView, Row


def identity_picture(matrix: IdentityMatrix, *, dark: bool = False) -> Picture:
    """A heat map of the identity matrix with its numbers."""
    theme, count = DARK if dark else LIGHT, len(matrix.names)
    title = "Sequence identity of the chosen orthologs (%)"
    with drawn(theme, 2.2 + 0.62 * count, 1.5 + 0.48 * count) as (figure, axes):
        low = min(value for row in matrix.values for value in row)
        shades = axes.imshow(matrix.values, cmap="viridis", vmin=min(low, 60.0), vmax=100.0, aspect="auto")
        axes.set_xticks(range(count), matrix.names, rotation=40, ha="right")
        axes.set_yticks(range(count), matrix.names)
        for row in range(count):
            for column in range(count):
                value = matrix.values[row][column]
                red, green, blue, _ = shades.cmap(shades.norm(value))
                ink = "#000000" if 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 else "#ffffff"
                axes.text(
                    column,
                    row,
                    f"{value:.0f}",
                    ha="center",
                    va="center",
                    color=ink,
                    fontsize=8,
                    in_layout=False,
                )
        axes.tick_params(length=0)
        frame(axes, theme, title)
        svg, png = saved(figure)
    return Picture("identity_matrix", title, svg, png, _matrix_text(matrix))


def alignment_picture(view: AlignmentView, *, dark: bool = False) -> Picture:
    """Where each sequence differs along the human one, and the letters of the stretches that differ most."""
    theme, rows = DARK if dark else LIGHT, len(view.rows)
    title = f"Differences from the human sequence {view.accession}"
    panels = 1 + len(view.stretches)
    height = 1.0 + panels * (0.55 + 0.21 * (rows + 1))
    with drawn(theme, 11.0, height, panels) as (figure, axes):
        every = [axes] if panels == 1 else list(axes)
        _overview(every[0], view, theme)
        frame(every[0], theme, title)
        for panel, start in zip(every[1:], view.stretches, strict=True):
            _letters(panel, view, start, theme)
            end = min(start + STRETCH, len(view.human))
            frame(panel, theme, f"Residues {start + 1} to {end}")
        svg, png = saved(figure)
    return Picture("alignment", title, svg, png, view.text)


def _overview(axes: Any, view: AlignmentView, theme: Theme) -> None:
    """A line for each species with a tick at each difference."""
    for at, row in enumerate(view.rows):
        axes.hlines(at, 0, len(view.human), color=theme.faint, linewidth=4)
        missing = [place for place in view.differences(row) if row.residues[place] == "-"]
        other = [place for place in view.differences(row) if row.residues[place] != "-"]
        for places, colour in (
            (other, theme.differing),
            (missing, theme.missing),
            ([place for place, _ in row.insertions], theme.inserted),
        ):
            axes.vlines(places, at - 0.35, at + 0.35, color=colour, linewidth=0.9)
    axes.set_yticks(range(len(view.rows)), [row.species for row in view.rows])
    axes.set_ylim(len(view.rows) - 0.4, -0.6)
    axes.set_xlim(0, len(view.human))
    axes.set_xlabel("human residue: orange another residue, grey missing, blue an insertion", color=theme.ink)


def _letters(axes: Any, view: AlignmentView, start: int, theme: Theme) -> None:
    """The human letters of a stretch; a dot in a species' row stands for the same letter."""
    end = min(start + STRETCH, len(view.human))
    human = Row("human", view.accession, view.human, ())
    for at, row in enumerate((human, *view.rows)):
        same = [place for place in range(start, end) if at and row.residues[place] == view.human[place]]
        axes.plot(
            [place - start + 0.5 for place in same], [at] * len(same), ".", color=theme.ink, markersize=1
        )
        for place in sorted(set(range(start, end)) - set(same)):
            own = row.residues[place]
            colour = theme.ink if at == 0 else theme.missing if own == "-" else theme.differing
            axes.text(
                place - start + 0.5,
                at,
                own,
                ha="center",
                va="center",
                color=colour,
                fontsize=7,
                in_layout=False,
            )
    axes.set_yticks(range(len(view.rows) + 1), ["human", *(row.species for row in view.rows)])
    axes.set_xticks([])
    axes.set_ylim(len(view.rows) + 0.5, -0.7)
    axes.set_xlim(0, STRETCH)


def _matrix_text(matrix: IdentityMatrix) -> str:
    """The first row in words: each species' identity with the human sequence."""
    pairs = zip(matrix.names[1:], matrix.values[0][1:], strict=True)
    told = ", ".join(f"{name} {value:.1f} %" for name, value in pairs)
    return f"Identity with the human sequence: {told or 'no ortholog was chosen'}."
