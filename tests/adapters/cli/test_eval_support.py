"""`pestle eval support`: of a run, of one whose document says something else now, and of a model's answer."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import Response

from tests.adapters.cli.conftest import DOCUMENTS, QUESTION, Pestle
from tests.adapters.llm.fake_endpoint import FakeEndpoint, says, serving


def asked(pestle: Pestle) -> str:
    return str(json.loads(pestle("ask", "--json", QUESTION).out)["run_id"])


def test_every_value_of_a_run_is_carried_by_the_stored_text(pestle: Pestle, home: Path) -> None:
    ended = pestle("eval", "support", asked(pestle))
    assert ended.code == 0
    assert "0 not carried" in " ".join(ended.out.split())
    assert int(ended.out.split()[0]) > 0


def test_a_value_that_the_document_no_longer_states_ends_with_code_seven(
    pestle: Pestle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path / "home"))
    archive = tmp_path / "archive"
    archive.mkdir()
    for name, text in DOCUMENTS.items():
        (archive / name).write_text(text, encoding="utf-8")
    assert pestle("ingest", str(archive)).code == 0
    run = asked(pestle)
    changed = archive / "KP-CL-01.md"
    changed.write_text(changed.read_text(encoding="utf-8").replace("4 mg", "9 mg"), encoding="utf-8")
    assert pestle("ingest", str(archive)).code == 0

    ended = pestle("eval", "support", run)

    assert ended.code == 7
    assert "'4 mg'" in ended.out


SAID, COPIED = "Harm to dogs' livers ended KP-100.", "The highest single dose was 60 mg."
ALTERED = "The highest single dose was 70 mg."
QUOTED = "The development of KP-100 was discontinued because of liver toxicity in the dog."


def replies(verdict: str) -> Callable[[dict[str, Any]], Response]:
    """A model that writes a paraphrase and a copy, and finds that passages carry a claim so far."""

    def reply(body: dict[str, Any]) -> Response:
        told = "\n".join(message["content"] or "" for message in body["messages"])
        if "Evidence:" in told:
            given = {"verdict": verdict, "quote": QUOTED, "reason": ""}
            return says(json.dumps(given))(body)
        keys = {quote: re.findall(r'key="(E\d+)"', told.split(quote)[0])[-1:] for quote in (QUOTED, COPIED)}
        statements = [
            {"text": text, "keys": keys[quote], "quotes": [quote]}
            for text, quote in ((SAID, QUOTED), (COPIED, COPIED), (ALTERED, COPIED))
        ]
        answer = {"outcome": "answered", "short": "60 mg", "headline": COPIED, "statements": statements}
        return says(json.dumps(answer))(body)

    return reply


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeEndpoint]:
    with serving() as fake:
        monkeypatch.setenv("PESTLE_MODEL_BASE_URL", fake.url)
        monkeypatch.setenv("PESTLE_MODEL_NAME", "first")
        yield fake


def test_a_true_statement_that_was_struck_is_listed_and_counted(
    pestle: Pestle, home: Path, endpoint: FakeEndpoint, tmp_path: Path
) -> None:
    endpoint.script(replies("unsupported"))
    run = json.loads(
        pestle("ask", "--json", "What did the minutes of the board and the highest single dose say?").out
    )["run_id"]
    file = tmp_path / "statements.json"

    ended = pestle("eval", "support", run, "--json", str(file))

    assert "0 of 1 true statements struck (0.0% to 79.3%" in " ".join(ended.out.split())
    written = json.loads(file.read_text())
    struck, altered = written["statements"]
    assert (altered["text"], altered["became"]) == (ALTERED, "struck")
    assert (struck["text"], struck["became"], struck["true"]) == (SAID, "struck", None)
    assert [one["text"] for one in struck["passages"]] == [QUOTED]
    assert (written["unjudged"], written["struck"]) == (2, 0)

    struck["true"], altered["true"] = True, False
    file.write_text(json.dumps(written))
    by_hand = pestle("eval", "support", run, "--verdicts", str(file)).out
    assert "1 of 2 true statements struck (9.5% to 90.5%" in " ".join(by_hand.split())

    endpoint.script(replies("supported"))
    by_model = pestle("eval", "support", run, "--judge").out
    assert f"struck, true, {struck['id']}: {SAID}\n    KP-MIN-02: {QUOTED}" in by_model
    assert "2 of 3 true statements struck" in " ".join(by_model.split())


def test_verdicts_that_are_none_are_refused(pestle: Pestle, home: Path, tmp_path: Path) -> None:
    (tmp_path / "no.json").write_text("[]")
    ended = pestle("eval", "support", asked(pestle), "--verdicts", str(tmp_path / "no.json"))
    assert (ended.code, "cannot be read as verdicts" in ended.err) == (2, True)
