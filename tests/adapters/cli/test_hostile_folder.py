"""`pestle ingest` of a hostile folder: nothing vanishes, nothing is let out.

Where permissions matter it is a process of its own: root would not notice them.
"""

import json
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.adapters.cli.conftest import Pestle
from tests.adapters.cli.conftest import run as run_program
from tests.support.hostile import ESCAPES, as_a_common_user, hostile_folder

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes and permissions")
run = partial(run_program, first=as_a_common_user)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path / "home"))
    made = hostile_folder(tmp_path / "archive")
    yield made
    if (made / "sub").exists():
        (made / "sub").chmod(0o700)


def documents(pestle: Pestle) -> list[str]:
    return [record["doc_id"] for record in json.loads(pestle("documents", "--json").out)["documents"]]


def test_documents_of_a_folder_without_permission_stay(folder: Path, pestle: Pestle) -> None:
    assert run("ingest", str(folder)).stdout.startswith("2 added")
    (folder / "sub").chmod(0)
    ended = run("ingest", "--delete", str(folder))
    assert ended.stdout.startswith("0 added, 0 updated, 1 unchanged, 0 deleted")
    assert "Skipped: sub/: The folder cannot be looked into (Permission denied)." in ended.stdout
    assert documents(pestle) == ["a", "sub/b"]


def test_a_folder_that_may_be_listed_and_not_entered_is_no_unexpected_error(
    folder: Path, pestle: Pestle
) -> None:
    run("ingest", str(folder))
    (folder / "sub").chmod(0o400)
    ended = run("ingest", str(folder))
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "Skipped: sub/b.md: It cannot be looked at (Permission denied)." in ended.stdout
    assert documents(pestle) == ["a", "sub/b"]


def test_an_empty_mount_point_deletes_nothing_until_it_is_asked_for(folder: Path, pestle: Pestle) -> None:
    pestle("ingest", str(folder))
    folder.rename(folder.with_name("unmounted"))
    folder.mkdir()
    ended = pestle("ingest", str(folder))
    assert (ended.code, "Nothing in" in ended.err) == (3, True)
    assert f"`pestle ingest --delete {folder}`" in ended.out
    assert documents(pestle) == ["a", "sub/b"]
    assert "2 deleted" in pestle("ingest", "--delete", str(folder)).out
    assert documents(pestle) == []


def test_no_name_of_a_file_reaches_the_terminal_as_it_is(folder: Path, pestle: Pestle) -> None:
    (folder / f"good{ESCAPES}.md").write_text("# QX-1002 in the dog\n\nDogs received QX-1002 1 mg/kg.")
    (folder / f"bad{ESCAPES}\nSkipped: a.md: forged.pdf").write_bytes(b"%PDF-1.4 cut")
    processes = [run("ingest", str(folder)), run("-v", "ingest", str(folder))]
    shown = "".join(one.stdout + one.stderr for one in processes)
    for arguments in (
        ("documents",),
        ("documents", "--json"),
        ("check",),
        ("ingest", "--json", str(folder)),
        ("remove", f"no{ESCAPES}"),
        ("ingest", str(folder / f"no{ESCAPES}")),
    ):
        ended = pestle(*arguments)
        shown += ended.out + ended.err
    assert "bad␛[2J" in shown
    assert [sign for sign in shown if sign in "\x1b\x07\x9b\u202e"] == []
    assert "\nSkipped: a.md: forged" not in shown
