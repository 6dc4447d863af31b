"""Stop and resume in the browser: a pipeline that waits, and goes on where it was."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from adapters.cli.page import page
from adapters.sections import WebSettings
from adapters.settings import Settings
from adapters.wiring import Runtime
from agents.archive.answer import Answer, AnswerOutcome, Question
from agents.archive.pipeline import stopped
from agents.runs.pipeline import Pipeline
from agents.runs.run import Run
from tests.support.archive import said

ANSWER = Answer("How long?", "very long", said("It took **very long**."), AnswerOutcome.ANSWERED)


class Waiting:
    """A pipeline of two steps; the second does not begin before `go` is set."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.first_steps = 0

    async def work(self, run: Run, question: Question) -> Answer:
        run.keep(lambda: replace(ANSWER, blocks=said("So far: a month and counting."), short="a month"))
        await run.step("search", self.search, question.text)
        while not self.go.is_set():
            await run.step("research", self.wait, question.text, run.id, self.turn())
        return ANSWER

    async def search(self, text: str) -> str:
        self.first_steps += 1
        return text

    async def wait(self, text: str, run_id: str, turn: int) -> int:
        await asyncio.sleep(0.05)
        return turn

    def turn(self) -> int:
        self.turns = getattr(self, "turns", 0) + 1
        return self.turns


@pytest.fixture
async def waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Waiting, str]]:
    pipeline = Waiting()
    pipelines = {"archive": Pipeline(pipeline.work, Question, Answer, stopped)}
    monkeypatch.setattr(Runtime, "pipelines", pipelines)
    async with page(Settings(home=tmp_path, web=WebSettings(port=0))) as (server, address):
        serving = asyncio.create_task(server.serve())
        yield pipeline, address
        pipeline.go.set()
        server.stop()
        await serving


async def test_stop_gives_what_was_found_and_resume_goes_on(waiting: tuple[Waiting, str], tab: Page) -> None:
    pipeline, address = waiting
    await tab.goto(address)
    await tab.get_by_label("Your question").fill("How long did it take?")
    await tab.keyboard.press("Enter")
    await expect(tab.locator("article.progress")).to_contain_text("Working on it", timeout=15_000)

    await tab.get_by_role("button", name="Stop").click()
    answer = tab.locator("article.answer")
    await expect(answer).to_contain_text("a month and counting", timeout=15_000)
    await expect(answer).to_contain_text("Partial answer")
    await expect(tab.locator("#thread > article")).to_have_count(2)
    await expect(tab.locator("article.progress.rest summary")).to_contain_text("Stopped")
    await expect(tab.get_by_role("button", name="Resume")).to_have_count(1)

    pipeline.go.set()
    await answer.get_by_role("button", name="Resume").click()
    await expect(answer).to_contain_text("very long", timeout=15_000)
    await expect(answer).to_have_count(1)
    assert pipeline.first_steps == 1
