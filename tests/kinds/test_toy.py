"""A kind that is no archive goes through every skin with one edited line outside its own module."""

import asyncio
import io
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import docx as python_docx
import pypdfium2
import pytest
from bs4 import BeautifulSoup

from adapters import kinds as the_list
from adapters.export import bundle, report_json, typeset
from adapters.kinds import KINDS
from adapters.settings import Settings
from adapters.wiring import runtime
from agents.kinds import AnyKind, RunView
from tests.kinds import skins, toy
from tests.kinds.skins import CHATS, SKINS, PageSkin, Skin, SlackSkin, TeamsSkin, reads
from tests.support.services import ROOT

BOTH = (*KINDS, toy.KIND)


@pytest.fixture(params=SKINS)
async def skin(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Skin]:
    async with SKINS[request.param](tmp_path, BOTH) as opened:
        yield opened


async def test_every_command_works_in_every_skin(skin: Skin) -> None:
    await skin.say("count one two two")
    await reads(skin, "3 words", "Trace")
    await skin.say("revise: two")
    await reads(skin, "Written anew: Count", "− 3 words", "+ 1 words without “two”", "Asked for: two")
    await skin.say("undo")
    await reads(skin, "Undone: Count", "+ 3 words")
    await skin.say("edit: Three words.")
    await reads(skin, "Edited: Count", "+ Three words.")
    await skin.say("append: Two of them are the same.")
    await reads(skin, "+ Two of them are the same.", "1 sentence unchanged.")
    await skin.say("changes")
    await skin.say("history")
    await reads(skin, "Written anew: Count, by", "Undone: Count, by", "Edited: Count, by")
    await skin.say("accept")
    await reads(skin, "Count is accepted.")
    await skin.say("lock")
    await reads(skin, "Count is locked.")
    await skin.say("edit: Four.")
    await reads(skin, "Write unlock count first")
    await skin.say("revise: one")
    await reads(skin, "Unlock it first")
    await skin.say("unlock")
    await reads(skin, "Count is open again.")
    await skin.say("feedback up well counted")
    await reads(skin, "Your judgement is kept with the count")
    await skin.say("status")
    await skin.say("export pdf")
    await reads(skin, "Download PDF" if isinstance(skin, PageSkin) else "pdf")


class Gate:
    """Counts a line, and waits before the second until it is opened."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.counted: list[str] = []
        self.waiting = asyncio.Event()

    async def words(self, line: str, without: str) -> int:
        if self.counted and not self.open.is_set():
            self.waiting.set()
            await self.open.wait()
        self.counted.append(line)
        return await toy.words(line, without)

    @property
    def kinds(self) -> tuple[AnyKind, ...]:
        """The kinds, with a toy that counts so."""
        return (*KINDS, replace(toy.KIND, open=lambda house: lambda _: partial(toy.count, self.words)))


@pytest.mark.parametrize("name", SKINS)
async def test_stop_gives_what_was_counted_and_resume_goes_on_from_there(name: str, tmp_path: Path) -> None:
    gate = Gate()
    async with SKINS[name](tmp_path, gate.kinds) as skin:
        await skin.say("count one two\nthree")
        await gate.waiting.wait()
        await skin.say("stop")
        await reads(skin, "Stopping.", "Partial count: stopped on request", "2 words")
        gate.open.set()
        await skin.say("resume")
        await reads(skin, "3 words")
    assert gate.counted == ["one two", "three"]


@pytest.mark.parametrize("name", ["page", "slack"])
async def test_a_doubt_is_asked_back_and_the_press_starts_the_right_kind(name: str, tmp_path: Path) -> None:
    async with SKINS[name](tmp_path, BOTH) as skin:
        assert isinstance(skin, PageSkin | SlackSkin)
        await skin.say("these words")
        await reads(skin, "What is this message for?", "Questions to the archive", "Counting words")
        await skin.press("Counting words")
        await reads(skin, "2 words")
        await skin.press("Counting words")
        await reads(skin, "Please write your message once more.")


@pytest.mark.parametrize("name", CHATS)
async def test_a_command_with_a_slip_in_it_is_a_button_away_in_every_chat(name: str, tmp_path: Path) -> None:
    async with CHATS[name](tmp_path, BOTH) as skin:
        assert isinstance(skin, PageSkin | SlackSkin | TeamsSkin)
        for slip, meant, told in (
            ("coutn one two two", "count one two two", "3 words"),
            ("digset", "digest", "This channel has no digest"),
            ("recods", "records", "The archive holds 0 documents."),
        ):
            await skin.say(slip)
            await reads(skin, f"Did you mean {meant.split()[0]}?", "Ask it as it is")
            await skin.press(meant)
            await reads(skin, told)


async def test_in_a_terminal_a_number_or_a_title_answers_the_doubt(tmp_path: Path) -> None:
    async with skins.terminal(tmp_path, BOTH) as skin:
        await skin.say("these words")
        await reads(skin, "What is this message for?")
        await skin.say("counting words")
        await reads(skin, "2 words")
        await skin.say("and five more of them here")
        await reads(skin, "6 words")


async def test_the_threads_kind_goes_on(skin: Skin) -> None:
    await skin.say("How many words in: a b c")
    await reads(skin, "3 words")
    await skin.say("and this one too")
    await reads(skin, "4 words")


@pytest.mark.parametrize("name", ["page", "slack"])
async def test_a_kind_that_is_sure_takes_over_from_one_that_is_not(name: str, tmp_path: Path) -> None:
    async with SKINS[name](tmp_path, BOTH) as skin:
        await skin.say("What was the dose?")
        await reads(skin, "This question could not be answered")
        await skin.say("How many words in: a b c")
        await reads(skin, "3 words")


async def counted(home: Path, text: str = "one two two") -> RunView:
    """A run of the toy that was edited since."""
    async with skins.terminal(home, BOTH) as skin:
        await skin.say(f"count {text}")
        await reads(skin, "words")
        await skin.say("edit: Three *words*.")
        await reads(skin, "Edited: Count")
    async with runtime(Settings(home=home), BOTH) as built:
        (record,) = await built.ledger.runs()
        return await built.views.of(record)


def pdf_text(data: bytes) -> str:
    return "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(data))


Reader = Callable[[bytes], str]
READERS: dict[str, Reader] = {
    "md": bytes.decode,
    "docx": lambda data: "\n".join(p.text for p in python_docx.Document(io.BytesIO(data)).paragraphs),
    "pdf": pdf_text,
    "html": lambda data: BeautifulSoup(data, "html.parser").get_text("\n"),
    "json": bytes.decode,
}


@pytest.mark.parametrize("form", READERS)
async def test_every_export_has_the_count_as_it_stands_and_what_was_done_to_it(
    form: str, tmp_path: Path
) -> None:
    view = await counted(tmp_path)
    text = READERS[form](bundle(view, (), ()) if form == "json" else typeset(form, view))
    assert "one two two" in text
    assert ("Three \\*words\\*." if form == "md" else "Three *words*.") in text
    assert "edited" in text


async def test_the_report_as_json_for_machines(tmp_path: Path) -> None:
    told = json.loads(report_json(await counted(tmp_path)))
    assert (told["kind"], told["state"], told["short"]) == ("count", "done", "Three *words*.")
    assert told["sections"][0]["blocks"][0]["text"] == "Three *words*."


ONE_LINE = ('    "agents.design.kind",\n', '    "agents.design.kind",\n    "tests.kinds.toy",\n')


@pytest.fixture
def pestle(tmp_path: Path) -> Callable[..., Awaitable[str]]:
    """The command, with one line of the list of kinds edited."""
    source = Path(the_list.__file__).read_text(encoding="utf-8")
    assert source.count(ONE_LINE[0]) == 1
    edited = tmp_path / "edited" / "adapters" / "kinds.py"
    edited.parent.mkdir(parents=True)
    edited.write_text(source.replace(*ONE_LINE), encoding="utf-8")
    start = (
        "import importlib.util, sys\n"
        f"spec = importlib.util.spec_from_file_location('adapters.kinds', {str(edited)!r})\n"
        "module = sys.modules['adapters.kinds'] = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(module)\n"
        "from adapters.cli import main\n"
        "main()\n"
    )

    async def run(*arguments: str) -> str:
        environment = {**os.environ, "PESTLE_HOME": str(tmp_path / "home"), "COLUMNS": "200"}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", start, *arguments),
            cwd=ROOT,
            env=environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _ = await process.communicate()
        return out.decode()

    return run


async def test_one_edited_line_brings_the_kind_into_every_command(
    pestle: Callable[..., Awaitable[str]], tmp_path: Path
) -> None:
    assert "3 words" in await pestle("ask", "count one two two", "--thread", "t")
    assert "1 words without “two”" in await pestle("ask", "revise: two", "--thread", "t")
    assert json.loads(await pestle("ask", "count a b", "--json"))["short"] == "2 words"
    assert "`count …`" in (told := await pestle("ask", "help")) or "count …" in told
    runs = await pestle("runs")
    assert "one two two" in runs
    assert "Revise count: two" in runs
    run_id = next(line for line in runs.splitlines() if "one two two" in line).split()[0]
    assert "count:0" in await pestle("run", "show", run_id)
    assert "the same answer" in await pestle("run", "replay", run_id)
    assert "Written to" in await pestle("run", "export", run_id, "--to", str(tmp_path / "count.md"))
    assert "1 words without “two”" in (tmp_path / "count.md").read_text(encoding="utf-8")
