"""The team's processes as an operator starts them, over one Redis and one database."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.journey.waiting import wait_for

PESTLE = Path(sys.executable).with_name("pestle")
START_S = 90
"""How long the bot may take to listen, on a machine that has much else to do."""
ROLES = ("classify", "judge", "research", "entail")

DOCUMENTS = {
    "tox-rat.md": """\
---
title: 28-day oral toxicity study of QX-201 in rats
molecules: [QX-201]
study_type: repeat-dose toxicity
date: 2021-03-04
---
# 28-day oral toxicity study of QX-201 in rats

## Results

QX-201 was given to rats by oral gavage at 5, 15 and 50 mg/kg/day for 28 days.
Minimal hepatocellular hypertrophy was seen at 50 mg/kg/day.
The NOAEL of QX-201 in rats was 15 mg/kg/day.
""",
    "phase1.md": """\
---
title: Phase I single and multiple ascending dose study of QX-201
molecules: [QX-201]
phase: Phase I
date: 2022-06-10
---
# Phase I study of QX-201 in healthy volunteers

## Dose escalation

QX-201 was given orally.
In the multiple ascending dose part the highest dose administered was 120 mg once daily.
The first-in-human dose of QX-201 was 2 mg.
""",
    "phase1-rival.md": """\
---
title: Phase I single and multiple ascending dose study of RV-77
molecules: [RV-77]
phase: Phase I
date: 2020-01-15
---
# Phase I study of RV-77 in healthy volunteers

## Dose escalation

RV-77 was given orally.
In the multiple ascending dose part the highest dose administered was 900 mg once daily.
The first-in-human dose of RV-77 was 7 mg.
""",
}


def write_archive(folder: Path) -> None:
    folder.mkdir()
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, encoding="utf-8")


class Team:
    """Starts and ends the processes. All of them share `settings`; their output goes to files in `folder`."""

    def __init__(
        self, folder: Path, settings: Mapping[str, str], command: Sequence[str | Path] = (PESTLE,)
    ) -> None:
        self.folder = folder
        self._command = command
        self._settings = dict(settings)
        self._started = 0
        self.bots: list[subprocess.Popen[bytes]] = []

    def pestle(self, *arguments: str) -> None:
        """Run a command to its end."""
        subprocess.run(
            [*self._command, *arguments], env=self.environment, check=True, stdout=subprocess.DEVNULL
        )

    @contextmanager
    def process(self, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        """A running process, ended as a deploy ends it."""
        self._started += 1
        log = self.folder / f"{self._started}-{arguments[0]}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*self._command, *arguments], env=self.environment, stdout=output, stderr=subprocess.STDOUT
            )
        try:
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            code = process.wait(20)
            assert code in (0, -signal.SIGKILL), log.read_text()

    @contextmanager
    def bot(self, url: str) -> Iterator[None]:
        with self.process("bot") as process:
            self.bots.append(process)
            wait_for(lambda: process.poll() is not None or _healthy(url), START_S, "the bot to listen")
            yield

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PESTLE_")}
        return kept | self._settings


def _healthy(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health").status_code == 200
    except httpx.TransportError:
        return False
