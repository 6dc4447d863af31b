"""Protocols from a research objective as a kind of run (BioResearcher)."""

from agents.kinds import AnyKind, KindLimits, RunKind
from agents.late import late
from agents.runs.records import Budget

SECONDS = 3600.0

KIND: AnyKind = RunKind(
    name="protocol",
    title="Protocols",
    inputs=late("agents.protocol.values:Order"),
    output=late("agents.protocol.outcome:ProtocolOutcome"),
    memory=late("agents.protocol.values:Order"),
    understand=late("agents.protocol.understand:understand"),
    asked=lambda order: order.asked,
    plan=late("agents.protocol.work:plan"),
    report=late("agents.protocol.report:report"),
    open=late("agents.protocol.work:open_protocol"),
    remember=late("agents.protocol.work:remember"),
    revise=late("agents.protocol.revise:revise"),
    stopped=late("agents.protocol.work:stopped"),
    labels={
        "queries": "Writing queries",
        "searches": "Asking whether to search",
        "search": "Searching the literature",
        "read": "Reading articles",
        "datasets": "Looking datasets up",
        "study": "Deciding the design",
        "design": "Writing the protocol",
        "section": "Writing a section anew",
        "programs": "Asking whether programs may run",
        "program": "Running programs",
    },
    limits=KindLimits(Budget(seconds=SECONDS), queue="programs"),
    commands=("protocol",),
    help=(
        "`protocol OBJECTIVE; conditions: …; requirements: …` searches the literature and designs a protocol "
        "section by section, with hazards, sample sizes and the tasks that programs can do.",
    ),
    approvals=frozenset({"searches", "programs"}),
    request="objective",
    result="protocol",
    about="design protocols from a research objective and the literature",
    terminal={"protocol": "Design a protocol from a research objective."},
)
