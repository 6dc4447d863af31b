"""A row of a table told in one line."""

from collections.abc import Iterable


def row_in_words(header: Iterable[str], cells: Iterable[str]) -> str:
    """The cells that are filled, each behind its head: "Dose: 5 mg; Route: oral".

    A cell that ends with a colon is itself the label of the next: "Vehicle: 0.5 % methylcellulose".
    """
    told = ""
    for head, cell in zip(header, cells, strict=False):
        if cell:
            between = "" if not told else " " if told.endswith(":") else "; "
            told += f"{between}{head.rstrip(': ')}: {cell}" if head else f"{between}{cell}"
    return told
