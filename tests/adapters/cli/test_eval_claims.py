"""`pestle eval claims`: what is shown of true and false claims."""

import json
from pathlib import Path

from tests.adapters.cli.conftest import Pestle

PASSAGES = [{"title": "QX-1 in rats", "text": "Liver necrosis was seen in rats. Body weight fell."}]
CLAIMS = (
    ("Liver necrosis was seen in rats.", True, "copy"),
    ("Liver necrosis was seen at 12 mg.", False, "number"),
    ("Liver necrosis was not seen in rats.", False, "direction"),
    ("The liver of rats was hurt.", True, "paraphrase"),
)


def test_claims_are_counted_by_what_is_shown_of_them(pestle: Pestle, home: Path, tmp_path: Path) -> None:
    lines = [
        {"id": text, "claim": text, "passages": PASSAGES, "supported": true, "kind": kind}
        for text, true, kind in CLAIMS
    ]
    file, told = tmp_path / "claims.jsonl", tmp_path / "told.json"
    file.write_text("\n".join(map(json.dumps, lines)))
    ended = pestle("eval", "claims", str(file), "--json", str(told))
    assert ended.code == 0
    seen = [one["a judge that approves of all"] for one in json.loads(told.read_text())]
    assert seen == ["confirmed", "struck", "struck", "marked"]
    denied = [one["a judge that denies all"] for one in json.loads(told.read_text())]
    assert denied == ["confirmed", "struck", "struck", "struck"]
    assert pestle("eval", "claims", str(tmp_path / "none.jsonl")).code == 2
