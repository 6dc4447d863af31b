"""`ask`, `chat` and `run …`: answers, refusals, and the same answer every time."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.adapters.cli.conftest import QUESTION, Pestle, command


def asked(pestle: Pestle, question: str = QUESTION) -> dict[str, object]:
    ended = pestle("ask", "--json", question)
    assert (ended.code, ended.err) == (0, "")
    content: dict[str, object] = json.loads(ended.out)
    return content


def test_an_answer_is_shown_once_with_its_verbatim_source(pestle: Pestle, home: Path) -> None:
    ended = pestle("ask", QUESTION)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.count("Trace id") == 1
    assert "4 mg" in ended.out
    assert "KP-CL-01" in ended.out
    assert max(map(len, ended.out.splitlines())) <= 80


def test_the_same_question_twice_gives_the_same_bytes(pestle: Pestle, home: Path) -> None:
    first, second = (re.sub(r'"run_id": "\w+"', "", pestle("ask", "--json", QUESTION).out) for _ in range(2))
    assert '"citations"' in first
    assert first == second


def test_a_question_is_read_from_standard_input(pestle: Pestle, home: Path) -> None:
    ended = pestle("ask", "--json", "-", stdin=QUESTION.encode())
    assert json.loads(ended.out)["title"] == QUESTION


@pytest.mark.parametrize(
    ("stdin", "told"),
    [
        (b"", "empty"),
        (b" \n\t", "empty"),
        (b"why " * 25_000, "4,000"),
        (b"\xff\xfe\x00\x81", "UTF-8"),
        (b"dose\x00\x01\x02\x03", "binary"),
    ],
    ids=["empty", "blank", "100 kB", "no text", "control characters"],
)
def test_what_is_no_question_is_refused_on_standard_error(
    pestle: Pestle, home: Path, stdin: bytes, told: str
) -> None:
    for form in ([], ["--json"]):
        ended = pestle("ask", *form, "-", stdin=stdin)
        assert (ended.code, ended.out) == (2, "")
        assert told in ended.err
        assert ended.err.count("\n") == 1


def test_an_unknown_molecule_is_an_answer_that_names_it(pestle: Pestle, home: Path) -> None:
    content = asked(pestle, "What was the first-in-human dose of ZZ-9042?")
    assert content["outcome"] == "Closest passages"
    assert "no document about" in content["short"]
    assert "ZZ-9042" in str(content["sections"])


def test_an_unknown_language_is_searched_and_remarked_on(pestle: Pestle, home: Path) -> None:
    ended = pestle("ask", "Какова была первая доза у человека для KP-100?")
    assert ended.code == 0
    assert ended.out.count("does not look English") == 1


def test_what_a_model_would_add_is_told_with_the_first_answer_alone(
    pestle: Pestle, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def told(_: object) -> str:
        return "No model."

    monkeypatch.setattr("adapters.llm.near.told_of_model", told)
    monkeypatch.setattr("adapters.cli.session.console._force_terminal", True)
    answers = [pestle("ask", "What was the highest dose of KP-100?").out for _ in range(2)]
    assert [answer.count("No model.") for answer in answers] == [1, 0]


def test_without_documents_the_way_to_add_some_is_told(pestle: Pestle) -> None:
    ended = pestle("ask", QUESTION)
    assert (ended.code, ended.out) == (3, "")
    assert "`pestle ingest FOLDER`" in ended.err


def test_a_named_thread_knows_its_molecule(pestle: Pestle, home: Path) -> None:
    pestle("ask", "--thread", "kp", QUESTION)
    ended = pestle("ask", "--thread", "kp", "And why was it stopped?")
    assert "liver toxicity" in ended.out
    assert pestle("ask", "--thread", "a:b", QUESTION).code == 2


def test_chat_goes_on_after_a_refusal(pestle: Pestle, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = iter(["dose\x00\x01\x02", "help", ""])
    monkeypatch.setattr("adapters.cli.kinds.archive.console.input", lambda _: next(lines))
    ended = pestle("chat")
    assert ended.code == 0
    assert "binary" in ended.out
    assert "What I can do" in ended.out


def test_a_run_is_listed_shown_replayed_and_exported(
    pestle: Pestle, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = str(asked(pestle)["run_id"])
    assert run_id in pestle("runs").out
    assert "supervise" in pestle("run", "show", run_id, "--events").out
    replayed = pestle("run", "replay", run_id)
    assert (replayed.code, "the same answer" in replayed.out) == (0, True)
    written = tmp_path / "answer.md"
    assert pestle("run", "export", run_id, "-o", str(written)).code == 0
    assert "KP-CL-01" in written.read_text(encoding="utf-8")
    assert pestle("run", "export", run_id, "-o", str(written.with_suffix(".docx"))).code == 0
    assert written.with_suffix(".docx").read_bytes().startswith(b"PK")
    monkeypatch.chdir(tmp_path)
    assert pestle("run", "export", run_id, "docx").code == 0
    assert (tmp_path / f"{run_id}.docx").read_bytes().startswith(b"PK")


def test_what_cannot_be_done_with_a_run_is_told(pestle: Pestle, home: Path, tmp_path: Path) -> None:
    run_id = str(asked(pestle)["run_id"])
    refused = {
        ("show", "nothing"): (3, "There is no run 'nothing'"),
        ("resume", run_id): (2, "is done"),
        ("stop", run_id): (2, "over already"),
        ("export", run_id, "odt"): (2, "Choose one of"),
        ("export", run_id, "-o", str(tmp_path / "none" / "a.md")): (2, "cannot be written"),
    }
    for arguments, (code, told) in refused.items():
        ended = pestle("run", *arguments)
        assert (ended.code, told in ended.err, ended.out) == (code, True, ""), arguments


@pytest.mark.parametrize("home", ["file", "file/home"])
def test_a_home_that_is_a_file_is_blamed_itself(
    pestle: Pestle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path / home))
    ended = pestle("runs")
    assert ended.code == 2
    assert f"PESTLE_HOME is {tmp_path / home}" in ended.err


@pytest.mark.parametrize(
    "url", ["nonsense", "mysql://localhost/pestle", "postgresql://localhost:port/pestle"]
)
def test_a_database_url_that_is_none_is_a_wrong_setting(
    pestle: Pestle, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("PESTLE_DATABASE_URL", url)
    assert pestle("runs").code == 2


def test_verbose_tells_each_step_on_standard_error(home: Path) -> None:
    asked = subprocess.run(command("-v", "ask", QUESTION), capture_output=True, text=True, check=True)
    assert "step classify took" in asked.stderr
    assert "4 mg" in asked.stdout
    assert "step " not in asked.stdout


def test_a_run_that_waits_says_that_nothing_is_written_yet(
    pestle: Pestle, home: Path, tmp_path: Path
) -> None:
    ended = pestle(
        "protocol", "find genes that dexamethasone changes", "--review", "--export", str(tmp_path / "a.md")
    )
    assert "Nothing is written, as the run is waiting." in " ".join(ended.out.split()), (ended.out, ended.err)
    assert not (tmp_path / "a.md").exists()
