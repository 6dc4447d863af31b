"""Runs as traces of OpenTelemetry, written from the ledger when a run has ended: run = trace, step = span.

Needs `pip install 'pestle[traces]'`. A span has the sort of its step, what it spent and whether it failed;
nothing that people, documents or models wrote.
"""

import re
from collections.abc import Sequence
from datetime import datetime

from opentelemetry.context import Context
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.trace import NonRecordingSpan, SpanContext, StatusCode, TraceFlags, set_span_in_context

from agents.ports import Ledger
from agents.runs.current import trace_of
from agents.runs.records import RunRecord, RunState
from agents.runs.tree import StepNode, tree

AFTER_NAME = re.compile(r"[^\w ].*", re.DOTALL)
"""What follows the first part of a step's name, such as a molecule."""


class Traces:
    """Sends the traces of runs to a collector."""

    def __init__(self, ledger: Ledger, exporter: SpanExporter) -> None:
        self._ledger = ledger
        self._provider = TracerProvider(resource=Resource.create({"service.name": "pestle"}))
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("pestle")

    @classmethod
    def at(cls, url: str, ledger: Ledger) -> "Traces":
        """To an OTLP endpoint over HTTP."""
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        return cls(ledger, OTLPSpanExporter(endpoint=url))

    async def ended(self, run: RunRecord) -> None:
        """Send the trace of a run that is over."""
        number = int(trace_of(run.run_id), 16)
        beginning = SpanContext(number, number >> 64 or 1, is_remote=True, trace_flags=TraceFlags(1))
        context = set_span_in_context(NonRecordingSpan(beginning))
        span = self._tracer.start_span(
            f"run {run.pipeline}", context, start_time=_ns(run.started or run.created)
        )
        span.set_attributes({"pestle.run": run.run_id, "pestle.state": run.state})
        if run.state is RunState.FAILED:
            span.set_status(StatusCode.ERROR)
        self._steps(tree(await self._ledger.steps(run.run_id)), set_span_in_context(span))
        span.end(_ns(run.ended))

    def close(self) -> None:
        """Send what is left."""
        self._provider.shutdown()

    def _steps(self, nodes: Sequence[StepNode], around: Context) -> None:
        for node in nodes:
            step, begun = node.step, _ns(node.step.started)
            span = self._tracer.start_span(AFTER_NAME.sub("", step.name), around, start_time=begun)
            if step.usage.calls:
                span.set_attribute("gen_ai.request.model", ",".join(step.usage.models))
                span.set_attribute("gen_ai.usage.input_tokens", step.usage.prompt_tokens)
                span.set_attribute("gen_ai.usage.output_tokens", step.usage.completion_tokens)
            if step.error:
                span.set_status(StatusCode.ERROR)
            self._steps(node.inside, set_span_in_context(span))
            span.end(begun + int(step.seconds * 1e9))


def _ns(at: str) -> int:
    return int(datetime.fromisoformat(at).timestamp() * 1e9)
