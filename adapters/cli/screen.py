"""The terminal's screen: a text from outside cannot steer it."""

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

CONTROLS = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"}
CONTROLS |= {0x7F: 0x2421, **dict.fromkeys(range(0x80, 0xA0), 0xFFFD)}
CONTROLS |= dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)), 0xFFFD)
"""Control characters, and those that turn the direction of a text around, and what is shown for them: an
escape becomes "␛".
"""


def one_line(name: str) -> str:
    """A file's name as it may stand in a line: nothing in it breaks the line, steers or turns it."""
    return name.translate(CONTROLS | {ord("\t"): 0x2409, ord("\n"): 0x240A})


class Screen(Console):
    """A console that shows control characters of a text.

    Escape codes in a document or a file's name could clear the screen, or hide an address behind a link.
    """

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render as Rich does; its own control codes and styles are no text and stay."""
        for segment in super().render(renderable, options):
            text = segment.text if segment.control else segment.text.translate(CONTROLS)
            yield Segment(text, segment.style, segment.control)

    def tell(self, text: str, style: str | None = None, *, wrap: bool = False) -> None:
        """Show a text as it is: nothing in it is mark-up. The terminal breaks it, so that it stays whole in a
        log; with `wrap` it is broken here, between words.
        """
        self.print(text, style=style, markup=False, highlight=False, soft_wrap=not wrap)
