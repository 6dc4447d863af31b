"""Shows that a change leaves every answer as it was: two checkouts are asked the same questions.

    python -m tests.same_answers OTHER_CHECKOUT [DIR ...]

`OTHER_CHECKOUT` is a folder with another version of Pestle, such as `git worktree add` makes. Each `DIR`
has the form that `pestle eval archive` reads (docs/guide/evaluation.md); the default is the demo archive.
Each version reads the documents into a home of its own. It answers every question of the gold set, some
general questions, and a follow-up on each of those. What a user reads in the terminal is compared byte for
byte; only the trace id is masked. No language model is used. The exit code is 1 if any answer differs.
"""

import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent.parent
SEED = "1"
"""Versions up to ca37937 gave one of two answers about a highest dose, as the order of a set had it."""
TRACE = re.compile(r"Trace id: [0-9a-f]{12}")
GENERAL = (
    "What do you know about {M}?",
    "Who wrote the latest report on {M}?",
    "Which animals were {M} tested in?",
    "What was the half-life of {M}?",
    "Compare the highest dose of {M} with that of the others.",
    "How is the weather?",
)
FOLLOW_UPS = ("And why was it stopped?", "sources")

ASK = """
import contextlib, io, json, sys
from adapters.cli.main import app
talks, answers = json.load(sys.stdin), []
app(["ingest", sys.argv[1]], standalone_mode=False)
for number, talk in enumerate(talks):
    for text in talk:
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            try:
                app(["ask", text, "--thread", f"talk-{number}"], standalone_mode=False)
            except BaseException as error:
                print(type(error).__name__, error)
        answers.append(shown.getvalue())
print("ANSWERS", json.dumps(answers))
"""


def talks(folder: Path, documents: str) -> list[list[str]]:
    """The questions about a folder of documents; each talk is a thread of its own."""
    molecules = json.loads((folder / "molecules.json").read_text(encoding="utf-8"))
    questions = json.loads((folder / "questions.json").read_text(encoding="utf-8"))
    names = [entry["molecule"] for entry in molecules if entry["folder"] == documents]
    typed = [[text.replace("{M}", name)] for name in names for text in questions.values()]
    general = [[text.replace("{M}", name), *FOLLOW_UPS] for name in names[:4] for text in GENERAL]
    return [*typed, *general]


def answers(checkout: Path, documents: Path, asked: list[list[str]]) -> list[str]:
    """What one version shows for every question."""
    with tempfile.TemporaryDirectory() as home:
        plain = {name: value for name, value in os.environ.items() if not name.startswith("PESTLE_")}
        surroundings = {
            **plain,
            "PESTLE_HOME": home,
            "PYTHONPATH": str(checkout),
            "COLUMNS": "120",
            "PYTHONHASHSEED": SEED,
        }
        done = subprocess.run(
            [sys.executable, "-c", ASK, str(documents.resolve())],
            input=json.dumps(asked),
            cwd=checkout,
            env=surroundings,
            capture_output=True,
            text=True,
            check=False,
        )
    shown = [line for line in done.stdout.splitlines() if line.startswith("ANSWERS ")]
    if not shown:
        raise SystemExit(f"{checkout} gave no answers:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return [TRACE.sub("Trace id: -", text) for text in json.loads(shown[0].removeprefix("ANSWERS "))]


def compare(other: Path, folder: Path) -> tuple[int, int]:
    """How many answers were compared, and how many differ; each difference is printed."""
    molecules = json.loads((folder / "molecules.json").read_text(encoding="utf-8"))
    compared = different = 0
    for documents in dict.fromkeys(entry["folder"] for entry in molecules):
        asked = talks(folder, documents)
        before, after = (answers(side, folder / documents, asked) for side in (other, HERE))
        texts = [text for talk in asked for text in talk]
        for text, old, new in zip(texts, before, after, strict=True):
            compared += 1
            if old != new:
                different += 1
                lines = difflib.unified_diff(
                    old.splitlines(), new.splitlines(), "before", "after", lineterm="", n=1
                )
                print(f"--- {text}", *lines, sep="\n")
    return compared, different


def main() -> int:
    """Compare all folders."""
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    other = Path(sys.argv[1]).resolve()
    folders = [Path(name) for name in sys.argv[2:]] or [HERE / "adapters" / "demo"]
    total = 0
    for folder in folders:
        compared, different = compare(other, folder)
        print(f"{folder}: {compared} answers compared, {different} differ")
        total += different
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
