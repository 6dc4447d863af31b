"""What Prometheus is told (`/metrics` of the bot): counted anew from the ledger, so that no restart loses it.

Names of kinds, queues and states are its only words.
"""

from collections import Counter

from prometheus_client import CollectorRegistry, Gauge, generate_latest

from agents.ports import Ledger
from agents.runs.clock import month_of, utc_now
from bot.errors import QueueDown
from bot.ports import JobQueue
from workers.names import PIPELINE_QUEUE

QUANTILES = (0.5, 0.95)


async def metrics(ledger: Ledger, queue: JobQueue) -> bytes:
    """All metrics, as Prometheus reads them."""
    registry = CollectorRegistry()

    def gauge(name: str, what: str, *labels: str) -> Gauge:
        return Gauge(f"pestle_{name}", what, labels, registry=registry)

    runs = gauge("runs", "runs by kind and state", "kind", "state")
    took = gauge("run_seconds", "time of the latest runs that are done", "kind", "quantile")
    counted = await ledger.counted()
    for (kind, state), count in counted.items():
        runs.labels(kind, state).set(count)
    for kind in sorted({kind for kind, _ in counted}):
        if lasted := sorted(one.seconds for one in await ledger.past(kind)):
            for share in QUANTILES:
                took.labels(kind, share).set(lasted[int(share * (len(lasted) - 1))])
    waiting = gauge("runs_waiting", "runs that no worker has in hand", "queue")
    at_work = gauge("runs_at_work", "runs that a worker has in hand", "queue")
    for (name, held), count in Counter((one.queue, one.held) for one in await ledger.line()).items():
        (at_work if held else waiting).labels(name).set(count)
    spent = await ledger.spent(month_of(utc_now()))
    gauge("month_tokens", "tokens spent this month").set(sum(one.tokens for one in spent))
    gauge("month_usd", "US dollars spent this month").set(sum(one.cost_usd for one in spent))
    gauge("queue_up", "whether Redis answers").set(await _up(queue))
    return generate_latest(registry)


async def _up(queue: JobQueue) -> bool:
    try:
        await queue.backlog(PIPELINE_QUEUE)
    except QueueDown:
        return False
    return True
