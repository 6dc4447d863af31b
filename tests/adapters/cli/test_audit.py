"""`pestle audit`: what happened is shown, written out, proved, kept and purged, in the terminal."""

import json
import sqlite3
from pathlib import Path

from tests.adapters.cli.conftest import QUESTION, Pestle


def lines(pestle: Pestle, *arguments: str, code: int = 0) -> list[str]:
    """What a command says."""
    ended = pestle("audit", *arguments)
    assert (ended.code, ended.err) == (code, "")
    return ended.out.splitlines()


def test_a_question_its_answer_and_a_grant_are_shown_and_proved(
    home: Path, pestle: Pestle, tmp_path: Path
) -> None:
    assert lines(pestle, "verify") == ["0 entries hold. Head: none"]
    assert pestle("ask", QUESTION).code == 0
    assert pestle("access", "grant", "expert", "web:ada").code == 0
    assert [line.split()[3] for line in lines(pestle)] == ["asked", "answered", "granted"]
    assert len(lines(pestle, "--limit", "1")) == 1
    assert len(lines(pestle, "--kind", "asked", "--kind", "granted")) == 2
    assert lines(pestle, "--who", "slack:U1") == lines(pestle, "--since", "2999-01-01") == []
    file = tmp_path / "audit.jsonl"
    lines(pestle, "--kind", "answered", "--json", str(file))
    written = [json.loads(line) for line in file.read_text().splitlines()]
    assert [one["kind"] for one in written] == ["answered"]
    assert any(one.startswith("KP-CL-01") for one in written[0]["facts"]["passages"])
    assert lines(pestle, "--run", written[0]["run"])[0].split()[3] == "asked"
    told = lines(pestle, "verify")[0]
    assert told.startswith("4 entries hold.")
    assert lines(pestle, "verify", "--head", told.split()[-1])[0] == told
    assert lines(pestle, "verify", "--head", "00", code=7)[1] == "The chain does not contain the head 00."


def test_a_broken_chain_ends_with_7_and_names_the_entry(home: Path, pestle: Pestle) -> None:
    for name in ("web:ada", "web:bea", "web:cem"):
        pestle("access", "grant", "expert", name)
    with sqlite3.connect(home / "pestle.db") as database:
        database.execute("UPDATE audit_texts SET value = 'cli:eve' WHERE number = 2 AND name = 'by'")
    database.close()
    assert "1 entries hold" in lines(pestle, "verify", code=7)[0]
    assert lines(pestle, "verify", code=7)[1] == "A text of entry 2 was changed."


def test_purge_forget_and_holds(home: Path, pestle: Pestle) -> None:
    pestle("access", "grant", "expert", "web:ada")
    assert lines(pestle, "hold", "web:ada", "--why", "a suit") == ["A hold is on web:ada now."]
    refused = pestle("audit", "forget", "web:ada")
    assert (refused.code, "legal hold" in refused.err) == (2, True)
    assert pestle("audit", "forget", "ada").code == 2
    assert lines(pestle, "hold", "web:ada", "--end") == ["No hold is on web:ada now."]
    assert pestle("audit", "hold", "web:ada", "--end").code == 2
    assert lines(pestle, "forget", "web:ada") == ["3 entries say nothing of them any more."]
    assert "web:ada" not in pestle("access").out
    assert lines(pestle, "purge", "--days", "30") == ["Names and texts of 0 entries are deleted."]
    assert lines(pestle, "purge", "--days", "0") == ["Names and texts of 2 entries are deleted."]
    assert lines(pestle, "verify")[0].startswith("6 entries hold.")
