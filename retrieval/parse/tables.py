"""Tables in canonical text: Markdown pipe tables, one line a row."""

import re
from collections.abc import Iterable, Sequence


def pipe_table(rows: Iterable[Sequence[str]]) -> str:
    """Rows (the first is the header) as a pipe table; ragged rows are padded, empty columns go."""
    cleaned = [[cell(text) for text in row] for row in rows]
    cleaned = [row for row in cleaned if any(row)]
    if not cleaned:
        return ""
    width = max(map(len, cleaned))
    cleaned = [row + [""] * (width - len(row)) for row in cleaned]
    used = [i for i in range(width) if any(row[i] for row in cleaned)]
    cleaned = [[row[i] for i in used] for row in cleaned]
    lines = [cleaned[0], ["---"] * len(used), *cleaned[1:]]
    return "\n".join("| " + " | ".join(row) + " |" for row in lines)


def cell(text: object) -> str:
    """A cell's text on one line, pipes escaped."""
    return re.sub(r"\s+", " ", str(text if text is not None else "")).strip().replace("|", "\\|")
