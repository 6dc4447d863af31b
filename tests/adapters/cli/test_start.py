"""What the program imports: a command that needs no model, queue or server does not wait for theirs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from adapters.cli import eval as evaluation
from adapters.cli.lazy import LazyGroup, Panels, command_of
from adapters.cli.main import PANELS, app
from adapters.cli.records import records_command
from bot.errors import BadRequest
from tests.adapters.cli.conftest import QUESTION

SERVING = {"aiohttp", "slack_bolt", "slack_sdk", "starlette", "uvicorn", "httpx"}
ASKING = {"openai", "redis", "dramatiq", "mcp", "jsonschema"}
READING = {"pypdfium2", "reportlab", "docx", "pptx", "openpyxl", "PIL", "lxml", "rdkit"}
COMPUTING = {"numpy", "onnx", "onnxruntime", "tokenizers", "torch"}
STORING = {"sqlalchemy", "elasticsearch"}
LOADED = """
import json, sys
from adapters.cli import main
from bot.errors import BadRequest
sys.argv = ["pestle", *json.loads(sys.argv[1])]
try:
    main()
except SystemExit as ended:
    assert not ended.code, ended.code
finally:
    print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def loaded(home: Path, *arguments: str) -> set[str]:
    """The packages that a fresh process of the program has loaded when a command ends."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PESTLE_")}
    ended = subprocess.run(
        [sys.executable, "-c", LOADED, json.dumps(arguments)],
        env={**environment, "PESTLE_HOME": str(home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not ended.returncode, ended.stderr
    return set(json.loads(ended.stdout.splitlines()[-1]))


def test_the_version_is_told_without_loading_what_only_commands_need(tmp_path: Path) -> None:
    assert not loaded(tmp_path, "--version") & (SERVING | ASKING | READING | COMPUTING | STORING)


EVERY_HELP = """
import json, sys, typer
from adapters.cli.main import app

def told(command, context):
    assert command.get_help(context)
    for name in getattr(command, "list_commands", lambda _: ())(context):
        one = command.get_command(context, name)
        told(one, typer.Context(one, info_name=name, parent=context))

group = typer.main.get_command(app)
told(group, typer.Context(group))
print(json.dumps(sorted(sys.modules)))
"""
PIPELINES = {"adapters.wiring", "adapters.settings", "agents.reports.gate", "retrieval.search"}


def test_no_help_text_of_any_command_loads_a_pipeline_a_client_or_numbers() -> None:
    ended = subprocess.run([sys.executable, "-c", EVERY_HELP], capture_output=True, text=True, check=True)
    modules = set(json.loads(ended.stdout))
    packages = {name.partition(".")[0] for name in modules}
    assert not packages & (SERVING | ASKING | READING | COMPUTING | STORING)
    assert not modules & PIPELINES
    assert not {name for name in modules if name.endswith((".pipeline", ".work"))}


def test_a_question_without_a_model_or_redis_loads_neither_client(home: Path) -> None:
    typed = loaded(home, "ask", QUESTION)
    assert "onnxruntime" not in typed  # its rules read every document of the molecule
    asked = loaded(home, "ask", "Which volunteers took a capsule?")
    assert "onnxruntime" in asked  # it was searched for
    assert not (typed | asked) & (SERVING | ASKING | READING)


def test_the_list_of_runs_computes_nothing(tmp_path: Path) -> None:
    assert not loaded(tmp_path, "runs") & (SERVING | ASKING | READING | COMPUTING - {"numpy"})


@pytest.mark.parametrize("panels", [PANELS, evaluation.PANELS])
def test_every_command_is_found_in_its_module(panels: Panels) -> None:
    listed = LazyGroup.of(panels).entries()
    assert [command_of(entry.module, name).name for name, entry in listed.items()] == [*listed]


def test_help_is_a_command_and_a_year_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        app(["help", "records"])
    assert ended.value.code == 0
    assert "--year" in capsys.readouterr().out
    with pytest.raises(BadRequest, match="20x7"):
        records_command(year="20x7")


def test_a_mistyped_command_is_told_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        app(["worekr"])
    assert ended.value.code == 2
    assert "Did you mean 'worker'?" in capsys.readouterr().err


def test_the_help_names_every_command() -> None:
    group = typer.main.get_command(app)
    with typer.Context(group) as context:
        shown = group.get_help(context)
    assert all(f"\n  {name} " in shown for name in LazyGroup.of(PANELS).entries())
