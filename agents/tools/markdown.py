"""A value as Markdown: how a record of a database becomes text that can be cited.

The same value always gives the same text. Objects become lists of names and values, lists of plain objects
become tables, so that a citation of one row or one line says what it is about.
"""

from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

PLAIN = (str, int, float, bool, type(None))


def as_markdown(value: JsonValue, title: str = "") -> str:
    """The value under a heading, if it has a title."""
    head = [f"# {_line(title)}", ""] if title else []
    return "\n".join([*head, *_block(value, 0)])


def _block(value: JsonValue, depth: int) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from _fields(value, depth)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield from _items(value, depth)
    else:
        yield _line(value) if depth else str("" if value is None else value)


def _fields(value: Mapping[str, JsonValue], depth: int) -> Iterator[str]:
    indent = "  " * depth
    for name, inner in value.items():
        if isinstance(inner, PLAIN):
            yield f"{indent}- {_line(name)}: {_line(inner)}"
        elif depth == 0 and _is_table(inner):
            yield from ("", f"{_line(name)}:", "", *_block(inner, 0), "")
        else:
            yield f"{indent}- {_line(name)}:"
            yield from _block(inner, depth + 1)


def _items(value: Sequence[JsonValue], depth: int) -> Iterator[str]:
    if depth == 0 and _is_table(value):
        yield from _table(value)
        return
    indent = "  " * depth
    for number, inner in enumerate(value, start=1):
        if isinstance(inner, PLAIN):
            yield f"{indent}- {_line(inner)}"
        else:
            yield f"{indent}- {number}:"
            yield from _block(inner, depth + 1)


def _is_table(value: JsonValue | Sequence[JsonValue]) -> bool:
    """Whether a value is a list of objects with plain values."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(
            isinstance(row, dict) and row and all(isinstance(cell, PLAIN) for cell in row.values())
            for row in value
        )
    )


def _table(rows: Sequence[JsonValue]) -> Iterator[str]:
    objects = [row for row in rows if isinstance(row, dict)]
    names = list(dict.fromkeys(name for row in objects for name in row))
    yield _row(names)
    yield _row(["---"] * len(names))
    for row in objects:
        yield _row([_line(row.get(name)) for name in names])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_line(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def _line(value: JsonValue) -> str:
    """A plain value on one line."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(str(value).split())
