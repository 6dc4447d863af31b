from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.adapters.storage.places import PLACES, Place, opened


@pytest.fixture(params=PLACES)
async def place(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Place]:
    async with opened(request.param, tmp_path) as place:
        yield place
