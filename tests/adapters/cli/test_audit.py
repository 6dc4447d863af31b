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
    assert lines(pestle, "verify")[0].startswith("1 entries hold.")
    assert pestle("ask", QUESTION).code == 0
    assert pestle("access", "grant", "expert", "web:ada").code == 0
    assert [line.split()[3] for line in lines(pestle)][1:] == ["asked", "answered", "granted"]
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
    assert told.startswith("5 entries hold.")
    assert lines(pestle, "verify", "--head", told.split()[-1])[0] == told
    assert lines(pestle, "verify", "--head", "00", code=7)[1] == "The chain does not contain the head 00."


def test_a_broken_chain_ends_with_7_and_names_the_entry(home: Path, pestle: Pestle) -> None:
    for name in ("web:ada", "web:bea", "web:cem"):
        pestle("access", "grant", "expert", name)
    with sqlite3.connect(home / "pestle.db") as database:
        database.execute("UPDATE audit_texts SET value = 'cli:eve' WHERE number = 3 AND name = 'by'")
    database.close()
    assert "2 entries hold" in lines(pestle, "verify", code=7)[0]
    assert lines(pestle, "verify", code=7)[1] == "A text of entry 3 was changed."


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


def test_documents_that_come_change_move_and_go_are_on_record(
    home: Path, pestle: Pestle, tmp_path: Path
) -> None:
    folder = tmp_path / "new"
    folder.mkdir()
    (folder / "N-1.md").write_text("# Report N-1\n\nThe dose of KP-100 was 4 mg.", encoding="utf-8")
    assert pestle("ingest", str(folder)).code == 0
    assert pestle("ingest", str(folder)).code == 0, "nothing changes, nothing is told"
    assert pestle("documents", "edit", "N-1", "--title", "Another").code == 0
    assert pestle("access", "collect", "new", "--folder", str(folder)).code == 0
    assert pestle("remove", "N-1").code == 0
    file = tmp_path / "audit.jsonl"
    lines(pestle, "--json", str(file))
    told = [json.loads(line) for line in file.read_text().splitlines()]
    documents = [(one["kind"], one["texts"]["text"]) for one in told if one["kind"].startswith("document ")]
    assert documents == [
        ("document added", documents[0][1]),
        ("document added", "N-1 (everything)"),
        ("document changed", "N-1 (everything)"),
        ("document moved", "N-1 (new)"),
        ("document removed", "N-1"),
    ]
    assert documents[0][1].splitlines() == ["KP-CL-01 (everything)", "KP-MIN-02 (everything)"]
    assert {one["texts"]["by"].split(":")[0] for one in told} == {"cli"}
