"""Molecule design by debate as a kind of run (Indibator)."""

from agents.kinds import AnyKind, KindLimits, RunKind
from agents.late import late
from agents.runs.records import Budget

SECONDS = 3600.0

KIND: AnyKind = RunKind(
    name="design",
    title="Molecule design",
    inputs=late("agents.design.values:Order"),
    output=late("agents.design.values:Design"),
    memory=late("agents.design.values:Memory"),
    understand=late("agents.design.understand:understand"),
    asked=lambda order: order.text,
    plan=late("agents.design.work:plan"),
    report=late("agents.design.report:report"),
    open=late("agents.design.work:open_design"),
    remember=late("agents.design.work:remember"),
    stopped=late("agents.design.pipeline:stopped"),
    labels={
        "read": "Reading the brief",
        "scientists": "Finding scientists",
        "brief": "Approval of the brief",
        "propose": "Proposing",
        "repropose": "Proposing again",
        "reconsider": "Looking at own proposals",
        "criticise": "Criticising",
        "answer": "Answering people",
        "vote": "Voting",
        "poll": "People vote",
        "design": "Designing the set",
        "check": "Checking the set",
        "weigh": "Computing properties",
        "oracle": "Asking the oracle",
        "finish": "Drawing and writing files",
    },
    limits=KindLimits(Budget(seconds=SECONDS)),
    commands=("design",),
    help=(
        "`design JNK3 inhibitors like SMILES, brain-penetrant, not like SMILES` starts a debate of scientist "
        "agents about new molecules. While it goes on write `veto 3`, `pin 2`, a SMILES of your own, "
        "`weight solubility 2`, `logP 1 to 3`, `enough`, or what you think.",
        "`make M2 more soluble` below a design goes on from one of its molecules. With an SDF or a molfile, "
        "`design … like these`, `not like these` and `make this more soluble` mean its molecules.",
    ),
    approvals=frozenset({"brief"}),
    files=frozenset({".sdf", ".mol"}),
    with_files=late("agents.design.uploads:with_files"),
    request="brief",
    result="design",
    listens=True,
    about="design molecules in a debate of scientist agents",
    terminal={"design": "Design molecules in a debate of scientist agents."},
)
