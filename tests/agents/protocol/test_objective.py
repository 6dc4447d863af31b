"""One objective from its text to programs that ran: the small literature, R, and the gate at the end."""

import gzip
import zipfile
from functools import partial
from io import BytesIO
from pathlib import Path

from agents.protocol.lab.machine import NEEDED
from agents.protocol.outcome import ProtocolOutcome
from agents.protocol.pipeline import Tools
from agents.protocol.programs import APPROVAL
from agents.protocol.report import report
from agents.protocol.values import Order
from agents.protocol.work import carried_out
from agents.reports.gate import audit, gated
from agents.runs.artefacts import MemoryArtefacts
from agents.runs.encoding import decode
from agents.runs.execute import execute
from agents.runs.pipeline import Pipeline, new_run
from tests.agents.protocol.kit import OBJECTIVE, literature
from tests.agents.protocol.lab.made import counts
from tests.support import services
from tests.support.memory.ledger import MemoryLedger
from tests.support.memory.sources import MemorySources


async def test_every_task_of_an_objective_runs_and_what_it_found_stands(tmp_path: Path) -> None:
    sandbox = await services.sandbox()
    services.r(*NEEDED)
    place = literature(tmp_path)
    sets = ("\t".join((f"set{n}", "x", *(f"G{m}" for m in range(n * 20, n * 20 + 20)))) for n in range(30))
    (tmp_path / "sets.gmt").write_text("\n".join(sets) + "\n")
    head, _, rows = counts(700, changed=20).partition("\n")
    (tmp_path / "airway_counts.csv.gz").write_bytes(
        gzip.compress(f"{head.replace('s', 'S')}\n{rows}".encode())
    )
    tools = Tools((place,), place, sandbox=sandbox, sources=MemorySources())
    ledger, artefacts, record = (
        MemoryLedger(),
        MemoryArtefacts(),
        new_run("protocol", Order(objective=OBJECTIVE)),
    )
    await ledger.create(record)
    pipelines = {"protocol": Pipeline(partial(carried_out, tools), Order, ProtocolOutcome)}
    await execute(record.run_id, ledger, pipelines, "w1", artefacts=artefacts)
    [asked] = await ledger.open_requests(record.run_id)
    assert asked.name.startswith(APPROVAL)
    await ledger.decide(record.run_id, asked.name, "approve", "ana")
    await execute(record.run_id, ledger, pipelines, "w1", artefacts=artefacts)
    ended = await ledger.run(record.run_id)
    outcome: ProtocolOutcome = decode(ProtocolOutcome, ended.result if ended else "", "outcome")
    states = {one.task: (one.state.value, one.reason) for one in outcome.results}
    assert states == {"task-bulk_rnaseq": ("done", ""), "task-pathway": ("done", "")}
    assert "20 differ between treated and control" in outcome.results[0].text("summary.txt")
    assert "set0: enrichment" in outcome.results[1].text("summary.txt")
    shown = report(outcome)
    kept = gated(shown)
    for one in outcome.results:
        assert kept.section(one.task) == shown.section(one.task), audit(shown).wrong
    bundle = await artefacts.get(outcome.repeat[1].sha256)
    with zipfile.ZipFile(BytesIO(bundle or b"")) as archive:
        assert "task-bulk_rnaseq/out/results.csv" in archive.namelist()
