"""Pictures for cards: a card carries its pictures itself, so they are made small enough for one. Pure."""

import base64
import io
from collections.abc import Iterator

from PIL import Image

LARGEST = 15_000
"""Bytes of a picture; written into a card it takes a third more, and a card takes 28 KB."""
WIDTHS = (1_000, 800, 640, 480, 360, 240)
COLOURS = (64, 16)
MOST_PIXELS = 20_000_000


def small_enough(png: bytes) -> bytes:
    """The picture in the largest form that a card can hold; b"" for one that cannot be read or made small."""
    if len(png) <= LARGEST:
        return png
    try:
        with Image.open(io.BytesIO(png)) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                return b""
            image = Image.new("RGB", opened.size, "white")
            shown = opened.convert("RGBA")
            image.paste(shown, mask=shown)
    except (OSError, ValueError):
        return b""
    return next((form for form in _forms(image) if len(form) <= LARGEST), b"")


def data_uri(png: bytes) -> str:
    """A picture as an address that holds it."""
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


def _forms(image: Image.Image) -> Iterator[bytes]:
    """A picture smaller and smaller, first with many colours."""
    for width in WIDTHS:
        if width <= image.width or width == WIDTHS[-1]:
            height = max(1, round(image.height * width / image.width))
            resized = image.resize((width, height), Image.Resampling.LANCZOS)
            for colours in COLOURS:
                written = io.BytesIO()
                resized.quantize(colours).save(written, "PNG", optimize=True)
                yield written.getvalue()
