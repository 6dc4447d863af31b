"""`pestle eval records` on two documents."""

import json
from pathlib import Path

from tests.adapters.cli.conftest import Pestle


def test_titles_dates_and_false_molecules_are_counted(pestle: Pestle, home: Path, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        "# Toxicity of QX-1001 in rats\n\nReport issued: 3 May 2011\n\n5 mg QX-1001.\n"
    )
    (tmp_path / "b.md").write_text("# Toxicity of QX-1002 in dogs\n\nDogs were given 5 mg QX-1002.\n")
    gold = [
        {
            "path": "a.md",
            "title": "Toxicity of QX 1001 in rats",
            "date": ["2011-05-03"],
            "molecules": ["QX1001"],
        },
        {"path": "b.md", "title": "Another title", "date": [""], "molecules": []},
    ]
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, gold)))
    ended = pestle("eval", "records", str(tmp_path / "gold.jsonl"))
    assert ended.code == 0
    assert "b.md: 'Toxicity of QX-1002 in dogs', '', false: ['QX-1002']" in ended.out
    assert ended.out.split()[-4:] == ["0.500", "1.000", "2", "0.500"]
