"""The table of a passage that comes closest: whole, or not at all."""

from agents.evidence.values import Citation
from agents.reports.values import Cell, Table
from retrieval.markdown import cells, is_delimiter


def whole_table(cited: Citation) -> Table | None:
    """The table that a citation quotes from its heads to its last row; None where it quotes none, or a part.

    Every row cites it, as its values rest on it.
    """
    lines = cited.quote.splitlines()
    if len(lines) < 3 or not is_delimiter(lines[1]) or not all(map(_is_row, lines)):
        return None
    rows = [cells(line) for line in lines[2:]]
    columns = cited.header or cells(lines[0])
    if any(len(row) != len(columns) for row in rows):
        return None
    told = tuple((Cell(row[0], (cited.number,)), *map(Cell, row[1:])) for row in rows)
    return Table(cited.caption or " ".join(cited.section[-1:]) or cited.title, columns, told, folded=True)


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|")
