"""How a service's log is written: as text or as lines of JSON with run and trace, without what people wrote.

What an exception says may hold a question or a name, so of exceptions a log has type and places alone, unless
everything is logged (`--verbose`).
"""

import json
import logging
import traceback
from typing import Any

from agents.runs.clock import stamp, utc_now
from agents.runs.current import RUN, trace_of


def hide(kind: type[logging.Filter]) -> None:
    """Keep out of the log of the HTTP client what a filter takes away, whatever the level."""
    logger = logging.getLogger("httpx")
    if not any(isinstance(one, kind) for one in logger.filters):
        logger.addFilter(kind())


class Discreet(logging.Formatter):
    """Text; an exception without its words, unless `wordy`."""

    def __init__(self, form: str, *, wordy: bool = False) -> None:
        super().__init__(form)
        self._wordy = wordy

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        record.exc_text = None  # as another handler may have written it
        return super().format(record)

    def formatException(self, ei: Any) -> str:  # noqa: N802 (the name is the library's)
        """Type and places, innermost cause first."""
        if self._wordy:
            return super().formatException(ei)
        error, told = ei[1], list[str]()
        while error is not None:
            places = (f"{p.filename}:{p.lineno}" for p in traceback.extract_tb(error.__traceback__))
            told.append(f"{type(error).__name__} at {', '.join(places)}")
            error = error.__cause__ or error.__context__
        return "\n".join(reversed(told))


class JsonLines(Discreet):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line = {"at": stamp(utc_now()), "level": record.levelname, "logger": record.name}
        line["message"] = record.getMessage()
        if run_id := RUN.get():
            line |= {"run": run_id, "trace": trace_of(run_id)}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)
