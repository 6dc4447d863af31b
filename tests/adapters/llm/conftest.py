from collections.abc import Iterator

import pytest

from tests.adapters.llm.fake_endpoint import FakeEndpoint, serving


@pytest.fixture(scope="session")
def endpoint() -> Iterator[FakeEndpoint]:
    with serving() as fake:
        yield fake
