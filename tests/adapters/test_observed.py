"""What operators see: logs, metrics, traces. A question, a name and a secret are in none of them."""

import io
import json
import logging
import re
import sys
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from starlette.applications import Starlette

from adapters.cli import main
from adapters.cli.main import FORM
from adapters.logs import Discreet, JsonLines
from adapters.metrics import metrics
from adapters.slack.serve import health_routes
from adapters.traces import Traces
from agents.archive.answer import Answer, Question
from agents.runs.current import trace_of
from agents.runs.execute import execute
from agents.runs.pipeline import Pipeline, new_run
from agents.runs.records import StepRecord
from agents.runs.run import Run
from agents.usage import Usage
from tests.bot.world import WaitingQueue, World
from tests.support.services import ROOT
from tests.workers.test_executor import executor

QUESTION, NAME, SECRET = "What is the dose of ZQX-9911?", "ada.lovelace", "sk-verysecret"


async def asked(world: World, *, fails: bool) -> str:
    """A run whose step ends, or fails with all that must not be told."""
    receipt = await world.say(QUESTION, user=NAME)

    async def work(run: Run, question: Question) -> Answer:
        if fails:
            raise ValueError(f"{question.text} {NAME} {SECRET}")
        raise AssertionError

    await executor(world, work).execute(receipt.run_id)
    return receipt.run_id


@pytest.mark.parametrize("form", [Discreet, JsonLines])
async def test_no_question_name_or_secret_is_in_the_log(form: type[Discreet]) -> None:
    logs = [io.StringIO(), io.StringIO()]
    for log, all_of_it in zip(logs, (True, False), strict=True):
        handler = logging.StreamHandler(log)
        handler.setFormatter(form(FORM, wordy=all_of_it))
        logging.getLogger().addHandler(handler)
    try:
        run_id = await asked(World(), fails=True)
    finally:
        for handler in logging.getLogger().handlers[-2:]:
            logging.getLogger().removeHandler(handler)
    wordy, discreet = (log.getvalue() for log in logs)
    assert "ZQX-9911" in wordy
    assert not re.search(f"ZQX|{NAME}|{SECRET}", discreet)
    assert f"run {run_id} failed (ValueError)" in discreet
    assert "ValueError at " in discreet
    if form is JsonLines:
        line = next(one for one in map(json.loads, discreet.splitlines()) if "error" in one)
        assert (line["run"], line["trace"]) == (run_id, trace_of(run_id))


async def test_metrics_count_runs_and_say_nothing_of_what_was_asked() -> None:
    world = World()
    run_id = await asked(world, fails=True)
    await world.say(f"{QUESTION} And now?", user=NAME)
    usage = Usage(prompt_tokens=7, cost_usd=0.5, calls=1)
    step = StepRecord(run_id, "research/ZQX-9911", "h", "1", "2026-01-01T00:00:00+00:00", 1.0, usage=usage)
    await world.ledger.save_step(step)
    routes = health_routes(WaitingQueue(), world.ledger)
    transport = httpx.ASGITransport(app=Starlette(routes=routes))
    async with httpx.AsyncClient(transport=transport, base_url="http://bot") as client:
        text = (await client.get("/metrics")).text
    assert 'pestle_runs{kind="archive",state="failed"} 1.0' in text
    assert 'pestle_runs_waiting{queue="pipeline"} 1.0' in text
    assert "pestle_month_tokens 7.0" in text
    assert "pestle_queue_up 1.0" in text
    assert not re.search(f"ZQX|{NAME}|{SECRET}|general", text)


async def test_the_dashboard_asks_for_metrics_that_there_are() -> None:
    world = World()
    await asked(world, fails=True)
    await world.say(f"{QUESTION} And now?")
    text = (await metrics(world.ledger, WaitingQueue())).decode()
    known = set(re.findall(r"^# TYPE (pestle_\w+)", text, re.MULTILINE))
    shown = json.loads((ROOT / "docker/grafana.json").read_text())["panels"]
    assert {name for one in shown for name in re.findall(r"pestle_\w+", json.dumps(one))} == known


async def test_a_run_is_a_trace_and_its_steps_are_spans_without_what_they_read() -> None:
    world, kept = World(), InMemorySpanExporter()
    traces = Traces(world.ledger, kept)
    record = new_run("archive", Question(QUESTION), thread_id="wall:general:1")
    await world.ledger.create(record)

    async def inner(text: str) -> str:
        return text

    async def work(run: Run, question: Question) -> str:
        async def outer(text: str) -> str:
            return await run.step("reader/turn/1", inner, text)

        return await run.step(f"research:{QUESTION}", outer, QUESTION)

    await execute(record.run_id, world.ledger, {"archive": Pipeline(work, Question, str)}, "one")
    usage = Usage(3, 4, calls=1, models=("small",))
    steps = await world.ledger.steps(record.run_id)
    world.ledger._trails[record.run_id].steps = [replace(step, usage=usage) for step in steps]
    ended = await world.ledger.run(record.run_id)
    assert ended is not None
    await traces.ended(ended)
    traces.close()
    spans = {span.name: span for span in kept.get_finished_spans()}
    assert set(spans) == {"run archive", "research", "reader"}
    assert {f"{span.context.trace_id:032x}" for span in spans.values()} == {trace_of(record.run_id)}
    assert spans["reader"].parent.span_id == spans["research"].context.span_id
    assert spans["reader"].attributes == {
        "gen_ai.request.model": "small",
        "gen_ai.usage.input_tokens": 3,
        "gen_ai.usage.output_tokens": 4,
    }
    assert not re.search("ZQX|general", "".join(span.to_json() for span in spans.values()))


def test_a_service_that_is_told_so_logs_lines_of_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path))
    monkeypatch.setenv("PESTLE_LOG_FORM", "json")
    monkeypatch.setattr(sys, "argv", ["pestle", "worker"])
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    level = root.level
    try:
        with pytest.raises(SystemExit):
            main()
    finally:
        root.setLevel(level)
    assert "PESTLE_REDIS_URL" in capsys.readouterr().err
    logged = [handler.formatter for handler in root.handlers]
    assert any(isinstance(one, JsonLines) for one in logged)
