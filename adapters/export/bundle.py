"""JSON export: the report with everything needed to check it elsewhere."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from agents.kinds import RunView
from agents.runs.records import Event, StepRecord


def bundle(view: RunView, steps: Sequence[StepRecord], events: Sequence[Event]) -> bytes:
    """Report, result with its evidence, revisions, run, steps and events as one JSON document.

    Keys are sorted, so equal reports give equal files.
    """
    content = {
        "format": "pestle.report/1",
        "report": _report(view),
        "result": json.loads(view.record.result) if view.record.result else None,
        "revisions": [asdict(line) for line in view.history.lines] if view.history else [],
        "run": {name: value for name, value in asdict(view.record).items() if name != "reads"},
        "steps": [asdict(step) for step in steps],
        "events": [asdict(event) for event in events],
    }
    return json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True).encode()


def report_json(view: RunView) -> bytes:
    """The run in short, for machines: its state, why it ended early if it did, and its report if it
    has one.
    """
    record = view.record
    content = {"run_id": record.run_id, "state": record.state, "error": record.error, **(_report(view) or {})}
    return json.dumps(content, ensure_ascii=False, indent=1, default=str).encode()


def _report(view: RunView) -> dict[str, Any] | None:
    """The report as it stands, with its citations in one list."""
    report = view.report
    if report is None:
        return None
    return {**asdict(report), "citations": [asdict(citation) for citation in report.citations]}
