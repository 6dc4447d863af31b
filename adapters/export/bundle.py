"""JSON export: the answer with everything needed to check it elsewhere."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from agents.archive.answer import Answer
from agents.runs.records import Event, RunRecord, StepRecord


def bundle(answer: Answer, run: RunRecord, steps: Sequence[StepRecord], events: Sequence[Event]) -> bytes:
    """Answer, evidence, run, steps and events as one JSON document;
    keys are sorted, so equal answers give equal files.
    """
    content = {
        "format": "pestle.answer/1",
        "answer": asdict(answer),
        "run": asdict(run),
        "steps": [asdict(step) for step in steps],
        "events": [asdict(event) for event in events],
    }
    return json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True).encode()
