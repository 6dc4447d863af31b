"""Pictures of a report, drawn without a screen in light and dark: the same data give the same bytes."""

import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from agents.reports.values import Figure
from agents.runs.run import Run


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture as PNG, and what it shows in words for those who cannot see it."""

    name: str
    title: str
    png: bytes
    text: str


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours of a picture: ground, text, faint lines, what is missing."""

    ground: str
    ink: str
    faint: str
    missing: str


LIGHT = Theme("#ffffff", "#1f2328", "#d8dee4", "#8c959f")
DARK = Theme("#0d1117", "#e6edf3", "#30363d", "#6e7681")
DOTS = 110
"""Dots per inch of a PNG."""
_TURN = threading.Lock()
"""The library's settings are those of the whole process: pictures of several runs are drawn one by one."""


def loaded() -> None:
    """Loads what draws, which takes a moment: call it on a thread while something else is waited for."""
    for name in ("figure", "backends.backend_agg", "font_manager"):
        import_module(f"matplotlib.{name}")


@contextmanager
def drawn(theme: Theme, width: float, height: float, panels: int = 1) -> Iterator[tuple[Any, Any]]:
    """A figure that draws without a screen, with fonts that do not differ between machines."""
    matplotlib: Any = import_module("matplotlib")  # it takes a moment to load
    figures: Any = import_module("matplotlib.figure")
    settings = {
        "font.family": "DejaVu Sans",
        "font.size": 8,
        "text.color": theme.ink,
        "axes.labelcolor": theme.ink,
        "xtick.color": theme.ink,
        "ytick.color": theme.ink,
    }
    with _TURN, matplotlib.rc_context(settings):
        figure = figures.Figure(figsize=(width, height), facecolor=theme.ground, layout="constrained")
        yield figure, figure.subplots(panels, 1)


def frame(axes: Any, theme: Theme, title: str) -> None:
    """The title and the colours of a panel."""
    axes.set_facecolor(theme.ground)
    axes.set_title(title, loc="left", color=theme.ink, fontsize=9)
    for side in axes.spines.values():
        side.set_color(theme.faint)


def saved(figure: Any, dots: int = DOTS) -> bytes:
    """PNG without a program's version in it."""
    png = io.BytesIO()
    figure.savefig(png, format="png", dpi=dots, metadata={"Software": None})
    return png.getvalue()


async def kept_figure(run: Run, light: Picture, dark: Picture) -> Figure:
    """A picture in both themes among the run's artefacts."""
    bright = await run.artefact(light.png, "image/png", f"{light.name}.png")
    night = await run.artefact(dark.png, "image/png", f"{dark.name}_dark.png")
    return Figure(light.title, bright.sha256, bright.media_type, light.text, dark=night.sha256)
