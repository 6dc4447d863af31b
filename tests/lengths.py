"""Measures how long answers are told: two checkouts are asked the same typed questions.

    python -m tests.lengths OTHER_CHECKOUT [DIR ...] [--texts FILE]

`OTHER_CHECKOUT` is a folder with another version of Pestle, such as `git worktree add` makes. Each `DIR`
has the form that `pestle eval archive` reads (docs/guide/evaluation.md); the default is the demo archive.
Every typed question of a gold set is asked about every molecule, and so are three more types and a
comparison. No language model is used. Of the questions that both versions answer, the characters that a
reader sees are counted (white space once, no frames, no trace id):

    terminal   what `pestle ask` prints
    slack      all blocks of the message but its buttons
    page       what the page shows before anything is unfolded, without buttons
    memo       the export as Markdown

Printed are, for each, the median lengths and the median of the ratios (this version to the other).
`--texts FILE` keeps every text as JSON. The other version is asked with the packages of this one.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent.parent
SURFACES = ("terminal", "slack", "page", "memo")
MORE = (
    "What is the mechanism of action of {M}?",
    "What are the pharmacokinetics of {M} in humans?",
    "Which clinical studies were done with {M}?",
    "Compare the highest dose of {M} with that of the others.",
)
TRACE = re.compile(r"Trace id: [0-9a-f]{12}|Run [0-9a-f]{12}, asked .*", re.DOTALL)
FRAME = re.compile(r"[─│╭╮╰╯━]")
FOLDED = re.compile(r"<details.*?</details>|<div class=\"actions\">.*|<footer>.*?</footer>", re.DOTALL)
TAG = re.compile(r"<[^>]+>")

ASK = """
import contextlib, html, io, json, pathlib, sys
from adapters.cli import render
from adapters.cli.main import app
from adapters.slack.render import render as slack
from adapters.web.board import Post
from adapters.web.render import environment, post_html

shown = []
panel = render.card
jinja = environment()

def noted(card):
    if str(card.kind) == "answer":
        messages = [block for message in slack(card) for block in message.blocks]
        texts = [t["text"] for block in messages if block["type"] != "actions"
                 for t in (block.get("elements") or [block.get("text")]) if t]
        shown.append({"title": card.title, "slack": "\\n".join(texts), "run": card.run_id,
                      "page": post_html(jinja, Post("p", card))})
    return panel(card)

render.card = noted
app(["ingest", sys.argv[1]], standalone_mode=False)
answers = []
for text in json.load(sys.stdin):
    shown.clear()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            app(["ask", text], standalone_mode=False)
        except BaseException as error:
            print(type(error).__name__, error)
    answer = {"question": text, "title": "", **(shown[-1] if shown else {}), "terminal": printed.getvalue()}
    if run := answer.pop("run", ""):
        with contextlib.redirect_stdout(io.StringIO()):
            app(["run", "export", run, "-o", sys.argv[2]], standalone_mode=False)
        answer["memo"] = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
        answer["page"] = html.unescape(answer["page"])
    answers.append(answer)
print("ANSWERS", json.dumps(answers))
"""


def questions(folder: Path, documents: str) -> list[str]:
    """Typed questions about every molecule of a folder of documents."""
    molecules = json.loads((folder / "molecules.json").read_text(encoding="utf-8"))
    asked = json.loads((folder / "questions.json").read_text(encoding="utf-8"))
    names = [entry["molecule"] for entry in molecules if entry["folder"] == documents]
    return [text.replace("{M}", name) for name in names for text in (*asked.values(), *MORE)]


def answers(checkout: Path, documents: Path, asked: Sequence[str]) -> list[dict[str, str]]:
    """What one version shows for every question, by surface."""
    with tempfile.TemporaryDirectory() as home:
        plain = {name: value for name, value in os.environ.items() if not name.startswith("PESTLE_")}
        done = subprocess.run(
            [sys.executable, "-c", ASK, str(documents.resolve()), str(Path(home) / "memo.md")],
            input=json.dumps(asked),
            cwd=checkout,
            env={**plain, "PESTLE_HOME": home, "PYTHONPATH": str(checkout), "COLUMNS": "120"},
            capture_output=True,
            text=True,
            check=False,
        )
    shown = [line for line in done.stdout.splitlines() if line.startswith("ANSWERS ")]
    if not shown:
        raise SystemExit(f"{checkout} gave no answers:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return list(json.loads(shown[0].removeprefix("ANSWERS ")))


def seen(surface: str, text: str) -> str:
    """What a reader sees of a text."""
    if surface == "page":
        text = TAG.sub(" ", FOLDED.sub("", text))
    return " ".join(FRAME.sub("", TRACE.sub("", text)).split())


def main() -> int:
    """Ask both versions and print the lengths."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("other", type=Path)
    parser.add_argument("folders", type=Path, nargs="*", default=[HERE / "adapters" / "demo"])
    parser.add_argument("--texts", type=Path)
    options = parser.parse_args()
    pairs: list[tuple[dict[str, str], dict[str, str]]] = []
    for folder in options.folders:
        molecules = json.loads((folder / "molecules.json").read_text(encoding="utf-8"))
        for documents in dict.fromkeys(entry["folder"] for entry in molecules):
            asked = questions(folder, documents)
            sides = [answers(side.resolve(), folder / documents, asked) for side in (options.other, HERE)]
            pairs += zip(*sides, strict=True)
    both = [pair for pair in pairs if all(side["title"] == "Answer" for side in pair)]
    print(f"{len(both)} of {len(pairs)} questions are answered by both versions")
    print(f"{'':10}{'before':>8}{'now':>8}{'ratio':>8}   (medians)")
    for surface in SURFACES:
        lengths = [[len(seen(surface, side[surface])) for side in pair] for pair in both]
        before, now = (statistics.median(column) for column in zip(*lengths, strict=True))
        ratio = statistics.median(new / old for old, new in lengths)
        print(f"{surface:10}{before:8.0f}{now:8.0f}{ratio:8.2f}")
    if options.texts:
        options.texts.write_text(json.dumps(pairs, indent=1, ensure_ascii=False), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
