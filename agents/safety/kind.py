"""Target safety reports as a kind of run (TSAssistant)."""

from agents.kinds import AnyKind, KindLimits, RunKind
from agents.late import late
from agents.runs.records import Budget
from agents.safety.outline import EVIDENCE, GRAPH, SECTIONS

SECONDS = 1800.0

KIND: AnyKind = RunKind(
    name="safety",
    title="Target safety reports",
    inputs=late("agents.safety.order:SafetyOrder"),
    output=late("agents.safety.values:Assessment"),
    memory=late("agents.safety.order:SafetyOrder"),
    understand=late("agents.safety.understand:understand"),
    asked=lambda order: order.asked,
    plan=late("agents.safety.work:plan"),
    report=late("agents.safety.report:report"),
    open=late("agents.safety.work:open_safety"),
    tools=late("agents.safety.work:toolset"),
    remember=late("agents.safety.work:remember"),
    revise=late("agents.safety.work:revise"),
    takes_sources=frozenset(one.id for one in EVIDENCE),
    stopped=late("agents.safety.pipeline:stopped"),
    labels={
        "resolve": "Recognising the target",
        "collect": "Asking the databases",
        "section": "Writing sections",
        "charts": "Drawing the chart",
        **{one.id: one.title for one in SECTIONS},
    },
    limits=KindLimits(Budget(seconds=SECONDS)),
    commands=("safety", "tsa"),
    help=(
        "`safety TARGET` writes a target safety report, as `safety ADRB2, inhibition, in asthma`. It asks "
        "all public databases and the archive, and weighs 19 endpoints; without a language model it takes "
        "under a minute.",
    ),
    sections=GRAPH,
    about="write target safety reports from public databases and the archive",
    terminal={
        "safety": "Write a target safety report.",
        "skills": "Show the guidance of a report's sections.",
        "orthologs": "Choose the ortholog of each species, with reasons.",
    },
)
