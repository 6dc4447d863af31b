"""The policy of who may read what, in SQL: one row for each change, so that none is lost."""

import json
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import literal, select, union_all

from adapters.storage.audit import note
from adapters.storage.database import Database
from adapters.storage.tables import IDENTITIES, POLICIES
from adapters.storage.whole import whole
from agents.runs.clock import Clock, stamp, utc_now
from bot.rights import PAGE, Policy

POLICY = TypeAdapter(Policy)
NOT_KEPT = {"number", "claimed"}
"""What stands elsewhere."""
LATEST = (
    select(POLICIES.c.number, POLICIES.c.policy, literal("").label("name"))
    .order_by(POLICIES.c.number.desc())
    .limit(1)
)
IN_FORCE = union_all(select(LATEST.subquery()), select(literal(0), IDENTITIES.c.groups, IDENTITIES.c.name))
"""The policy, and the groups that log-ins told, in one trip: every message asks for them."""


@whole
@dataclass(frozen=True, slots=True)
class SqlPolicies:
    """Implements `bot.rights.Policies`."""

    database: Database
    clock: Clock = utc_now

    async def current(self) -> Policy:
        """See the port."""
        policy, claimed = Policy(), dict[str, tuple[str, ...]]()
        for number, text, name in await self.database.rows(IN_FORCE):
            if number:
                policy = replace(POLICY.validate_json(text), number=number)
                continue
            for one in json.loads(text):
                claimed[one] = (*claimed.get(one, ()), f"{PAGE}:{name}")
        return replace(policy, claimed=claimed)

    async def change(self, policy: Policy, by: str) -> bool:
        """See the port."""
        now, text = stamp(self.clock()), POLICY.dump_json(policy, exclude=NOT_KEPT).decode()
        was, is_now = _lines(await self.current()), _lines(policy)
        values = {"number": policy.number + 1, "policy": text, "by": by, "at": now}
        async with self.database.writing() as connection:
            if added := await self.database.add(connection, POLICIES, values):
                changes = [f"+ {one}" for one in is_now - was] + [f"- {one}" for one in was - is_now]
                facts, lines = {"policy": policy.number + 1}, "\n".join(sorted(changes))
                await note(connection, now, "granted", facts=facts, by=f"cli:{by}", text=lines)
            return added


def _lines(policy: Policy) -> set[str]:
    """Each part of a policy in a line."""
    kept: dict[str, Any] = POLICY.dump_python(policy, mode="json", exclude=NOT_KEPT)
    parts = ((name, part.items() if isinstance(part, dict) else part) for name, part in kept.items())
    return {f"{name}: {json.dumps(one, ensure_ascii=False)}" for name, part in parts for one in part}
